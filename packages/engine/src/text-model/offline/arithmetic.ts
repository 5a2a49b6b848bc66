import { Parser } from 'expr-eval-fork'
import { withDigits } from './number-words.js'
import { spokenResult, trustedDigits } from './spoken-result.js'

const maxCharacters = 200

/** Nothing but arithmetic: no names, no assignment, no functions but the one below. */
const parser = new Parser({
  allowMemberAccess: false,
  operators: {
    comparison: false,
    concatenate: false,
    conditional: false,
    logical: false,
    factorial: false,
    assignment: false,
    in: false,
  },
})

const opening =
  /^(?:(?:ok|okay|so|and|hey|please|well|now|then|hi|hello|no|um)\b[,.!]? *)*(?:(?:(?:can|could|would|will) you|do you know|i (?:want|need) to know)\b *)?(?:please )?(?:(?:quickly )?(?:tell me|calculate|compute|work out|figure out|solve|evaluate|give me)\b *)?(?:what(?:'s| is| are| do| does| would)?\b|how much(?: is| are| do| does|'s)?\b|how many (?:is|are)\b)? */
const ending = /(?:[\s,]*(?:\b(?:for me|please|equals?|makes?|come to|be|is|give|get)\b|[?.!=]))*$/

const number = String.raw`-?\d+(?:\.\d+)?`
const list = String.raw`(${number}(?:(?:\s*,\s*(?:and )?|\s+and\s+|\s+)${number})+)`

type Rewrite = readonly [RegExp, string | ((...parts: string[]) => string)]

/** What people say for it, as it is written. Each must leave nothing behind that is not arithmetic. */
const rewrites: readonly Rewrite[] = [
  [new RegExp(String.raw`(${number})\s*(?:%|percent)\s+off\s+(?:of )?(${number})`), '($2 * (1 - $1 / 100))'],
  [
    new RegExp(
      String.raw`(?:a )?(${number})\s*(?:%|percent)\s+(?:tip |tax |discount )?(?:of|on)\s+(${number})`,
    ),
    '($1 / 100 * $2)',
  ],
  [new RegExp(String.raw`\badd(?:ing)? (${number}) (?:and|to|plus) (${number})`), '($1 + $2)'],
  [new RegExp(String.raw`\bsubtract(?:ing)? (${number}) from (${number})`), '($2 - $1)'],
  [new RegExp(String.raw`\bmultipl(?:y|ying) (${number}) (?:by|and|with|times) (${number})`), '($1 * $2)'],
  [new RegExp(String.raw`\bdivid(?:e|ing) (${number}) by (${number})`), '($1 / $2)'],
  [
    new RegExp(String.raw`\b(?:the )?(?:sum|total) of ${list}`),
    (_, values = '') => `(${numbersIn(values).join(' + ')})`,
  ],
  [
    new RegExp(String.raw`\b(?:the )?product of ${list}`),
    (_, values = '') => `(${numbersIn(values).join(' * ')})`,
  ],
  [
    new RegExp(String.raw`\b(?:the )?(?:average|mean) of ${list}`),
    (_, values = '') => `((${numbersIn(values).join(' + ')}) / ${numbersIn(values).length})`,
  ],
  [
    new RegExp(String.raw`\b(?:the )?difference (?:between|of) (${number}) and (${number})`),
    (_, one = '', other = '') =>
      Number(one) > Number(other) ? `(${one} - ${other})` : `(${other} - ${one})`,
  ],
  [new RegExp(String.raw`\b(?:the )?square root of (${number})`), 'sqrt($1)'],
  [new RegExp(String.raw`\b(?:the )?square of (${number})`), '($1 ^ 2)'],
  [new RegExp(String.raw`\b(?:a |1 )?half (?:of )?(${number})`), '($1 / 2)'],
  [new RegExp(String.raw`\b(?:a |1 )third of (${number})`), '($1 / 3)'],
  [new RegExp(String.raw`\b(?:a |1 )(?:quarter|fourth) of (${number})`), '($1 / 4)'],
  [new RegExp(String.raw`\b(?:double|twice) (${number})`), '(2 * $1)'],
  [new RegExp(String.raw`\btriple (${number})`), '(3 * $1)'],
  [new RegExp(`(${number}) squared`), '($1 ^ 2)'],
  [new RegExp(`(${number}) cubed`), '($1 ^ 3)'],
  [/\b(?:to|raised to) the power (?:of )?/, '^ '],
  [/\b(?:multiplied by|times)\b/, '*'],
  [/(?<=\d)\s*[x\u00d7]\s*(?=[\d(])/, ' * '],
  [/\b(?:divided by|over)\b|\u00f7/, '/'],
  [/\bplus\b/, '+'],
  [/\bminus\b|\u2212/, '-'],
]

/** The answer to a sum that somebody asks for; null for everything that is not one from its first word to its last. */
export function calculate(words: string): string | null {
  if (words.length > maxCharacters) return null
  const asked = words
    .toLowerCase()
    .replace(/\u2019/g, "'")
    .trim()
  const plain = inFigures(asked.replace(opening, '').replace(ending, ''))
  const written = rewrites.reduce(rewriteAll, plain).trim()
  if (!/^[\d\s.+\-*/^()]+$/.test(written.replaceAll('sqrt', '')) || !/\d/.test(written)) return null
  // What begins with an operator goes on with something else.
  if (/^[+*/^]/.test(written) || !/\d\)*\s*[-+*^/]|sqrt/.test(written) || looksLikeReference(asked, written))
    return null
  return evaluated(written)
}

/** "Plus four": goes on with the result that was said before. */
export function calculateOn(words: string, lastAnswer: string): string | null {
  const before = /^That is (-?[\d,]+(?:\.\d+)?)\.$/.exec(lastAnswer)?.[1]?.replaceAll(',', '')
  const operation =
    /^\W*(?:(?:and|now|then|ok|okay)\b\s*)*((?:plus|minus|times|multiplied by|divided by|[-+*/x])\s*\S.*)$/i.exec(
      words,
    )?.[1]
  return before === undefined || operation === undefined ? null : calculate(`${before} ${operation}`)
}

function rewriteAll(text: string, [pattern, by]: Rewrite): string {
  let result = text
  // Sums within sums are few; whatever is left after that is not arithmetic.
  for (let round = 0; round < 8 && pattern.test(result); round += 1)
    result = typeof by === 'string' ? result.replace(pattern, by) : result.replace(pattern, by)
  return result
}

function inFigures(text: string): string {
  return withDigits(text)
    .replace(/\bone\b/g, '1')
    .replace(/\ba (?=\d)/g, '')
    .replace(/(\d) point (\d)/g, '$1.$2')
    .replace(/(?<=\d),(?=\d{3}\b)/g, '')
    .replace(/[$\u20ac\u00a3](?=\d)/g, '')
    .replace(/(?<=\d) (?:dollars?|euros?|bucks|cents?|francs?|yen)\b/g, '')
}

/** "555-1234", "24/7", "2026-11-15": numbers that people write, not sums, unless they ask for one. */
function looksLikeReference(asked: string, written: string): boolean {
  return /^\d+(?:[-/.]\d+)+$/.test(written) && !/^(?:what|how|calculate|compute)|[?=]\s*$/.test(asked)
}

function evaluated(written: string): string | null {
  if (/\/\s*0(?:\.0*)?(?![\d.])/.test(written)) return 'Nothing can be divided by zero.'
  try {
    const value: unknown = parser.evaluate(written)
    if (typeof value !== 'number' || Number.isNaN(value)) return null
    const result = spokenResult(value, trustedDigits.sum)
    return result === null ? 'That is too large for me to work out exactly.' : `That is ${result}.`
  } catch {
    return null
  }
}

function numbersIn(text: string): string[] {
  return text.match(new RegExp(number, 'g')) ?? []
}
