import { setImmediate as nextPass } from 'node:timers/promises'
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

/** What is longer is searched for in pieces of this length: a single one would be too much of a secret to show. */
const pieceLength = 64

/** Behind an escape sequence a word begins, although the sequence ends in a letter or digit. */
const wordBegins = String.raw`(?:(?<![\p{L}\p{N}])|(?<=\\[bfnrt]|\\u[\dA-Fa-f]{4}|%[\dA-Fa-f]{2}))`
const wordEnds = String.raw`(?![\p{L}\p{N}])`

const defaultMark = '[secret]'

/** So much of all secrets is searched for in other spellings: most servers take no more in headers. */
const maxSpelledCharacters = 16 * 1024

/**
 * Conceals values in every spelling in which a server is likely to give them back. The time is the length of the text,
 * whatever it holds, times the logarithm of the number of spellings: a tool may have thousands of them.
 */
export function concealerOf(values: Iterable<string>, mark = defaultMark): Concealer {
  const building = buildConcealer(values, mark)
  for (;;) {
    const step = building.next()
    if (step.done) return step.value
  }
}

/** Values that are longer together take milliseconds to make a concealer of. */
const longCharacters = 8 * 1024
const sliceMilliseconds = 4
/** Long ones are made one after the other: several at once would fill every pass of the event loop. */
let lastLong: Promise<unknown> = Promise.resolve()

/** The same as `concealerOf`, for any number of values of a stranger: in between everybody else is served. */
export function concealerInSlices(values: readonly string[]): Promise<Concealer> {
  if (values.reduce((sum, { length }) => sum + length, 0) < longCharacters)
    return Promise.resolve(concealerOf(values))
  const made = lastLong.then(() => buildInSlices(values))
  lastLong = made.catch(() => undefined)
  return made
}

async function buildInSlices(values: readonly string[]): Promise<Concealer> {
  const building = buildConcealer(values, defaultMark)
  for (;;) {
    const until = performance.now() + sliceMilliseconds
    while (performance.now() < until) {
      const step = building.next()
      if (step.done) return step.value
    }
    await nextPass()
  }
}

/** Yields between steps, each of which is short. */
function* buildConcealer(values: Iterable<string>, mark: string): Generator<void, Concealer> {
  const secrets: string[] = []
  for (const value of values) {
    for (const part of secretPartsOf(value)) if (isConcealed(part)) secrets.push(part.text)
    yield
  }
  const spellings = new Set<string>()
  for (const spelled of spellAll(secrets)) {
    for (const spelling of spelled) spellings.add(spelling)
    yield
  }
  const anywhere: Map<string, Bucket> = new Map()
  const words: string[] = []
  const pieces = new Set<string>()
  let longestLength = 0
  for (const spelling of spellings) {
    longestLength = Math.max(longestLength, spelling.length)
    if (spelling.length < anywhereLength) words.push(spelling)
    else for (const piece of piecesOf(lowerCase(spelling))) addPiece(anywhere, pieces, piece)
    yield
  }
  const pattern = wordPattern(words)
  const conceal = (text: string) =>
    cutOut(text, [...placesAnywhere(text, anywhere), ...placesOfWords(text, pattern)], mark)
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

/** Every spelling of each secret, the short ones first; of what is beyond the bound none but its own. */
function* spellAll(secrets: readonly string[]): Generator<readonly string[]> {
  let characters = 0
  for (const secret of secrets.toSorted((one, other) => one.length - other.length)) {
    characters += secret.length
    yield characters <= maxSpelledCharacters ? spellingsOf(secret) : [secret]
  }
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

/** Pieces that begin alike, in order; each knows the longest other one that it begins with. */
interface Bucket {
  pieces: string[]
  /** Made when the beginning is first seen in a text, which for most it never is. */
  prefixes: number[] | null
}

type SpellingIndex = ReadonlyMap<string, Bucket>

function addPiece(index: Map<string, Bucket>, known: Set<string>, piece: string): void {
  if (known.has(piece)) return
  known.add(piece)
  const beginning = piece.slice(0, anywhereLength)
  const bucket = index.get(beginning)
  if (bucket === undefined) index.set(beginning, { pieces: [piece], prefixes: null })
  else bucket.pieces.push(piece)
}

function piecesOf(spelling: string): string[] {
  if (spelling.length <= pieceLength) return [spelling]
  const pieces: string[] = []
  for (let start = 0; start + pieceLength < spelling.length; start += pieceLength)
    pieces.push(spelling.slice(start, start + pieceLength))
  return [...pieces, spelling.slice(-pieceLength)]
}

function placesAnywhere(text: string, index: SpellingIndex): Place[] {
  if (index.size === 0) return []
  const lower = lowerCase(text)
  const places: Place[] = []
  for (let start = 0; start + anywhereLength <= lower.length; start += 1) {
    const bucket = index.get(lower.slice(start, start + anywhereLength))
    const length = bucket === undefined ? 0 : lengthFound(bucket, lower.slice(start, start + pieceLength))
    if (length > 0) places.push({ start, end: start + length })
  }
  return places
}

/** The length of the longest piece that the text begins with, 0 where there is none. */
function lengthFound(bucket: Bucket, text: string): number {
  bucket.prefixes ??= order(bucket)
  const { pieces, prefixes } = bucket
  let [low, high] = [0, pieces.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if ((pieces[middle] ?? '') <= text) low = middle + 1
    else high = middle
  }
  // What stands between a prefix of the text and the text, in order, begins with that prefix too.
  for (let at = low - 1; at >= 0; at = prefixes[at] ?? -1) {
    const piece = pieces[at] ?? ''
    if (text.startsWith(piece)) return piece.length
  }
  return 0
}

/** Puts the pieces in order and finds for each the longest other one that it begins with, -1 for none. */
function order(bucket: Bucket): number[] {
  bucket.pieces.sort((one, other) => (one < other ? -1 : 1))
  const open: number[] = []
  return bucket.pieces.map((piece, index) => {
    while (open.length > 0 && !piece.startsWith(bucket.pieces[open.at(-1) ?? 0] ?? '')) open.pop()
    const prefix = open.at(-1) ?? -1
    open.push(index)
    return prefix
  })
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

/** Places that touch are one: the pieces of a secret do, and of two that overlap neither must show its rest. */
function cutOut(text: string, places: readonly Place[], mark: string): string {
  const pieces: string[] = []
  let end = -1
  for (const place of places.toSorted((one, other) => one.start - other.start)) {
    if (place.start > end) pieces.push(text.slice(Math.max(end, 0), place.start), mark)
    end = Math.max(end, place.end)
  }
  return pieces.join('') + text.slice(Math.max(end, 0))
}
