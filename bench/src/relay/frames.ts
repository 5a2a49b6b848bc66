import { randomBytes } from 'node:crypto'

/** pcm16 at 24 kHz, in base64. */
const charactersPerMillisecond = 64
const tail = '"}'
const stampDigits = 16

/** What the frames of a load are like. */
export interface FrameShape {
  /** How much sound is in one. */
  readonly milliseconds: number
  /** Whether the client's begin with an id, as those of OpenAI's reference client do. */
  readonly hasEventId: boolean
}

export const usualShape: FrameShape = { milliseconds: 100, hasEventId: false }

/** A frame of the load: every one alike but for the time it left at, which stands where its audio ends. */
export interface StampedFrame {
  make(): Buffer
  /** When a frame left, in microseconds; null where it is none of the load. */
  sentAt(frame: Buffer): number | null
}

/** Microseconds on a clock that all processes of this machine share. */
export const microseconds = () => Number(process.hrtime.bigint() / 1000n)

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
  const stampAt = template.length - tail.length - stampDigits
  return {
    make() {
      const frame = Buffer.allocUnsafeSlow(template.length)
      template.copy(frame)
      frame.write(String(microseconds()).padStart(stampDigits, '0'), stampAt, 'latin1')
      return frame
    },
    sentAt,
  }
}

/** No other event ends with so many digits in a string, and none that is shorter than the smallest of these counts. */
function sentAt(frame: Buffer): number | null {
  if (frame.length < 20 * charactersPerMillisecond) return null
  const end = frame.length - tail.length
  const stamp = Number(frame.toString('latin1', end - stampDigits, end))
  return Number.isNaN(stamp) ? null : stamp
}
