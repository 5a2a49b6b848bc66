/** The two telephone codecs (ITU-T G.711): eight bits a sample, fine steps for quiet and coarse steps for loud audio. */

const muLawBias = 0x84
const muLawClip = 32_635

export function decodeMuLaw(codes: Uint8Array): Int16Array {
  return Int16Array.from(codes, (code) => {
    const bits = ~code & 0xff
    const magnitude = (((bits & 0x0f) << 3) + muLawBias) << ((bits >> 4) & 0x07)
    return (bits & 0x80) === 0 ? magnitude - muLawBias : muLawBias - magnitude
  })
}

export function encodeMuLaw(samples: Int16Array): Uint8Array {
  return Uint8Array.from(samples, (sample) => {
    const magnitude = Math.min(Math.abs(sample), muLawClip) + muLawBias
    const exponent = 24 - Math.clz32(magnitude)
    return ~((sample < 0 ? 0x80 : 0) | (exponent << 4) | ((magnitude >> (exponent + 3)) & 0x0f)) & 0xff
  })
}

export function decodeALaw(codes: Uint8Array): Int16Array {
  return Int16Array.from(codes, (code) => {
    const bits = code ^ 0x55
    const exponent = (bits >> 4) & 0x07
    const mantissa = ((bits & 0x0f) << 4) + 8
    const magnitude = exponent === 0 ? mantissa : (mantissa + 0x100) << (exponent - 1)
    return (bits & 0x80) === 0 ? -magnitude : magnitude
  })
}

export function encodeALaw(samples: Int16Array): Uint8Array {
  return Uint8Array.from(samples, (sample) => {
    // Negative values are mirrored one step below zero, so that both halves have the same number of steps.
    const magnitude = Math.min(sample < 0 ? -sample - 1 : sample, 32_767)
    const exponent = Math.max(0, 24 - Math.clz32(magnitude))
    const mantissa = (magnitude >> (exponent === 0 ? 4 : exponent + 3)) & 0x0f
    return ((sample < 0 ? 0 : 0x80) | (exponent << 4) | mantissa) ^ 0x55
  })
}
