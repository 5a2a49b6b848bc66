import { type Fields, fieldsOf, textOf } from '../../realtime-dialects/json-fields.js'
import { ignoredSetting, withSettings } from '../../realtime-dialects/request-settings.js'
import { audioFrame, betaSession, fromBetaNames, toBetaNames } from './beta-names.js'
import { type Dialect, sessionParts, type ToProvider, unsupported } from './dialect.js'

/** Events without a counterpart in OpenAI's protocol: avatars, visemes and the like. */
const dropped = /^(?:response\.(?:animation|video|audio_timestamp)|session\.avatar|warning)/

/** Azure's Voice Live: the events and the flat session of OpenAI's beta, and voices of Azure. */
export function makeVoiceLive(): Dialect {
  return {
    toProvider(event) {
      if (event.type === 'response.create') return request(event)
      if (event.type !== 'session.update') return { event: toBetaNames(event) }
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

const honouredSettings: ReadonlySet<string> = new Set([
  ...['instructions', 'output_modalities', 'audio', 'tools', 'tool_choice', 'max_output_tokens', 'metadata'],
])

function request(event: Fields): ToProvider {
  const ignored = ignoredSetting(event, honouredSettings)
  if (ignored !== null)
    return unsupported(event, `Voice Live cannot change \`${ignored}\` for one response. Leave it out.`)
  const converted = toBetaNames(withSettings(event, honouredSettings))
  const { voice, ...response } = fieldsOf(converted.response)
  if (typeof voice !== 'string') return { event: converted }
  return { event: { ...converted, response: { ...response, voice: wrappedVoice(voice) } } }
}

/** Voice Live wraps the name of a voice. */
const wrappedVoice = (voice: string) => ({
  type: isAzureVoice(voice) ? 'azure-standard' : 'openai',
  name: voice,
})

/** Names of Azure's voices begin with a locale, as `en-US-AvaNeural` does. */
const isAzureVoice = (voice: string) => /^[a-z]{2,3}-[A-Z]{2}-/.test(voice)
