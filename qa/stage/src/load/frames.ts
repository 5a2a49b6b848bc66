import { randomBytes } from 'node:crypto'
import { readStamp, stampDigits, writeStamp } from './stamp.js'

/** pcm16 at 24 kHz, in base64. */
const charactersPerMillisecond = 64
const tail = '"}'
/** No other event ends with so many digits in a string, and none that is shorter than the smallest of these counts. */
const minLength = 20 * charactersPerMillisecond
/** How far before its end the time stands in a message. */
export const stampFromEnd = stampDigits + tail.length

/** What the frames of a load are like. */
export interface FrameShape {
  /** How much sound is in one. */
  readonly milliseconds: number
  /** Whether the client's begin with an id, as those of OpenAI's reference client do. */
  readonly hasEventId: boolean
}

export const usualShape: FrameShape = { milliseconds: 100, hasEventId: false }

/** A message of the load: every one alike but for the time it left at, which stands where its audio ends. */
export interface StampedFrame {
  readonly template: Buffer
  make(): Buffer
}

/** What a client sends while somebody speaks. */
export const makeClientFrame = ({ milliseconds, hasEventId }: FrameShape) =>
  stampedFrame(
    `{${hasEventId ? '"event_id":"evt_q8Xh2LrT0ZbVwKc5e",' : ''}"type":"input_audio_buffer.append","audio":"`,
    milliseconds,
  )

/** What the provider sends while the model speaks, with its fields in the provider's order. */
export const makeProviderFrame = ({ milliseconds }: FrameShape) =>
  stampedFrame(
    '{"type":"response.output_audio.delta","event_id":"event_CXvmUAcJPmT2tXkT9xGrD","response_id":"resp_CXvmTxgQ9Dc1mTgOhKkQz",' +
      '"item_id":"item_CXvmTb8ZAN1kYbS3uVxJq","output_index":0,"content_index":0,"delta":"',
    milliseconds,
  )

export const clientFrame = makeClientFrame(usualShape)
export const providerFrame = makeProviderFrame(usualShape)

function stampedFrame(head: string, milliseconds: number): StampedFrame {
  const characters = milliseconds * charactersPerMillisecond
  const audio = randomBytes(characters).toString('base64').slice(0, characters)
  const template = Buffer.from(`${head}${audio}${tail}`)
  return {
    template,
    make() {
      const frame = Buffer.allocUnsafeSlow(template.length)
      template.copy(frame)
      writeStamp(frame, frame.length - stampFromEnd)
      return frame
    },
  }
}

/** When the message in these bytes left, in microseconds; null where it is none of the load. */
export const sentAt = (bytes: Buffer, from = 0, to = bytes.length) =>
  to - from < minLength ? null : readStamp(bytes, to - stampFromEnd)
