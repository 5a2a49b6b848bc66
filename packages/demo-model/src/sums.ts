import { spokenResult, withDigits } from './numbers.js'

const maxCharacters = 200
const opening =
  /^(?:(?:ok|okay|so|and|hey|please|well|now|then|hi|hello|no)\b[,.!]? *)*(?:(?:can|could|would|will) you )?(?:please )?(?:(?:tell me|calculate|compute|work out|evaluate|give me)\b *)?(?:what(?:'s| is| are| do| does)?\b|how much(?: is| are| do| does|'s)?\b|how many (?:is|are)\b)? */
const ending = /(?:[\s,]*(?:\b(?:for me|please|equals?|makes?|be|is|give)\b|[?.!=]))*$/
const number = String.raw`-?\d+(?:\.\d+)?`

/** Spoken forms of arithmetic and their written forms. */
const rewrites: readonly (readonly [RegExp, string])[] = (
  [
    [`(${number})\\s*(?:%|percent)\\s+off\\s+(?:of )?(${number})`, '($2 * (1 - $1 / 100))'],
    [`(${number})\\s*(?:%|percent)\\s+(?:tip |tax )?(?:of|on)\\s+(${number})`, '($1 / 100 * $2)'],
    [`\\badd (${number}) (?:and|to|plus) (${number})`, '($1 + $2)'],
    [`\\bsubtract (${number}) from (${number})`, '($2 - $1)'],
    [`\\bmultiply (${number}) (?:by|and|with) (${number})`, '($1 * $2)'],
    [`\\bdivide (${number}) by (${number})`, '($1 / $2)'],
    [`\\b(?:the )?square root of (${number})`, '($1 ^ 0.5)'],
    [`(${number}) squared`, '($1 ^ 2)'],
    ['\\b(?:multiplied by|times)\\b|\u00d7', '*'],
    ['\\b(?:divided by|over)\\b|\u00f7', '/'],
    ['\\bplus\\b', '+'],
    ['\\bminus\\b|\u2212', '-'],
  ] as const
).map(([pattern, by]) => [new RegExp(pattern, 'g'), by])

/** Returns the answer to a sum, or null if the words are not a sum from the first to the last. */
export function calculate(words: string): string | null {
  if (words.length > maxCharacters) return null
  const asked = words.toLowerCase().trim()
  const plain = inFigures(asked.replace(opening, '').replace(ending, ''))
  const written = rewrites.reduce((text, [pattern, by]) => text.replace(pattern, by), plain).trim()
  if (!/^[\d\s.+\-*/^()]+$/.test(written) || !/\d\)*\s*[-+*^/]/.test(written)) return null
  // Words that begin with an operator continue something else, and "555-1234" is a sum only in a question.
  if (/^[+*/^]/.test(written)) return null
  if (/^\d+(?:[-/.]\d+)+$/.test(written) && !/^(?:what|how|calculate|compute)|[?=]\s*$/.test(asked))
    return null
  if (/\/\s*0(?:\.0*)?(?![\d.])/.test(written)) return 'Nothing can be divided by zero.'
  const value = evaluate(written)
  if (value === null) return null
  const result = spokenResult(value)
  return result === null ? 'That is too large for me to work out exactly.' : `That is ${result}.`
}

function inFigures(text: string): string {
  return withDigits(text)
    .replace(/\bone\b/g, '1')
    .replace(/(\d) point (\d)/g, '$1.$2')
    .replace(/(?<=\d),(?=\d{3}\b)/g, '')
    .replace(/[$\u20ac\u00a3](?=\d)/g, '')
    .replace(/(?<=\d) (?:dollars?|euros?|cents?|francs?|yen)\b/g, '')
}

type Operation = readonly [priority: number, apply: (one: number, other: number) => number]

const operations: Readonly<Record<string, Operation>> = {
  '+': [1, (one, other) => one + other],
  '-': [1, (one, other) => one - other],
  '*': [2, (one, other) => one * other],
  '/': [2, (one, other) => one / other],
  '^': [3, (one, other) => one ** other],
}

/** Evaluates written arithmetic by precedence climbing. Returns null if it is not well-formed. */
function evaluate(written: string): number | null {
  const tokens = written.match(/\d+(?:\.\d+)?|[-+*/^()]/g) ?? []
  if (tokens.join('') !== written.replace(/\s/g, '')) return null
  let at = 0
  const operand = (): number => {
    const token = tokens[at++] ?? ''
    if (token === '-') return -expression(2)
    if (token !== '(') return /^\d/.test(token) ? Number(token) : Number.NaN
    const value = expression(1)
    return tokens[at++] === ')' ? value : Number.NaN
  }
  const expression = (lowest: number): number => {
    let value = operand()
    for (;;) {
      const [priority, apply] = operations[tokens[at] ?? ''] ?? [0, () => Number.NaN]
      if (priority < lowest) return value
      at += 1
      value = apply(value, expression(priority + 1))
    }
  }
  const value = expression(1)
  return at === tokens.length && !Number.isNaN(value) ? value : null
}
