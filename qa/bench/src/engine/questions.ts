import { type AudioClip, bytesFromSamples, type EngineWorkers, resampleClip } from '@parley/engine'
import { resultOf } from './result-of.js'

/** The audio format of the engine's socket: 16 bit, one channel. */
export const wireRate = 24_000

/** The engine's facts and the questions about them. The engine finds each answer, a sentence, by its meaning. */
export const instructions = [
  'You are the front desk of a small hotel.',
  'The weather in Paris is sunny and warm.',
  'We are open on Sunday from nine until noon.',
  'Seventeen tickets are open.',
  'A table for four people costs ninety dollars.',
].join(' ')

/** Sentences that the recognizer gets right. It would wait for the end of a sentence that seems incomplete. */
const questions = [
  'What is the weather in Paris?',
  'When are you open on Sunday?',
  'How many tickets are open?',
  'What does a table for four people cost?',
]

/** Audio below this level is not speech. */
const audible = 300

/** The questions as audio, cut after the last word: answer times are measured from there. */
export async function speakQuestions(workers: EngineWorkers): Promise<Buffer[]> {
  const sounds: Buffer[] = []
  for (const text of questions) {
    const clip = resultOf(await workers.textToSpeech.speak({ text, voice: 'alloy', speed: 1 }))
    sounds.push(bytesFromSamples(withoutTail(resampleClip(clip, wireRate))))
  }
  return sounds
}

/** The number of turns for a reliable figure. */
export async function speakLongSentence(workers: EngineWorkers): Promise<AudioClip> {
  const text =
    'The swimming pool on the roof of the hotel is open from seven in the morning until ten at night.'
  return resultOf(await workers.textToSpeech.speak({ text, voice: 'alloy', speed: 1 }))
}

function withoutTail(samples: Int16Array): Int16Array {
  const last = samples.findLastIndex((sample) => Math.abs(sample) > audible)
  return samples.subarray(0, last + 1)
}
