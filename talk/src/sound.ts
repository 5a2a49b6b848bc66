import { readFile, writeFile } from 'node:fs/promises'
import {
  type AudioClip,
  bytesFromSamples,
  fromWav,
  resampleClip,
  samplesFromBytes,
  startEngineWorkers,
  toWav,
} from '@parley/engine'
import type { Speech } from './command-line.js'
import type { Answer } from './service-api.js'

/** Samples a second on the wire. */
export const wireRate = 24_000
export const chunkMilliseconds = 20
export const chunkSamples = (wireRate * chunkMilliseconds) / 1000

const quietestSpeech = 500

/** What is to be said, at the rate of the wire. */
export async function loadSpeech(speech: Speech): Promise<Answer<Int16Array>> {
  const clip = speech.kind === 'say' ? await speak(speech.words) : await readWav(speech.path)
  return clip.outcome === 'ok' ? { outcome: 'ok', value: resampleClip(clip.value, wireRate) } : clip
}

/** The chunks that a microphone would give. */
export function chunksOf(samples: Int16Array): Buffer[] {
  const chunks: Buffer[] = []
  for (let start = 0; start < samples.length; start += chunkSamples)
    chunks.push(bytesFromSamples(samples.subarray(start, start + chunkSamples)))
  return chunks
}

/** How many chunks there are up to the last one that is loud enough to be speech: there the person stops. */
export function spokenChunks(samples: Int16Array): number {
  const last = samples.findLastIndex((sample) => Math.abs(sample) >= quietestSpeech)
  return Math.ceil((last + 1) / chunkSamples)
}

/** What the agent says, put together. */
export class AnswerSound {
  readonly #parts: Buffer[] = []

  add(base64: string): void {
    this.#parts.push(Buffer.from(base64, 'base64'))
  }

  /** Null where it could be written, else what went wrong. */
  async save(path: string): Promise<string | null> {
    if (this.#parts.length === 0) return 'There was no sound to save.'
    const samples = samplesFromBytes(Buffer.concat(this.#parts))
    try {
      await writeFile(path, toWav({ samples, rate: wireRate }))
      return null
    } catch (error) {
      return `The sound was not saved: ${messageOf(error)}`
    }
  }
}

async function readWav(path: string): Promise<Answer<AudioClip>> {
  try {
    const clip = fromWav(await readFile(path))
    if (clip !== null && clip.rate > 0 && clip.samples.length > 0) return { outcome: 'ok', value: clip }
    return { outcome: 'refused', message: `${path} is not a WAV file of 16 bit PCM with sound in it.` }
  } catch (error) {
    return { outcome: 'refused', message: `${path} cannot be read: ${messageOf(error)}` }
  }
}

async function speak(words: string): Promise<Answer<AudioClip>> {
  const workers = startEngineWorkers({ runtime: 'auto', maxWaiting: 1, onProgress: () => undefined })
  try {
    const spoken = await workers.textToSpeech.speak({ text: words, voice: 'ash', speed: 1 })
    if (spoken.outcome === 'done') return { outcome: 'ok', value: spoken.value }
    const why = spoken.outcome === 'overloaded' ? 'the voice is busy.' : spoken.message
    return { outcome: 'refused', message: `The words cannot be spoken: ${why}` }
  } finally {
    await workers.close()
  }
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
