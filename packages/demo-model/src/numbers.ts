const small = new Map(
  (
    'zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen ' +
    'eighteen nineteen'
  )
    .split(' ')
    .map((word, value) => [word, value] as const),
)
const tens = new Map(
  'twenty thirty forty fifty sixty seventy eighty ninety'
    .split(' ')
    .map((word, index) => [word, (index + 2) * 10] as const),
)
const scales = new Map([
  ['hundred', 100],
  ['thousand', 1000],
  ['million', 1_000_000],
])

const word = [...small.keys(), ...tens.keys(), ...scales.keys()].join('|')
const phrase = new RegExp(`\\b(?:${word})(?:(?:[\\s-]+and)?[\\s-]+(?:${word}))*\\b`, 'gi')

/** Writes spoken numbers in digits. A single "one" stays, since it is usually a pronoun. */
export function withDigits(text: string): string {
  return text.replace(phrase, (match) => (/^one$/i.test(match) ? match : digitsOf(match)))
}

/** Returns the first number of an answer, or null if it has none. */
export function spokenNumber(text: string): number | null {
  const match = /-?\d+(?:[.,]\d+)?/.exec(
    withDigits(text)
      .replace(/\bone\b/gi, '1')
      .replace(/(?<=\d),(?=\d{3}\b)/g, ''),
  )
  return match === null ? null : Number(match[0].replace(',', '.'))
}

/** "Seven thirty" and "ten forty five" are times, not sums. */
function clockTime([first = '', ...others]: readonly string[]): string | null {
  const hour = small.get(first)
  const [second = '', third = ''] = others
  const minutes = (tens.get(second) ?? small.get(second) ?? 0) + (small.get(third) ?? 0)
  const isTime =
    hour !== undefined && hour >= 1 && hour <= 12 && minutes >= 10 && minutes < 60 && others.length <= 2
  return isTime ? `${hour}:${minutes}` : null
}

function digitsOf(match: string): string {
  const words = match.toLowerCase().split(/[\s-]+/)
  // "four two seven" is a number spoken digit by digit, not a sum.
  if (words.length > 1 && words.every((part) => (small.get(part) ?? 10) < 10))
    return words.map((part) => small.get(part)).join('')
  const time = clockTime(words)
  if (time !== null) return time
  let total = 0
  let current = 0
  for (const part of words) {
    const scale = scales.get(part)
    if (scale === undefined) current += small.get(part) ?? tens.get(part) ?? 0
    else if (scale === 100) current = Math.max(1, current) * 100
    else {
      total += Math.max(1, current) * scale
      current = 0
    }
  }
  return String(total + current)
}

/** Digits beyond which the result of a sum is not exact. */
const sumDigits = 12
const spokenDigits = 6

/**
 * Returns a result in spoken form, with "about" if it was rounded, or null if it is too large to be exact.
 */
export function spokenResult(value: number): string | null {
  if (!Number.isFinite(value) || Math.abs(value) > Number.MAX_SAFE_INTEGER) return null
  if (Number.isInteger(value)) return formatted(value)
  const rounded = Number(value.toPrecision(sumDigits))
  const isShort = String(Math.abs(rounded)).replace('.', '').length <= spokenDigits + 1
  return isShort ? formatted(rounded) : `about ${formatted(Number(value.toPrecision(spokenDigits)))}`
}

function formatted(value: number): string {
  return value.toLocaleString('en-US', { maximumFractionDigits: 10 })
}
