import { randomBytes } from 'node:crypto'
import { readStamp, stampDigits, writeStamp } from './stamp.js'

/** 24 kHz pcm16 in base64. */
const charactersPerMillisecond = 64
const tail = '"}'
/** Shorter messages are not of the load. No other event ends with this many digits in a string. */
const minLength = 20 * charactersPerMillisecond
/** The distance of the timestamp from the end of a message. */
export const stampFromEnd = stampDigits + tail.length

/** The form of the load's frames. */
export interface FrameShape {
  /** The duration of the audio in a frame. */
  readonly milliseconds: number
  /** Whether client frames begin with an id, like those of OpenAI's reference client. */
  readonly hasEventId: boolean
}

export const usualShape: FrameShape = { milliseconds: 100, hasEventId: false }

/** A message of the load. All copies are the same except for the timestamp at the end of the audio. */
export interface StampedFrame {
  readonly template: Buffer
  make(): Buffer
}

/** A frame that a client sends while the user speaks. */
export const makeClientFrame = ({ milliseconds, hasEventId }: FrameShape) =>
  stampedFrame(
    `{${hasEventId ? '"event_id":"evt_q8Xh2LrT0ZbVwKc5e",' : ''}"type":"input_audio_buffer.append","audio":"`,
    milliseconds,
  )

/** A frame that the provider sends while the model speaks, with the fields in the provider's order. */
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

/** Returns when a message was sent, in microseconds, or null if it is not a message of the load. */
export const sentAt = (bytes: Buffer, from = 0, to = bytes.length) =>
  to - from < minLength ? null : readStamp(bytes, to - stampFromEnd)
