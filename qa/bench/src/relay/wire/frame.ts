/** What the load knows of RFC 6455, section 5.2: messages in one frame each, of up to 65 535 bytes. */
export const opcodes = { text: 1, close: 8, ping: 9, pong: 10 } as const

const keyLength = 4
const finalBit = 0x80
const maskBit = 0x80
/** The same for all, for nothing on the way has to be protected from the load; other than 0, which is unmasked for nothing. */
const key = [0x37, 0xfa, 0x21, 0x3d]

export interface Frame {
  readonly bytes: Buffer
  /** Where in them its payload begins; where it is masked, the key stands before it. */
  readonly payloadAt: number
}

/** A frame with this content; those of clients are masked. */
export function makeFrame(opcode: number, payload: Buffer, isMasked: boolean): Frame {
  const { length } = payload
  if (length > 0xffff) throw new Error(`The load has no frames of ${length} bytes.`)
  const flag = isMasked ? maskBit : 0
  const lengthBytes = length < 126 ? [flag | length] : [flag | 126, length >> 8, length & 0xff]
  const head = Buffer.from([finalBit | opcode, ...lengthBytes, ...(isMasked ? key : [])])
  const frame = { bytes: Buffer.concat([head, payload]), payloadAt: head.length }
  if (isMasked) mask(frame.bytes, frame.payloadAt, frame.payloadAt, frame.bytes.length)
  return frame
}

/** Masks a part of a payload, or unmasks it, with the key before it. */
export function mask(bytes: Buffer, payloadAt: number, from: number, to: number): void {
  const keyAt = payloadAt - keyLength
  for (let at = from; at < to; at += 1)
    bytes[at] = (bytes[at] as number) ^ (bytes[keyAt + ((at - payloadAt) % keyLength)] as number)
}

/** What the beginning of a frame says. */
export interface Header {
  readonly opcode: number
  readonly isMasked: boolean
  readonly payloadAt: number
  readonly end: number
}

/** The header of the frame that begins here; null where it has not come wholly. */
export function readHeader(bytes: Buffer, at: number): Header | null {
  const first = bytes[at]
  const second = bytes[at + 1]
  if (first === undefined || second === undefined) return null
  if ((first & finalBit) === 0) throw new Error('A message has come in more than one frame.')
  const isMasked = (second & maskBit) !== 0
  const short = second & ~maskBit
  if (short === 127) throw new Error('A frame of more than 65 535 bytes has come.')
  const payloadAt = at + (short === 126 ? 4 : 2) + (isMasked ? keyLength : 0)
  if (bytes.length < payloadAt) return null
  const length = short === 126 ? bytes.readUInt16BE(at + 2) : short
  return { opcode: first & 0x0f, isMasked, payloadAt, end: payloadAt + length }
}
