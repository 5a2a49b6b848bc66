import { readFile } from 'node:fs/promises'
import { type AudioClip, bytesFromSamples, fromWav, resampleClip, startEngineWorkers } from '@parley/engine'
import type { Speech } from './command-line.js'
import type { ServiceResult } from './service-api.js'
import { chunkSamples, messageOf, type SpokenQuestion, wireRate } from './wire-sound.js'

/** Samples below this level count as silence. */
const quietestSpeech = 500

export async function loadQuestion(speech: Speech): Promise<ServiceResult<SpokenQuestion>> {
  const clip = speech.kind === 'say' ? await speak(speech.words) : await readWav(speech.path)
  return clip.ok ? { ok: true, value: cutIntoChunks(resampleClip(clip.value, wireRate)) } : clip
}

export function cutIntoChunks(samples: Int16Array): SpokenQuestion {
  const chunks: Buffer[] = []
  for (let start = 0; start < samples.length; start += chunkSamples)
    chunks.push(bytesFromSamples(samples.subarray(start, start + chunkSamples)))
  const last = samples.findLastIndex((sample) => Math.abs(sample) >= quietestSpeech)
  return { chunks, spokenChunks: Math.ceil((last + 1) / chunkSamples) }
}

async function readWav(path: string): Promise<ServiceResult<AudioClip>> {
  try {
    const clip = fromWav(await readFile(path))
    if (clip !== null && clip.rate > 0 && clip.samples.length > 0) return { ok: true, value: clip }
    return { ok: false, message: `${path} must be a 16-bit PCM WAV file that contains audio.` }
  } catch (error) {
    return { ok: false, message: `Cannot read ${path}: ${messageOf(error)}` }
  }
}

/** Standard output contains only the conversation. */
const print = (line: string) => void process.stderr.write(`${line}\n`)

async function speak(words: string): Promise<ServiceResult<AudioClip>> {
  const workers = startEngineWorkers({ runtime: 'auto', maxWaiting: 1, onProgress: print })
  try {
    const spoken = await workers.textToSpeech.speak({ text: words, voice: 'ash', speed: 1 })
    if (spoken.ok) return { ok: true, value: spoken.value }
    const why = spoken.kind === 'overloaded' ? 'the speech engine is busy.' : spoken.message
    return { ok: false, message: `Cannot speak the text: ${why}` }
  } finally {
    await workers.close()
  }
}
