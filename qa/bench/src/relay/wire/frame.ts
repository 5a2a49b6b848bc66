/** The part of RFC 6455, section 5.2, that the load needs: messages in one frame of up to 65 535 bytes. */
export const opcodes = { text: 1, close: 8, ping: 9, pong: 10 } as const

const keyLength = 4
const finalBit = 0x80
const maskBit = 0x80
/**
 * The masking key of all frames. It need not be random, because masking protects proxies and the load passes
 * none. It is not 0, because a receiver could skip unmasking with that key.
 */
const key = [0x37, 0xfa, 0x21, 0x3d]

export interface Frame {
  readonly bytes: Buffer
  /** The offset of the payload. In a masked frame, the key comes before it. */
  readonly payloadAt: number
}

/** Makes a frame. Client frames must be masked. */
export function makeFrame(opcode: number, payload: Buffer, isMasked: boolean): Frame {
  const { length } = payload
  if (length > 0xffff) throw new Error(`A frame of the load cannot have ${length} bytes.`)
  const flag = isMasked ? maskBit : 0
  const lengthBytes = length < 126 ? [flag | length] : [flag | 126, length >> 8, length & 0xff]
  const head = Buffer.from([finalBit | opcode, ...lengthBytes, ...(isMasked ? key : [])])
  const frame = { bytes: Buffer.concat([head, payload]), payloadAt: head.length }
  if (isMasked) mask(frame.bytes, frame.payloadAt, frame.payloadAt, frame.bytes.length)
  return frame
}

/** Masks or unmasks a part of a payload. The key must be right before the payload. */
export function mask(bytes: Buffer, payloadAt: number, from: number, to: number): void {
  const keyAt = payloadAt - keyLength
  for (let at = from; at < to; at += 1)
    bytes[at] = (bytes[at] as number) ^ (bytes[keyAt + ((at - payloadAt) % keyLength)] as number)
}

/** The header of a frame. */
export interface Header {
  readonly opcode: number
  readonly isMasked: boolean
  readonly payloadAt: number
  readonly end: number
}

/** Returns the header of the frame at this position, or null if it is incomplete. */
export function readHeader(bytes: Buffer, at: number): Header | null {
  const first = bytes[at]
  const second = bytes[at + 1]
  if (first === undefined || second === undefined) return null
  if ((first & finalBit) === 0) throw new Error('Received a fragmented message.')
  const isMasked = (second & maskBit) !== 0
  const short = second & ~maskBit
  if (short === 127) throw new Error('Received a frame of more than 65 535 bytes.')
  const payloadAt = at + (short === 126 ? 4 : 2) + (isMasked ? keyLength : 0)
  if (bytes.length < payloadAt) return null
  const length = short === 126 ? bytes.readUInt16BE(at + 2) : short
  return { opcode: first & 0x0f, isMasked, payloadAt, end: payloadAt + length }
}
