import { type SecretPart, secretPartsOf } from './secret-parts.js'
import { spellingsOf } from './secret-spellings.js'

/** Takes secrets out of a text. */
export interface Concealer {
  (text: string): string
  /** No spelling of a secret is longer: what was cut off a text may have split one of this length. */
  readonly longestLength: number
}

/** From this length on a secret is concealed wherever it stands; a shorter one would be found inside other words. */
const anywhereLength = 6

/** Behind an escape sequence a word begins, although the sequence ends in a letter or digit. */
const wordBegins = String.raw`(?:(?<![\p{L}\p{N}])|(?<=\\[bfnrt]|\\u[\dA-Fa-f]{4}|%[\dA-Fa-f]{2}))`
const wordEnds = String.raw`(?![\p{L}\p{N}])`

/**
 * Conceals values in every spelling in which a server is likely to give them back. Each spelling is looked for by
 * itself: the time is their number times the length of the text, whatever either holds.
 */
export function concealerOf(values: Iterable<string>, mark = '[secret]'): Concealer {
  const secrets = [...values].flatMap(secretPartsOf).filter(isConcealed)
  const spellings = [...new Set(secrets.flatMap(({ text }) => spellingsOf(text)))]
  const anywhere = new Set(spellings.filter((one) => one.length >= anywhereLength).map(lowerCase))
  const words = wordPattern(spellings.filter((one) => one.length < anywhereLength))
  const longestLength = Math.max(0, ...spellings.map((one) => one.length))

  const conceal = (text: string) =>
    cutOut(text, [...placesAnywhere(text, anywhere), ...placesOfWords(text, words)], mark)
  return Object.assign(conceal, { longestLength })
}

/**
 * The beginning of a text without secrets, of about that many characters. What is certain to be cut off is not searched:
 * finding secrets takes as long as they and the text are long, multiplied.
 */
export function concealBeginning(conceal: Concealer, text: string, maxLength: number): string {
  if (text.length <= maxLength) return conceal(text)
  const searched = conceal(text.slice(0, maxLength + conceal.longestLength))
  // Its end may be the beginning of a secret, which is then not recognised.
  return searched.slice(0, Math.min(maxLength, Math.max(0, searched.length - conceal.longestLength)))
}

const isConcealed = ({ text, minLength }: SecretPart) => text.length >= minLength

/** One letter lowers into two: then only those of ASCII are lowered, so that places stay what they are. */
function lowerCase(text: string): string {
  const lower = text.toLowerCase()
  return lower.length === text.length ? lower : text.replaceAll(/[A-Z]+/g, (run) => run.toLowerCase())
}

interface Place {
  readonly start: number
  readonly end: number
}

function placesAnywhere(text: string, spellings: ReadonlySet<string>): Place[] {
  if (spellings.size === 0) return []
  const lower = lowerCase(text)
  const places: Place[] = []
  for (const spelling of spellings) {
    let start = lower.indexOf(spelling)
    while (start !== -1) {
      const end = start + spelling.length
      places.push({ start, end })
      start = lower.indexOf(spelling, end)
    }
  }
  return places
}

function wordPattern(words: readonly string[]): RegExp | null {
  if (words.length === 0) return null
  const literals = words.map((word) => word.replaceAll(/[\\^$.*+?()[\]{}|/]/g, String.raw`\$&`))
  return new RegExp(`${wordBegins}(?:${literals.join('|')})${wordEnds}`, 'gu')
}

function placesOfWords(text: string, pattern: RegExp | null): Place[] {
  if (pattern === null) return []
  return [...text.matchAll(pattern)].map(({ 0: word, index: start }) => ({ start, end: start + word.length }))
}

/** Places that overlap are one: a secret that holds part of another one must not be left with its rest showing. */
function cutOut(text: string, places: readonly Place[], mark: string): string {
  const pieces: string[] = []
  let end = 0
  for (const place of places.toSorted((one, other) => one.start - other.start)) {
    if (place.start >= end) pieces.push(text.slice(end, place.start), mark)
    end = Math.max(end, place.end)
  }
  return pieces.join('') + text.slice(end)
}
