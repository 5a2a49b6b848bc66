import { type AudioClip, bytesFromSamples, type Outcome, resampleClip } from '@parley/engine'
import { personWorkers } from '../../../../../packages/engine/test/support/person-workers.js'

/** The service's socket carries 16-bit mono at this rate. */
export const wireRate = 24_000

/** A simulated user that speaks questions and understands answers with a speech engine of its own. */
export interface Person {
  /**
   * Speaks a sentence as a microphone would record it: a short silence first, with faint noise throughout.
   */
  speak(text: string, voice: string): Promise<Buffer>
  understand(sound: AudioClip): Promise<string>
}

const leadMilliseconds = 300

export function makePerson(): Person {
  const workers = personWorkers()
  return {
    async speak(text, voice) {
      const clip = resultOf(await workers.textToSpeech.speak({ text, voice, speed: 1 }))
      const speech = resampleClip(clip, wireRate)
      const sound = new Int16Array((wireRate / 1000) * leadMilliseconds + speech.length)
      sound.set(speech, sound.length - speech.length)
      return bytesFromSamples(sound.map((sample, place) => sample + noiseAt(place)))
    },
    understand: async (sound) => resultOf(await workers.speechToText.transcribe(sound, {})),
  }
}

/** The noise is the same in every run, so recognition results are reproducible. */
function noiseAt(place: number): number {
  return ((place * 7919) % 31) - 15
}

function resultOf<Value>(result: Outcome<Value>): Value {
  if (result.ok) return result.value
  throw new Error(`The person's speech engine failed: ${JSON.stringify(result)}`)
}
