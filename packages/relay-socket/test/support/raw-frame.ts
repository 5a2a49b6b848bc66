/** A frame as separate header fields, valid or invalid. */
export interface RawFrame {
  readonly opcode: number
  readonly payload?: Buffer | string
  readonly isLast?: boolean
  /** The three reserved bits, as a number. */
  readonly reserved?: number
  /** The size of the length field in bytes, for lengths with unnecessary bytes. */
  readonly lengthBytes?: 0 | 2 | 8
  /** A length that differs from the payload's. */
  readonly claimedBytes?: number
}

export const opcodes = { continuation: 0, text: 1, binary: 2, close: 8, ping: 9, pong: 10 } as const

/** Returns the bytes of a frame, masked if there is a key. */
export function frameBytes(frame: RawFrame, key: Buffer | null): Buffer {
  const { opcode, isLast = true, reserved = 0 } = frame
  const payload = Buffer.from(frame.payload ?? '')
  const length = frame.claimedBytes ?? payload.length
  const head = Buffer.alloc(14)
  head[0] = (isLast ? 0x80 : 0) | (reserved << 4) | opcode
  const lengthBytes = frame.lengthBytes ?? leastLengthBytes(length)
  head[1] = (key === null ? 0 : 0x80) | (lengthBytes === 0 ? length : lengthBytes === 2 ? 126 : 127)
  if (lengthBytes === 2) head.writeUInt16BE(length, 2)
  if (lengthBytes === 8) head.writeBigUInt64BE(BigInt(length), 2)
  const parts = [head.subarray(0, 2 + lengthBytes)]
  if (key === null) return Buffer.concat([...parts, payload])
  return Buffer.concat([...parts, key, payload.map((byte, at) => byte ^ (key[at % 4] ?? 0))])
}

function leastLengthBytes(length: number): 0 | 2 | 8 {
  if (length < 126) return 0
  return length < 65_536 ? 2 : 8
}

export interface ReadFrame {
  readonly opcode: number
  readonly payload: Buffer
}

/** Parses all complete frames in the peer's bytes, masked or not. */
export function readFrames(bytes: Buffer): ReadFrame[] {
  const frames: ReadFrame[] = []
  let at = 0
  while (at + 2 <= bytes.length) {
    const second = bytes.readUInt8(at + 1)
    const short = second & 0x7f
    const lengthBytes = short < 126 ? 0 : short === 126 ? 2 : 8
    const length =
      lengthBytes === 0
        ? short
        : lengthBytes === 2
          ? bytes.readUInt16BE(at + 2)
          : Number(bytes.readBigUInt64BE(at + 2))
    const keyAt = at + 2 + lengthBytes
    const from = second < 0x80 ? keyAt : keyAt + 4
    const payload = bytes.subarray(from, from + length)
    frames.push({
      opcode: bytes.readUInt8(at) & 0x0f,
      payload:
        second < 0x80
          ? payload
          : Buffer.from(payload.map((byte, index) => byte ^ bytes.readUInt8(keyAt + (index % 4)))),
    })
    at = from + length
  }
  return frames
}
