/** A-law of ITU-T G.711: eight bits a sample. Telephones outside North America and Japan use it. */
export function encodeALaw(sample: number): number {
  // Negative values are mirrored one step off zero, so that both halves have the same number of steps.
  const sign = sample < 0 ? 0 : 0x80
  const magnitude = Math.min(sample < 0 ? -sample - 1 : sample, 32_767)
  const exponent = Math.max(0, 24 - Math.clz32(magnitude))
  const mantissa = (magnitude >> (exponent === 0 ? 4 : exponent + 3)) & 0x0f
  return (sign | (exponent << 4) | mantissa) ^ 0x55
}
