import { randomBytes } from 'node:crypto'

/** What 100 ms of pcm16 at 24 kHz come to in base64, with the JSON around them. */
const frameBytes = 6400
const stampDigits = 16

/** A frame of the load: every one alike but for the time it left at, which stands where its audio begins. */
export interface StampedFrame {
  make(): Buffer
  /** When a frame left, in microseconds; null where it is none of the load. */
  sentAt(frame: Buffer): number | null
}

/** Microseconds on a clock that all processes of this machine share. */
export const microseconds = () => Number(process.hrtime.bigint() / 1000n)

function stampedFrame(head: string, tail: string): StampedFrame {
  const audioBytes = frameBytes - head.length - tail.length
  const audio = randomBytes(frameBytes).toString('base64').slice(0, audioBytes)
  const template = Buffer.from(`${head}${audio}${tail}`)
  const stampEnd = head.length + stampDigits
  return {
    make() {
      const frame = Buffer.allocUnsafeSlow(frameBytes)
      template.copy(frame)
      frame.write(String(microseconds()).padStart(stampDigits, '0'), head.length, 'latin1')
      return frame
    },
    sentAt: (frame) =>
      frame.length === frameBytes ? Number(frame.toString('latin1', head.length, stampEnd)) : null,
  }
}

/** What a client sends while somebody speaks. */
export const clientFrame = stampedFrame('{"type":"input_audio_buffer.append","audio":"', '"}')

/** What the provider sends while the model speaks, with its fields in the provider's order. */
export const providerFrame = stampedFrame(
  '{"type":"response.output_audio.delta","event_id":"event_CXvmUAcJPmT2tXkT9xGrD","response_id":"resp_CXvmTxgQ9Dc1mTgOhKkQz",' +
    '"item_id":"item_CXvmTb8ZAN1kYbS3uVxJq","output_index":0,"content_index":0,"delta":"',
  '"}',
)
