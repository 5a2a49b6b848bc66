import { samplesFromBytes } from '../audio/pcm.js'
import { done, failed } from '../runtime/outcome.js'
import { type OutsideService, postToService, reasonOf } from '../runtime/outside-service.js'
import type { TextToSpeech } from './text-to-speech.js'

/** The sample rate of the raw audio from the provider's endpoint. */
const outsideRate = 24_000

/** Speech synthesis by a service with the provider's `/v1/audio/speech`. */
export function openAiSpeech(service: OutsideService): TextToSpeech {
  return {
    async speak({ text, voice, speed }) {
      const body = JSON.stringify({ model: service.model, input: text, voice, speed, response_format: 'pcm' })
      const response = await postToService(service, '/audio/speech', body)
      if (!response.ok) return response
      try {
        const bytes = Buffer.from(await response.value.arrayBuffer())
        return done({ samples: samplesFromBytes(bytes), rate: outsideRate })
      } catch (error) {
        return failed(`The speech could not be read: ${reasonOf(error)}`)
      }
    },
  }
}
