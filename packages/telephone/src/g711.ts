import type { Codec } from './leg.js'

/** ITU-T G.711: eight bits a sample at 8000 Hz, with fine steps for quiet audio. */

const bias = 0x84
/** Louder samples would overflow with the bias. */
const maxMuLaw = 0x7fff - bias

const samples: Readonly<Record<Codec, Int16Array>> = {
  g711_ulaw: Int16Array.from({ length: 256 }, (_, code) => readMuLaw(code)),
  g711_alaw: Int16Array.from({ length: 256 }, (_, code) => readALaw(code)),
}

/** Returns the 16-bit samples of G.711 codes. */
export function decodeG711(codes: Uint8Array, codec: Codec): Int16Array {
  const table = samples[codec]
  const decoded = new Int16Array(codes.length)
  for (let index = 0; index < codes.length; index += 1) decoded[index] = table[codes[index] ?? 0] ?? 0
  return decoded
}

/** Returns 16-bit samples as G.711 codes. */
export function encodeG711(pcm: Int16Array, codec: Codec): Buffer {
  const encode = codec === 'g711_ulaw' ? encodeMuLaw : encodeALaw
  const codes = Buffer.alloc(pcm.length)
  for (let index = 0; index < pcm.length; index += 1) codes[index] = encode(pcm[index] ?? 0)
  return codes
}

export function decodeMuLaw(code: number): number {
  return samples.g711_ulaw[code] ?? 0
}

export function encodeMuLaw(sample: number): number {
  const magnitude = Math.min(Math.abs(sample), maxMuLaw) + bias
  const exponent = highestBit(magnitude) - 7
  const bits = (sample < 0 ? 0x80 : 0) | (exponent << 4) | ((magnitude >> (exponent + 3)) & 0x0f)
  return ~bits & 0xff
}

function encodeALaw(sample: number): number {
  // Negative values are mirrored one step off zero, so that both halves have the same number of steps.
  const magnitude = sample < 0 ? ~sample : sample
  const exponent = Math.max(0, highestBit(magnitude) - 7)
  const mantissa = (magnitude >> (Math.max(1, exponent) + 3)) & 0x0f
  return ((sample < 0 ? 0 : 0x80) | (exponent << 4) | mantissa) ^ 0x55
}

function highestBit(value: number): number {
  return 31 - Math.clz32(value)
}

function readMuLaw(code: number): number {
  const bits = ~code & 0xff
  const exponent = (bits >> 4) & 0x07
  const magnitude = (((bits & 0x0f) << 3) + bias) << exponent
  return (bits & 0x80) === 0 ? magnitude - bias : bias - magnitude
}

function readALaw(code: number): number {
  const bits = code ^ 0x55
  const exponent = (bits >> 4) & 0x07
  const mantissa = ((bits & 0x0f) << 4) + 8
  const magnitude = exponent === 0 ? mantissa : (mantissa + 0x100) << (exponent - 1)
  return (bits & 0x80) === 0 ? -magnitude : magnitude
}
