import { toWav } from '../audio/wav.js'
import { done, failed } from '../runtime/outcome.js'
import { type OutsideService, postToService, reasonOf } from '../runtime/outside-service.js'
import type { SpeechToText } from './speech-to-text.js'

/** Speech recognition by a service with the provider's `/v1/audio/transcriptions`. */
export function openAiTranscriptions(service: OutsideService): SpeechToText {
  return {
    canGuess: false,
    async transcribe(clip, { language, prompt }) {
      const form = new FormData()
      form.set('model', service.model)
      form.set('response_format', 'json')
      form.set('file', new Blob([new Uint8Array(toWav(clip))], { type: 'audio/wav' }), 'speech.wav')
      if (language !== undefined) form.set('language', language)
      if (prompt !== undefined) form.set('prompt', prompt)
      const response = await postToService(service, '/audio/transcriptions', form)
      if (!response.ok) return response
      try {
        const { text } = (await response.value.json()) as { text?: unknown }
        return typeof text === 'string' ? done(text.trim()) : failed('The transcription has no text.')
      } catch (error) {
        return failed(`The transcription could not be read: ${reasonOf(error)}`)
      }
    },
  }
}
