const headerBytes = 4
const textOpcode = 0x81
const binaryOpcode = 0x82
/** Says that the length follows in two bytes. */
const twoByteLength = 126
const maxTwoByteLength = 0xffff

/**
 * The payload together with the four bytes before it in memory, where these are the very header that it needs to be
 * sent on by a server. They are when it was just read from a server's socket: what came in one piece leaves in one
 * piece, with nothing copied. Null where something else stands there.
 */
export function wholeFrame(payload: Buffer, isBinary: boolean): Buffer | null {
  const { length, byteOffset } = payload
  if (length < twoByteLength || length > maxTwoByteLength || byteOffset < headerBytes) return null
  const frame = Buffer.from(payload.buffer, byteOffset - headerBytes, length + headerBytes)
  return frame[0] === (isBinary ? binaryOpcode : textOpcode) &&
    frame[1] === twoByteLength &&
    frame[2] === length >> 8 &&
    frame[3] === (length & 0xff)
    ? frame
    : null
}
