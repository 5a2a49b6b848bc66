import { isUtf8 } from 'node:buffer'

/*
 * How the most lenient reader would decode a client's binary frame: whatever a provider might read out of its bytes must
 * be found in them here.
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

/** What clients may not send as they please, by the names that every such message holds. */
const guardedNames = [
  'session.update',
  'function_call',
  'mcp_call',
  'custom_tool_call',
  'approval.approve',
  'approval.reject',
]

const unprintable = /[^\x20-\x7e]/g
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
  return resolved.replace(unprintable, '').toLowerCase()
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
  const kept = Buffer.alloc(data.length)
  let length = 0
  for (const byte of data) {
    if (!isKept(byte)) continue
    kept[length] = byte
    length += 1
  }
  return kept.subarray(0, length)
}
