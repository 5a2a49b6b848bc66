import { keyBytes } from './frame-header.js'

const key = new Uint8Array(keyBytes)
/** The same four bytes as one word, in the order of this machine. */
const keyWord = new Int32Array(key.buffer)
const highBits = 0x80808080 | 0
const minBytes = 16

/**
 * Takes the mask off a payload that stands behind its key, in place, and leaves a key of zeros: the frame is then as
 * valid as it was. Returns whether the payload is known to be ASCII. A word at a time, since the library's native code is
 * not there for every processor, and its loop goes byte by byte.
 */
export function unmask(bytes: Buffer, from: number, to: number): boolean {
  const start = bytes.byteOffset + from
  // Words begin where memory is aligned; few bytes are not worth it, and may end before that.
  const lead = to - from < minBytes ? to - from : -start & 3
  const wordCount = (to - from - lead) >> 2
  const tail = from + lead + wordCount * 4
  for (let place = 0; place < keyBytes; place += 1)
    key[place] = bytes[from - keyBytes + ((place + lead) & 3)] as number
  const word = keyWord[0] as number
  if (word === 0) return false
  let seen = unmaskBytes(bytes, from, from + lead, -lead & 3)
  if (wordCount > 0) seen |= unmaskWords(new Int32Array(bytes.buffer, start + lead, wordCount), word)
  seen |= unmaskBytes(bytes, tail, to, 0)
  for (let at = from - keyBytes; at < from; at += 1) bytes[at] = 0
  return (seen & highBits) === 0
}

/** Returns the bits that were set in any word. */
function unmaskWords(words: Int32Array, word: number): number {
  const whole = words.length & ~3
  let seen = 0
  let at = 0
  for (; at < whole; at += 4) {
    const one = (words[at] as number) ^ word
    const two = (words[at + 1] as number) ^ word
    const three = (words[at + 2] as number) ^ word
    const four = (words[at + 3] as number) ^ word
    words[at] = one
    words[at + 1] = two
    words[at + 2] = three
    words[at + 3] = four
    seen |= one | two | three | four
  }
  for (; at < words.length; at += 1) {
    const one = (words[at] as number) ^ word
    words[at] = one
    seen |= one
  }
  return seen
}

function unmaskBytes(bytes: Buffer, from: number, to: number, place: number): number {
  let seen = 0
  for (let at = from; at < to; at += 1) {
    const byte = (bytes[at] as number) ^ (key[(at - from + place) & 3] as number)
    bytes[at] = byte
    seen |= byte
  }
  return seen
}
