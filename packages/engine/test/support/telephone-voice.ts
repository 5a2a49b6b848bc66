import { decodeMuLaw, encodeMuLaw } from '#engine/audio/g711.js'
import { resampleClip } from '#engine/audio/resampler.js'
import type { Outcome } from '#engine/runtime/outcome.js'
import { personWorkers } from './person-workers.js'

const rate = 8000

/** Speaks a sentence in mu-law, as a telephone sends it. */
export async function speakOnTelephone(text: string, voice: string): Promise<Buffer> {
  const clip = resultOf(await personWorkers().textToSpeech.speak({ text, voice, speed: 1 }))
  return encodeMuLaw(resampleClip(clip, rate))
}

/** Returns the words of mu-law sound. */
export async function understandTelephone(sound: Buffer): Promise<string> {
  return resultOf(await personWorkers().speechToText.transcribe({ samples: decodeMuLaw(sound), rate }, {}))
}

function resultOf<Value>(result: Outcome<Value>): Value {
  if (result.ok) return result.value
  throw new Error(`The speech of the telephone failed: ${JSON.stringify(result)}`)
}
