import { keyBytes } from './frame-header.js'

/** A payload that lies behind its key, and where it is copied to. */
export interface MaskedCopy {
  readonly source: Buffer
  readonly from: number
  readonly to: number
  readonly target: Memory
  /** As far behind the beginning of a word as `from` is. */
  readonly at: number
}

/** The same memory as bytes and as words. */
export interface Memory {
  readonly bytes: Buffer
  readonly words: Int32Array
}

const key = new Uint8Array(keyBytes)
/** The same four bytes as one word, in the order of this machine. */
const keyWord = new Int32Array(key.buffer)
/** Of each byte the bit that no ASCII has. */
const highBits = 0x80808080 | 0
const minBytes = 16
const space = 0x20
const firstBeyondAscii = 0x80

/** What a payload was last read from, as words: it is mostly the same memory. */
let sourceWords: Int32Array = new Int32Array(0)

/**
 * Copies a payload, and takes its mask off on the way. Returns whether it is ASCII without control characters, which is all the
 * reading that audio needs. A word at a time, since the library's native code is not there for every processor, and its
 * loop goes byte by byte.
 */
export function copyUnmasked(copy: MaskedCopy): boolean {
  const { source, from, to } = copy
  const length = to - from
  // Words begin where memory is aligned; few bytes are not worth it, and may end before that.
  const lead = length < minBytes ? length : -(source.byteOffset + from) & 3
  const wordCount = (length - lead) >> 2
  // The key as it is at the first word.
  for (let place = 0; place < keyBytes; place += 1)
    key[place] = source[from - keyBytes + ((place + lead) & 3)] as number
  const isPlainBefore = copyBytes(copy, 0, lead, lead)
  const isPlain = wordCount === 0 || copyWords(copy, lead, wordCount)
  const isPlainBehind = copyBytes(copy, lead + wordCount * 4, length, lead)
  return isPlainBefore && isPlain && isPlainBehind
}

/** Copies the bytes from the first one on, of which `lead` come before the first word. */
function copyBytes(
  { source, from, target, at }: MaskedCopy,
  first: number,
  end: number,
  lead: number,
): boolean {
  let isPlain = true
  for (let place = first; place < end; place += 1) {
    const byte = (source[from + place] as number) ^ (key[(place - lead) & 3] as number)
    target.bytes[at + place] = byte
    isPlain &&= byte >= space && byte < firstBeyondAscii
  }
  return isPlain
}

function copyWords({ source, from, target, at }: MaskedCopy, lead: number, count: number): boolean {
  const { buffer, byteOffset } = source
  if (sourceWords.buffer !== buffer) sourceWords = new Int32Array(buffer, 0, buffer.byteLength >> 2)
  const [words, copied, word] = [sourceWords, target.words, keyWord[0] as number]
  const end = ((byteOffset + from + lead) >> 2) + count
  const behind = ((at + lead) >> 2) + count - end
  // A byte of ASCII is a space or above where one of the two bits below the highest is set.
  let seen = 0
  let clean = highBits
  let place = end - count
  for (const whole = end - 3; place < whole; place += 4) {
    const one = (words[place] as number) ^ word
    const two = (words[place + 1] as number) ^ word
    const three = (words[place + 2] as number) ^ word
    const four = (words[place + 3] as number) ^ word
    copied[behind + place] = one
    copied[behind + place + 1] = two
    copied[behind + place + 2] = three
    copied[behind + place + 3] = four
    seen |= one | two | three | four
    clean &= upperBits(one) & upperBits(two) & upperBits(three) & upperBits(four)
  }
  for (; place < end; place += 1) {
    const one = (words[place] as number) ^ word
    copied[behind + place] = one
    seen |= one
    clean &= upperBits(one)
  }
  return (seen & highBits) === 0 && clean === highBits
}

/** Has the highest bit of each byte set that has one of the next two set. */
const upperBits = (word: number) => (word << 1) | (word << 2)
