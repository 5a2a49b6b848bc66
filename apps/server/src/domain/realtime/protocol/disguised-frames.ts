import { isUtf8 } from 'node:buffer'

/*
 * Parses a client's message as the most lenient parser would. Any spelling of a guarded event that a provider
 * might accept must be recognized here.
 */

/** Folds the case of a name, including the long s and the Kelvin sign. */
export function foldCase(name: string): string {
  return name.trim().toUpperCase().toLowerCase()
}

const unprintable = /[^\x20-\x7e]/
const eachUnprintable = /[^\x20-\x7e]/g

/** Returns whether the name contains no characters that some parsers drop and others preserve. */
export const isPrintable = (name: string) => !unprintable.test(name)

/**
 * Returns the possible interpretations of a name: without control characters, lone surrogates and non-ASCII
 * letters, and also only the part before such a character, because some parsers end a string there.
 */
export function readingsOf(name: string): string[] {
  if (isPrintable(name)) return [foldCase(name)]
  const letters = name.normalize('NFKC')
  const printable = letters.replace(eachUnprintable, '')
  return [printable, letters.trimStart().split(unprintable, 1).join('')].map(foldCase)
}

/** The item types that only the model may create. */
const callTypes: ReadonlySet<string> = new Set(['function_call', 'mcp_call', 'custom_tool_call'])
const outputTypes: ReadonlySet<string> = new Set(['function_call_output', 'custom_tool_call_output'])

/** The calls and outputs that an event would add to the conversation. */
interface CallItems {
  readonly hasCall: boolean
  /** The call ids of the outputs, as sent by the client. Valid ids are strings. */
  readonly answered: readonly unknown[]
}

/**
 * Finds calls and outputs anywhere in an event, for example as its item or in the `input` of a response.
 * Avoids recursion, because a frame may be nested deeper than the stack allows.
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

/** Returns a field by its name, ignoring case. */
function fieldOf(value: object, name: string): unknown {
  return Object.entries(value).find(([key]) => foldCase(key) === name)?.[1]
}

/** Returns a string, or the strings of a list, because some parsers unwrap a list with one element. */
function textsIn(value: unknown): string[] {
  return [value].flat().filter((one) => typeof one === 'string')
}

/** The keys that the checks use. Other keys may differ only in case, such as `URL` and `url`. */
const judgedKeys: ReadonlySet<string> = new Set(['type', 'item', 'call_id', 'callid', 'event_id'])

/** Returns the problem with the keys of a valid JSON text, or null if every parser finds the same fields. */
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
 * Returns the problem with a key, or null if there is none. The service must read the same fields as the
 * provider, but parsers differ: they choose different values for duplicate keys, and some ignore case or drop
 * characters that they do not understand.
 */
function noteKey(keys: Set<string>, key: string): string | null {
  const folded = foldCase(key)
  const isJudged = judgedKeys.has(folded)
  if (!isJudged && readingsOf(key).some((reading) => judgedKeys.has(reading)))
    return 'The message has a field that could be mistaken for another.'
  const name = isJudged ? folded : key
  if (keys.has(name)) return 'The message has a duplicate field.'
  keys.add(name)
  return null
}

/** Returns the index after the closing quote of the string that starts at `start`. */
function stringEnd(json: string, start: number): number {
  let at = start + 1
  while (json[at] !== '"') at += json[at] === '\\' ? 2 : 1
  return at + 1
}

/**
 * Returns whether the string is a key, which is followed by a colon. A value is followed by a comma or the
 * end of the object.
 */
function isKey(json: string, end: number): boolean {
  let at = end
  while (json[at] === ' ' || json[at] === '\n' || json[at] === '\r' || json[at] === '\t') at += 1
  return json[at] === ':'
}

/*
 * Decodes a client's binary frame as the most lenient parser would. Any text that a provider might read from
 * the bytes must be found here.
 */

/**
 * Decodes a binary frame in any encoding. ASCII text in UTF-16 or UTF-32 differs from UTF-8 only by zero
 * bytes and a byte order mark.
 */
export function textInside(data: Buffer): string {
  const plain = data.includes(0) ? keepBytes(data, (byte) => byte !== 0) : data
  return plain.toString('utf8').replace(/^[\s\uFEFF\uFFFD]+/, '')
}

/**
 * UTF-16 and UTF-32 in both byte orders: the number of bytes per character, and the index of the ASCII byte.
 */
const wideEncodings = [
  [2, 0],
  [2, 1],
  [4, 0],
  [4, 3],
] as const

/**
 * Returns whether the bytes have only one interpretation as text: valid UTF-8 without zero bytes, or ASCII in
 * a wider encoding.
 */
export function isUnambiguous(data: Buffer): boolean {
  if (!data.includes(0)) return isUtf8(data)
  return wideEncodings.some(([width, place]) =>
    data.every((byte, at) => (at % width === place ? byte > 0 && byte < 0x80 : byte === 0)),
  )
}

/** Names that occur in every guarded message. */
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
 * Returns whether bytes that are not JSON contain a guarded name in a form that a lenient parser might
 * accept. Examples are comments, trailing commas, other quotes, text before or after the JSON, dropped bytes,
 * overlong UTF-8 and wider encodings.
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

/** Returns a printable ASCII text in lower case with its escapes resolved. */
function unescaped(text: string): string {
  const folded = text.toLowerCase()
  if (!folded.includes('\\')) return folded
  const resolved = folded.replace(escapes, (_, unicode?: string, byte?: string) => {
    const digits = unicode ?? byte
    return digits === undefined ? '' : String.fromCharCode(Number.parseInt(digits, 16))
  })
  return resolved.replace(eachUnprintable, '').toLowerCase()
}

/**
 * Decodes bytes and keeps only printable ASCII. Uses loops for speed, because binary audio is checked as
 * well.
 */
type Reading = (data: Buffer) => Buffer

const isPrintableByte = (byte: number) => byte >= 0x20 && byte <= 0x7e

const plainBytes: Reading = (data) => keepBytes(data, isPrintableByte)

/**
 * Decodes UTF-16 in both byte orders. This also covers UTF-32, whose other bytes are zero. A character is
 * ASCII if its other byte is zero.
 */
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

/** Decodes UTF-8 without checking the continuation bytes, as lenient parsers do. */
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

/** The buffers' `filter` method would take fifteen times as long. */
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
