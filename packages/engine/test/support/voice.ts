import { setTimeout as wait } from 'node:timers/promises'
import { type AudioClip, bytesFromSamples, joinSamples } from '#engine/audio/pcm.js'
import { resampleClip } from '#engine/audio/resampler.js'
import type { Outcome } from '#engine/runtime/outcome.js'
import { personWorkers } from './person-workers.js'
import type { RealtimeClient } from './realtime-client.js'

const wireRate = 24_000
const chunkMilliseconds = 20
const chunkBytes = (wireRate / 1000) * chunkMilliseconds * 2

/**
 * Returns a question as a microphone would record it: with silence before and after it, and a little noise.
 */
export async function speak(text: string, voice = 'ash', afterMilliseconds = 900): Promise<Buffer> {
  const clip = unwrap(await personWorkers().textToSpeech.speak({ text, voice, speed: 1 }))
  const room = (milliseconds: number) => new Int16Array((wireRate / 1000) * milliseconds)
  const samples = joinSamples([room(400), resampleClip(clip, wireRate), room(afterMilliseconds)])
  let seed = 7
  const noisy = samples.map((sample) => {
    seed = (seed * 16_807) % 2_147_483_647
    return sample + (seed % 41) - 20
  })
  return bytesFromSamples(noisy)
}

/** Transcribes an answer. */
export async function understand(clip: AudioClip): Promise<string> {
  return unwrap(await personWorkers().speechToText.transcribe(clip, {}))
}

/** Sends audio as fast as the socket accepts it, in chunks of 20 ms. */
export function sendSound(client: RealtimeClient, sound: Buffer): void {
  for (let start = 0; start < sound.length; start += chunkBytes)
    sendChunk(client, sound.subarray(start, start + chunkBytes))
}

/** Sends audio in real time, followed by silence until the condition holds. */
export async function streamSound(
  client: RealtimeClient,
  sound: Buffer,
  isEnough: () => boolean,
): Promise<void> {
  const silence = Buffer.alloc(chunkBytes)
  for (let start = 0; !isEnough(); start += chunkBytes) {
    sendChunk(client, start < sound.length ? sound.subarray(start, start + chunkBytes) : silence)
    await wait(chunkMilliseconds)
  }
}

function sendChunk(client: RealtimeClient, chunk: Buffer): void {
  client.send({ type: 'input_audio_buffer.append', audio: chunk.toString('base64') })
}

function unwrap<Value>(result: Outcome<Value>): Value {
  if (!result.ok) throw new Error(JSON.stringify(result))
  return result.value
}
