import { type AudioClip, bytesFromSamples, type EngineWorkers, resampleClip } from '@parley/engine'
import { resultOf } from './result-of.js'

/** What goes over the engine's socket: 16 bit, one channel. */
export const wireRate = 24_000

/** What the engine is told, and what is asked about it: each answer is a sentence that it finds by its meaning. */
export const instructions = [
  'You are the front desk of a small hotel.',
  'Breakfast is served from seven until ten in the morning.',
  'The swimming pool is on the roof of the hotel.',
  'The last train to the city leaves at midnight.',
  'A room with a view of the lake costs ninety dollars.',
].join(' ')

const questions = [
  'When is breakfast served?',
  'Where is the swimming pool?',
  'When does the last train leave?',
  'How much is a room with a view of the lake?',
]

/** Quieter than this is not speech. */
const audible = 300

/** The questions as sound, cut where the last word ends: the time of an answer counts from there. */
export async function speakQuestions(workers: EngineWorkers): Promise<Buffer[]> {
  const sounds: Buffer[] = []
  for (const text of questions) {
    const clip = resultOf(await workers.textToSpeech.speak({ text, voice: 'alloy', speed: 1 }))
    sounds.push(bytesFromSamples(withoutTail(resampleClip(clip, wireRate))))
  }
  return sounds
}

/** Enough to say and to hear for a figure that holds. */
export async function speakLongSentence(workers: EngineWorkers): Promise<AudioClip> {
  const text =
    'The swimming pool on the roof of the hotel is open from seven in the morning until ten at night.'
  return resultOf(await workers.textToSpeech.speak({ text, voice: 'alloy', speed: 1 }))
}

function withoutTail(samples: Int16Array): Int16Array {
  const last = samples.findLastIndex((sample) => Math.abs(sample) > audible)
  return samples.subarray(0, last + 1)
}
