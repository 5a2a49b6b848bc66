import { type Fields, fieldsOf, textOf } from '../../realtime-dialects/json-fields.js'
import { audioFrame, betaSession, fromBetaNames, toBetaNames } from './beta-names.js'
import { type Dialect, sessionParts } from './dialect.js'

/** Events without a counterpart in OpenAI's protocol: avatars, visemes and the like. */
const dropped = /^(?:response\.(?:animation|video|audio_timestamp)|session\.avatar|warning)/

/** Azure's Voice Live: the events and the flat session of OpenAI's beta, and voices of Azure. */
export function makeVoiceLive(): Dialect {
  return {
    toProvider(event) {
      if (event.type !== 'session.update') return { event: inAzuresNames(toBetaNames(event)) }
      const session = fieldsOf(event.session)
      const { voice, inputFormat } = sessionParts(session)
      const converted = {
        ...betaSession(session),
        voice: wrappedVoice(voice),
        ...(inputFormat.type === 'audio/pcm' && { input_audio_sampling_rate: 24000 }),
      }
      return { event: { ...event, session: converted } }
    },
    fromProvider: (event) => (dropped.test(textOf(event.type)) ? [] : fromBetaNames(event)),
    audioFrame,
  }
}

/** Voice Live wraps the name of a voice. */
function inAzuresNames(event: Fields): Fields {
  const { voice, ...response } = fieldsOf(event.response)
  if (typeof voice !== 'string') return event
  return { ...event, response: { ...response, voice: wrappedVoice(voice) } }
}

const wrappedVoice = (voice: string) => ({
  type: isAzureVoice(voice) ? 'azure-standard' : 'openai',
  name: voice,
})

/** Names of Azure's voices begin with a locale, as `en-US-AvaNeural` does. */
const isAzureVoice = (voice: string) => /^[a-z]{2,3}-[A-Z]{2}-/.test(voice)
