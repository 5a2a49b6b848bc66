import { decodeMuLaw } from '../../../../../packages/telephone/test/support/programs/wav.js'
import type { ProviderSession } from '../realtime/scripted-provider.js'

/** Returns all audio in mu-law that a model has received, as samples. */
export function heardBy({ inbox }: ProviderSession): Int16Array {
  const frames = inbox.all.filter(({ isBinary }) => !isBinary).map(({ data }) => JSON.parse(data.toString()))
  const audio = frames.flatMap((frame) => (frame.type === 'input_audio_buffer.append' ? [frame.audio] : []))
  return decodeMuLaw(Buffer.concat(audio.map((text) => Buffer.from(String(text), 'base64'))))
}
