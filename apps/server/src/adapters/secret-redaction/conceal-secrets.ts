import { setImmediate as nextPass } from 'node:timers/promises'
import { secretPartsOf } from './secret-parts.js'

/** Replaces secrets in a text by a mark. */
export interface Concealer {
  (text: string): string
  /**
   * The length of the longest spelling of a secret. A cut through a text may split a spelling of this length.
   */
  readonly longestLength: number
}

/**
 * A secret of this length is concealed anywhere. A shorter one is only concealed as a separate word, because
 * other words may contain it.
 */
const anywhereLength = 6
/**
 * Longer spellings are searched for in pieces of one of these lengths, so that only a few lengths need to be
 * compared.
 */
const pieceLengths = [24, 64] as const
/**
 * Encodings of shorter secrets would also match unrelated data, including data inside the Base64 of a longer
 * text.
 */
const encodedLength = 4
const alignedLength = 6
/** Secrets beyond this many characters are concealed as they are. Most servers accept no more in headers. */
const maxSpelledCharacters = 16 * 1024
const sliceMilliseconds = 4
const defaultMark = '[secret]'

/** A word also starts after an escape sequence, although the sequence ends in a letter or digit. */
const wordBegins = String.raw`(?:(?<![\p{L}\p{N}])|(?<=\\[bfnrt]|\\u[\dA-Fa-f]{4}|%[\dA-Fa-f]{2}))`
const wordEnds = String.raw`(?![\p{L}\p{N}])`

/**
 * Returns a concealer for header values and their parts: as they are, in JSON, in URLs, in hex and in Base64.
 */
export function concealerOf(values: Iterable<string>, mark = defaultMark): Concealer {
  const building = buildConcealer(values, mark)
  for (;;) {
    const step = building.next()
    if (step.done) return step.value
  }
}

/** Like `concealerOf`, but accepts any number of values and yields to the event loop. */
export async function concealerInSlices(values: readonly string[]): Promise<Concealer> {
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

/** Conceals the first `maxLength` characters of a text, without searching all of a long text. */
export function concealBeginning(conceal: Concealer, text: string, maxLength: number): string {
  if (text.length <= maxLength) return conceal(text)
  const searched = conceal(text.slice(0, maxLength + conceal.longestLength))
  // The end is dropped, because it may be the start of a secret that the cut made unrecognizable.
  return searched.slice(0, Math.min(maxLength, Math.max(0, searched.length - conceal.longestLength)))
}

/** Yields between short steps. */
function* buildConcealer(values: Iterable<string>, mark: string): Generator<void, Concealer> {
  const secrets: string[] = []
  for (const value of values) {
    secrets.push(...secretPartsOf(value))
    yield
  }
  const words = new Set<string>()
  const index: PieceIndex = new Map()
  let longestLength = 0
  let characters = 0
  for (const secret of secrets.sort((one, other) => one.length - other.length)) {
    characters += secret.length
    for (const spelling of characters <= maxSpelledCharacters ? spellingsOf(secret) : [secret]) {
      longestLength = Math.max(longestLength, spelling.length)
      if (spelling.length < anywhereLength) words.add(spelling)
      else addPieces(index, lowerCase(spelling))
    }
    yield
  }
  const pattern = wordPattern([...words])
  const conceal = (text: string) =>
    cutOut(text, [...placesOfPieces(text, index), ...placesOfWords(text, pattern)], mark)
  return Object.assign(conceal, { longestLength })
}

function spellingsOf(secret: string): string[] {
  const inUrl = encodeURIComponent(secret.toWellFormed())
  const plain = [secret, JSON.stringify(secret).slice(1, -1), inUrl, inUrl.replaceAll('%20', '+')]
  if (secret.length < encodedLength) return plain
  const bytes = Buffer.from(secret.toWellFormed())
  const offsets = bytes.length < alignedLength ? [] : [0, 1, 2]
  const inBase64 = [bytes.toString('base64'), ...offsets.map((offset) => insideBase64(bytes, offset))]
  const urlSafe = inBase64.map((text) => text.replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, ''))
  return [...plain, bytes.toString('hex'), ...inBase64, inBase64[0]?.replace(/=+$/, '') ?? '', ...urlSafe]
}

/**
 * Returns the characters that encode only these bytes, if `offset` bytes of a group of three precede them.
 */
function insideBase64(bytes: Buffer, offset: number): string {
  const text = Buffer.concat([Buffer.alloc(offset), bytes]).toString('base64')
  return text.slice(Math.ceil((offset * 8) / 6), Math.floor(((offset + bytes.length) * 8) / 6))
}

/**
 * Converts only ASCII letters to lower case if another letter would become two, so that positions stay the
 * same.
 */
function lowerCase(text: string): string {
  const lower = text.toLowerCase()
  return lower.length === text.length ? lower : text.replaceAll(/[A-Z]+/g, (run) => run.toLowerCase())
}

/**
 * Pieces by their first characters. The number of lengths per entry is small, which limits the time of a
 * search regardless of the number of secrets.
 */
type PieceIndex = Map<string, { lengths: number[]; readonly pieces: Set<string> }>

function addPieces(index: PieceIndex, spelling: string): void {
  const pieceLength = pieceLengths.findLast((each) => each <= spelling.length) ?? spelling.length
  for (let start = 0; start < spelling.length; start += pieceLength) {
    // The last piece overlaps the previous one, so that it has the full length.
    const from = Math.min(start, spelling.length - pieceLength)
    const piece = spelling.slice(from, from + pieceLength)
    const beginning = piece.slice(0, anywhereLength)
    const entry = index.get(beginning) ?? { lengths: [], pieces: new Set() }
    index.set(beginning, entry)
    entry.pieces.add(piece)
    if (entry.lengths.includes(pieceLength)) continue
    entry.lengths.push(pieceLength)
    entry.lengths.sort((one, other) => other - one)
  }
}

interface Place {
  readonly start: number
  readonly end: number
}

function placesOfPieces(text: string, index: PieceIndex): Place[] {
  if (index.size === 0) return []
  const lower = lowerCase(text)
  const places: Place[] = []
  for (let start = 0; start + anywhereLength <= lower.length; start += 1) {
    const entry = index.get(lower.slice(start, start + anywhereLength))
    const length = entry?.lengths.find((each) => entry.pieces.has(lower.slice(start, start + each)))
    if (length !== undefined) places.push({ start, end: start + length })
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

/** Adjacent or overlapping matches get one mark. */
function cutOut(text: string, places: readonly Place[], mark: string): string {
  const pieces: string[] = []
  let end = -1
  for (const place of places.toSorted((one, other) => one.start - other.start)) {
    if (place.start > end) pieces.push(text.slice(Math.max(end, 0), place.start), mark)
    end = Math.max(end, place.end)
  }
  return pieces.join('') + text.slice(Math.max(end, 0))
}
