/** The two codecs of telephony (ITU-T G.711): eight bits per sample, small steps for quiet sound, large ones for loud. */

const muLawBias = 0x84
const muLawClip = 32_635

const muLawSamples = Int16Array.from({ length: 256 }, (_, code) => decodeMuLawCode(code))
const aLawSamples = Int16Array.from({ length: 256 }, (_, code) => decodeALawCode(code))

export function decodeMuLaw(codes: Uint8Array): Int16Array {
  return Int16Array.from(codes, (code) => muLawSamples[code] ?? 0)
}

export function decodeALaw(codes: Uint8Array): Int16Array {
  return Int16Array.from(codes, (code) => aLawSamples[code] ?? 0)
}

export function encodeMuLaw(samples: Int16Array): Buffer {
  return Buffer.from(Uint8Array.from(samples, encodeMuLawSample))
}

export function encodeALaw(samples: Int16Array): Buffer {
  return Buffer.from(Uint8Array.from(samples, encodeALawSample))
}

function decodeMuLawCode(code: number): number {
  const bits = ~code & 0xff
  const exponent = (bits >> 4) & 0x07
  const magnitude = (((bits & 0x0f) << 3) + muLawBias) << exponent
  return (bits & 0x80) === 0 ? magnitude - muLawBias : muLawBias - magnitude
}

function encodeMuLawSample(sample: number): number {
  const sign = sample < 0 ? 0x80 : 0
  const magnitude = Math.min(Math.abs(sample), muLawClip) + muLawBias
  const exponent = 24 - Math.clz32(magnitude)
  const mantissa = (magnitude >> (exponent + 3)) & 0x0f
  return ~(sign | (exponent << 4) | mantissa) & 0xff
}

function decodeALawCode(code: number): number {
  const bits = code ^ 0x55
  const exponent = (bits >> 4) & 0x07
  const mantissa = ((bits & 0x0f) << 4) + 8
  const magnitude = exponent === 0 ? mantissa : (mantissa + 0x100) << (exponent - 1)
  return (bits & 0x80) === 0 ? -magnitude : magnitude
}

function encodeALawSample(sample: number): number {
  // Negative values are mirrored one step off zero, so that both halves have the same number of steps.
  const sign = sample < 0 ? 0 : 0x80
  const magnitude = Math.min(sample < 0 ? -sample - 1 : sample, 32_767)
  const exponent = Math.max(0, 24 - Math.clz32(magnitude))
  const mantissa = (magnitude >> (exponent === 0 ? 4 : exponent + 3)) & 0x0f
  return (sign | (exponent << 4) | mantissa) ^ 0x55
}
