import { type SecretPart, secretPartsOf } from './secret-parts.js'

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

/** Conceals values in every spelling in which a server is likely to give them back. */
export function concealerOf(values: Iterable<string>): Concealer {
  const secrets = [...values].flatMap(secretPartsOf).filter(isConcealed)
  // The longest first: a secret that holds another one must not be left with its rest showing.
  const spellings = [...new Set(secrets.flatMap(({ text }) => spellingsOf(text)))].sort(
    (one, other) => other.length - one.length,
  )
  const longestLength = spellings[0]?.length ?? 0
  if (longestLength === 0) return Object.assign((text: string) => text, { longestLength })
  const pattern = new RegExp(spellings.map(patternOf).join('|'), 'gu')
  return Object.assign((text: string) => text.replaceAll(pattern, '[secret]'), { longestLength })
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

function spellingsOf(secret: string): string[] {
  const inJson = JSON.stringify(secret).slice(1, -1)
  return [secret, inJson, inJson.replaceAll('/', '\\/'), encodeURIComponent(secret.toWellFormed())]
}

function patternOf(spelling: string): string {
  const literal = spelling.replaceAll(/[\\^$.*+?()[\]{}|/]/g, String.raw`\$&`)
  return spelling.length >= anywhereLength ? literal : `${wordBegins}${literal}${wordEnds}`
}
