/*
 * The header of a frame (RFC 6455, 5.2):
 *
 *   FIN, three reserved bits, opcode │ MASK, length │ two or eight bytes of length │ four bytes of key
 */
export const textFrame = 0x81
export const binaryFrame = 0x82
const firstOfText = 0x01
const firstOfBinary = 0x02
const continuation = 0x00
const lastContinuation = 0x80
const ping = 0x89
const pong = 0x8a

export const maskBit = 0x80
/** Says that the length follows in two bytes; the value above it, that it follows in eight. */
export const twoByteLength = 126
export const keyBytes = 4

/** What a frame is to whoever tells frames apart; `other` is one that only the library knows what to do with. */
export type FrameKind = 'message' | 'first' | 'middle' | 'last' | 'control' | 'other'

/** Judges the first two bytes of a frame, behind the first pieces of a message or not. */
export function kindOf(firstByte: number, secondByte: number, isInMessage: boolean): FrameKind {
  switch (firstByte) {
    case textFrame:
    case binaryFrame:
      return isInMessage ? 'other' : 'message'
    case firstOfText:
    case firstOfBinary:
      return isInMessage ? 'other' : 'first'
    case continuation:
      return isInMessage ? 'middle' : 'other'
    case lastContinuation:
      return isInMessage ? 'last' : 'other'
    case ping:
    case pong:
      return lengthIn(secondByte) < twoByteLength ? 'control' : 'other'
    default:
      return 'other'
  }
}

export const isMasked = (secondByte: number) => (secondByte & maskBit) !== 0

/** A length of up to 125 bytes, or where the length is. */
export const lengthIn = (secondByte: number) => secondByte & ~maskBit

/** How many bytes there are before the key, or before the payload where there is none. */
export function bytesBeforeKey(secondByte: number): number {
  const length = lengthIn(secondByte)
  if (length < twoByteLength) return 2
  return length === twoByteLength ? 4 : 10
}

/** How long the payload of the frame at `at` is; what stands before its key is there. */
export function payloadBytesOf(bytes: Buffer, at: number): number {
  const length = lengthIn(bytes[at + 1] as number)
  if (length < twoByteLength) return length
  // Not by `readUInt16BE`, which checks at length what we know.
  if (length === twoByteLength) return ((bytes[at + 2] as number) << 8) | (bytes[at + 3] as number)
  return Number(bytes.readBigUInt64BE(at + 2))
}
