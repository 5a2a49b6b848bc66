/*
 * Money is counted in whole millionths of a millionth: a token at a price with six decimals for a million of them is a whole
 * number of these, so that nothing is rounded, however much is added up. Text in between has a decimal point.
 */
const decimals = 12
const one = 10n ** BigInt(decimals)

/** A decimal number in text as it is counted. */
export function countedMoney(text: string): bigint {
  const [whole = '0', fraction = ''] = text.split('.')
  return BigInt(whole) * one + BigInt(fraction.slice(0, decimals).padEnd(decimals, '0'))
}

export function moneyText(counted: bigint): string {
  return `${counted / one}.${String(counted % one).padStart(decimals, '0')}`
}

/** A price as whole millionths. */
export const millionths = (price: number): bigint => BigInt(Math.round(price * 1_000_000))
