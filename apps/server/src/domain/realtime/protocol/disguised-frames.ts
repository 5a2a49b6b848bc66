import { isUtf8 } from 'node:buffer'

/*
 * Reads a client's message as the most lenient parser would. A message that a provider could read as guarded must be
 * recognized here in every spelling.
 */

/** Folds the case of a name, including the long s and the Kelvin sign. */
export function foldCase(name: string): string {
  return name.trim().toUpperCase().toLowerCase()
}

const unprintable = /[^\x20-\x7e]/
const eachUnprintable = /[^\x20-\x7e]/g

/** Whether a name is made of nothing that one reader drops and another keeps. */
export const isPrintable = (name: string) => !unprintable.test(name)

/**
 * Returns the readings of a name: without control characters, lone surrogates and foreign letters, and, for parsers that
 * end a string at such a character, the part before it.
 */
export function readingsOf(name: string): string[] {
  if (isPrintable(name)) return [foldCase(name)]
  const letters = name.normalize('NFKC')
  const printable = letters.replace(eachUnprintable, '')
  return [printable, letters.trimStart().split(unprintable, 1).join('')].map(foldCase)
}

/** Items that only the model makes: calls. */
const callTypes: ReadonlySet<string> = new Set(['function_call', 'mcp_call', 'custom_tool_call'])
const outputTypes: ReadonlySet<string> = new Set(['function_call_output', 'custom_tool_call_output'])

/** The calls and outputs that an event would add to the conversation. */
interface CallItems {
  readonly hasCall: boolean
  /** For which calls there are outputs, as the client wrote it: text, if it is right. */
  readonly answered: readonly unknown[]
}

/**
 * Finds calls and outputs in an event: as its item, in the `input` of a response, or anywhere else. Without recursion,
 * since a frame can nest deeper than the stack.
 */
export function findCallItems(event: object): CallItems {
  let hasCall = false
  const answered: unknown[] = []
  const open: object[] = [event]
  for (let value = open.pop(); value !== undefined; value = open.pop()) {
    for (const inner of Object.values(value))
      if (typeof inner === 'object' && inner !== null) open.push(inner)
    if (Array.isArray(value)) continue
    const types = textsIn(fieldOf(value, 'type')).flatMap(readingsOf)
    if (types.some((type) => outputTypes.has(type))) answered.push(fieldOf(value, 'call_id'))
    else if (types.some((type) => callTypes.has(type))) hasCall = true
  }
  return { hasCall, answered }
}

/** A field, letter case aside. */
function fieldOf(value: object, name: string): unknown {
  return Object.entries(value).find(([key]) => foldCase(key) === name)?.[1]
}

/** A text, or those in a list: some readers take a list of one for what is in it. */
function textsIn(value: unknown): string[] {
  return [value].flat().filter((one) => typeof one === 'string')
}

/** The keys by which a frame is judged. Of others `URL` and `url` may stand side by side. */
const judgedKeys: ReadonlySet<string> = new Set(['type', 'item', 'call_id', 'callid', 'event_id'])

/** Returns the problem with the keys of a valid JSON text; null if every parser finds the same fields. */
export function findDoubtfulKey(json: string): string | null {
  const scopes: (Set<string> | null)[] = []
  let at = 0
  while (at < json.length) {
    const character = json[at]
    if (character === '{') scopes.push(new Set())
    else if (character === '[') scopes.push(null)
    else if (character === '}' || character === ']') scopes.pop()
    else if (character === '"') {
      const end = stringEnd(json, at)
      const keys = scopes.at(-1)
      if (keys && isKey(json, end)) {
        const problem = noteKey(keys, JSON.parse(json.slice(at, end)))
        if (problem !== null) return problem
      }
      at = end
      continue
    }
    at += 1
  }
  return null
}

/**
 * Parsers differ in which of two equal keys they believe, some take `Type` for `type`, and some drop what they do not
 * understand: what we read must be what the provider reads.
 */
function noteKey(keys: Set<string>, key: string): string | null {
  const folded = foldCase(key)
  const isJudged = judgedKeys.has(folded)
  if (!isJudged && readingsOf(key).some((reading) => judgedKeys.has(reading)))
    return 'The message has a field that could be taken for another.'
  const name = isJudged ? folded : key
  if (keys.has(name)) return 'The message names a field twice.'
  keys.add(name)
  return null
}

/** The index behind the closing quote of the string that begins at `start`. */
function stringEnd(json: string, start: number): number {
  let at = start + 1
  while (json[at] !== '"') at += json[at] === '\\' ? 2 : 1
  return at + 1
}

/** In an object, what a colon follows is a key; a string value is followed by a comma or the end. */
function isKey(json: string, end: number): boolean {
  let at = end
  while (json[at] === ' ' || json[at] === '\n' || json[at] === '\r' || json[at] === '\t') at += 1
  return json[at] === ':'
}

/*
 * Decodes a client's binary frame as the most lenient parser would. All that a provider could read from its bytes must be
 * found here.
 */

/**
 * A binary frame as text, in any encoding that it may be in: UTF-8, UTF-16 and UTF-32 of plain characters differ by zero
 * bytes and a byte order mark alone.
 */
export function textInside(data: Buffer): string {
  const plain = data.includes(0) ? keepBytes(data, (byte) => byte !== 0) : data
  return plain.toString('utf8').replace(/^[\s\uFEFF\uFFFD]+/, '')
}

/** UTF-16 and UTF-32, in either order: how many bytes a character takes, and which of them an ASCII one fills. */
const wideEncodings = [
  [2, 0],
  [2, 1],
  [4, 0],
  [4, 3],
] as const

/** Whether the bytes are text in one way alone: valid UTF-8 without zero bytes, or ASCII in a wider encoding. */
export function isUnambiguous(data: Buffer): boolean {
  if (!data.includes(0)) return isUtf8(data)
  return wideEncodings.some(([width, place]) =>
    data.every((byte, at) => (at % width === place ? byte > 0 && byte < 0x80 : byte === 0)),
  )
}

/** Names that occur in every message that clients may not send freely. */
const guardedNames = [
  'session.update',
  'function_call',
  'mcp_call',
  'custom_tool_call',
  'approval.approve',
  'approval.reject',
]

const escapes = /\\(?:u([0-9a-f]{4})|x([0-9a-f]{2})|)/g

/**
 * Whether bytes that are no JSON name something guarded, in spellings that only a lenient reader knows: comments,
 * trailing commas, other quotes, something before or behind it, bytes that are dropped, characters in more bytes than
 * they need, wider encodings.
 */
export function namesGuarded(data: Buffer): boolean {
  const readings = data.includes(0)
    ? [plainBytes, uncheckedBytes, wideBytes(0), wideBytes(1)]
    : [plainBytes, uncheckedBytes]
  return readings.some((read) => {
    const text = unescaped(read(data).toString('latin1'))
    return guardedNames.some((name) => text.includes(name))
  })
}

/** A text of printable ASCII with its escapes resolved, in lower case. */
function unescaped(text: string): string {
  const folded = text.toLowerCase()
  if (!folded.includes('\\')) return folded
  const resolved = folded.replace(escapes, (_, unicode?: string, byte?: string) => {
    const digits = unicode ?? byte
    return digits === undefined ? '' : String.fromCharCode(Number.parseInt(digits, 16))
  })
  return resolved.replace(eachUnprintable, '').toLowerCase()
}

/** Reads bytes as text, and leaves of it what is printable ASCII. Loops, for binary audio comes by here as well. */
type Reading = (data: Buffer) => Buffer

const isPrintableByte = (byte: number) => byte >= 0x20 && byte <= 0x7e

const plainBytes: Reading = (data) => keepBytes(data, isPrintableByte)

/** UTF-16 in either order, and UTF-32, whose other half is zeros: a character is ASCII where its second byte is zero. */
const wideBytes =
  (place: 0 | 1): Reading =>
  (data) => {
    const found = Buffer.alloc(data.length)
    let length = 0
    for (let at = 0; at + 1 < data.length; at += 2) {
      const byte = data.readUInt8(at + place)
      if (data[at + 1 - place] !== 0 || !isPrintableByte(byte)) continue
      found[length] = byte
      length += 1
    }
    return found.subarray(0, length)
  }

/** A decoder that believes the first byte of a character and checks none of the rest. */
const uncheckedBytes: Reading = (data) => {
  const found = Buffer.alloc(data.length)
  let length = 0
  let point = 0
  let bytesMissing = 0
  for (const byte of data) {
    if (bytesMissing > 0) {
      point = (point << 6) | (byte & 0x3f)
      bytesMissing -= 1
    } else {
      bytesMissing = bytesAfter(byte)
      point = bytesMissing === 0 ? byte : byte & (0x3f >> bytesMissing)
    }
    if (bytesMissing > 0 || !isPrintableByte(point)) continue
    found[length] = point
    length += 1
  }
  return found.subarray(0, length)
}

function bytesAfter(firstByte: number): number {
  if (firstByte < 0xc0) return 0
  if (firstByte < 0xe0) return 1
  return firstByte < 0xf0 ? 2 : 3
}

/** The library's own filter takes fifteen times as long. */
function keepBytes(data: Buffer, isKept: (byte: number) => boolean): Buffer {
  const filtered = Buffer.alloc(data.length)
  let length = 0
  for (const byte of data) {
    if (!isKept(byte)) continue
    filtered[length] = byte
    length += 1
  }
  return filtered.subarray(0, length)
}
