/** The codecs of telephony (ITU-T G.711): eight bits per sample, at 8 kHz. */
export type G711 = 'mu-law' | 'a-law'

const muLawBias = 0x84
/** Louder samples would overflow with the bias. */
const maxMuLaw = 0x7fff - muLawBias

const samples: Readonly<Record<G711, Int16Array>> = {
  'mu-law': Int16Array.from({ length: 256 }, (_, code) => decodeMuLaw(code)),
  'a-law': Int16Array.from({ length: 256 }, (_, code) => decodeALaw(code)),
}

/** Returns the samples of G.711 codes as PCM16. */
export function decodeG711(codes: Uint8Array, law: G711): Int16Array {
  const table = samples[law]
  const decoded = new Int16Array(codes.length)
  for (let index = 0; index < codes.length; index += 1) decoded[index] = table[codes[index] ?? 0] ?? 0
  return decoded
}

/** Returns PCM16 samples as G.711 codes. */
export function encodeG711(pcm: Int16Array, law: G711): Uint8Array {
  const encode = law === 'mu-law' ? encodeMuLaw : encodeALaw
  return Uint8Array.from(pcm, encode)
}

function encodeMuLaw(sample: number): number {
  const magnitude = Math.min(Math.abs(sample), maxMuLaw) + muLawBias
  const exponent = highestBit(magnitude) - 7
  const bits = (sample < 0 ? 0x80 : 0) | (exponent << 4) | ((magnitude >> (exponent + 3)) & 0x0f)
  return ~bits & 0xff
}

function encodeALaw(sample: number): number {
  const magnitude = sample < 0 ? ~sample : sample
  const exponent = Math.max(0, highestBit(magnitude) - 7)
  const mantissa = (magnitude >> (Math.max(1, exponent) + 3)) & 0x0f
  return ((sample < 0 ? 0 : 0x80) | (exponent << 4) | mantissa) ^ 0x55
}

const highestBit = (value: number) => 31 - Math.clz32(value)

function decodeMuLaw(code: number): number {
  const bits = ~code & 0xff
  const exponent = (bits >> 4) & 0x07
  const magnitude = (((bits & 0x0f) << 3) + muLawBias) << exponent
  return (bits & 0x80) === 0 ? magnitude - muLawBias : muLawBias - magnitude
}

function decodeALaw(code: number): number {
  const bits = code ^ 0x55
  const exponent = (bits >> 4) & 0x07
  const mantissa = ((bits & 0x0f) << 4) + 8
  const magnitude = exponent === 0 ? mantissa : (mantissa + 0x100) << (exponent - 1)
  return (bits & 0x80) === 0 ? -magnitude : magnitude
}
