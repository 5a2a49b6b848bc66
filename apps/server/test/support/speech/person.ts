import { type AudioClip, bytesFromSamples, type Outcome, resampleClip } from '@parley/engine'
import { personWorkers } from '../../../../../packages/engine/test/support/person-workers.js'

/** What goes over the service's socket: 16 bit, one channel. */
export const wireRate = 24_000

/** Somebody who talks to an agent: speaks questions and understands answers, with nothing of the service's. */
export interface Person {
  /** A sentence as a microphone takes it: a moment of room before it, and a faint noise over all of it. */
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

/** The same in every run, so that what is understood once is understood again. */
function noiseAt(place: number): number {
  return ((place * 7919) % 31) - 15
}

function resultOf<Value>(result: Outcome<Value>): Value {
  if (result.ok) return result.value
  throw new Error(`The person's own engine could not do it: ${JSON.stringify(result)}`)
}
