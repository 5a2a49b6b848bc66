const aboutDigits = 6

/** How far what is computed can be trusted, in significant digits: tables of units are rounded, sums hardly are. */
export const trustedDigits = { sum: 12, unit: 8 } as const

/**
 * A number as an answer: exact where it can be said exactly, else with the word that says so. Null beyond what a number
 * of this machine holds exactly: an answer that may be wrong in its last digits is none.
 */
export function spokenResult(value: number, digits: number): string | null {
  if (!Number.isFinite(value) || Math.abs(value) > Number.MAX_SAFE_INTEGER) return null
  if (Number.isInteger(value)) return formatted(value)
  const rounded = Number(value.toPrecision(digits))
  const isShort = String(Math.abs(rounded)).replace('.', '').length <= aboutDigits + 1
  return isShort ? formatted(rounded) : `about ${formatted(Number(value.toPrecision(aboutDigits)))}`
}

function formatted(value: number): string {
  return value.toLocaleString('en-US', { maximumFractionDigits: 10 })
}
