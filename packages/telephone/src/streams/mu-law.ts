/** mu-law of ITU-T G.711: eight bits a sample, with fine steps for quiet sound. */

const bias = 0x84
const clip = 32_635

const decoded = Int16Array.from({ length: 256 }, (_, code) => {
  const bits = ~code & 0xff
  const magnitude = (((bits & 0x0f) << 3) + bias) << ((bits >> 4) & 0x07)
  return (bits & 0x80) === 0 ? magnitude - bias : bias - magnitude
})

export function decodeMuLaw(code: number): number {
  return decoded[code] ?? 0
}

export function encodeMuLaw(sample: number): number {
  const magnitude = Math.min(Math.abs(sample), clip) + bias
  const exponent = 24 - Math.clz32(magnitude)
  return ~((sample < 0 ? 0x80 : 0) | (exponent << 4) | ((magnitude >> (exponent + 3)) & 0x0f)) & 0xff
}
