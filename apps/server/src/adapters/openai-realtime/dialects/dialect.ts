import { type Fields, fieldsOf, textOf } from '../../realtime-dialects/json-fields.js'
import { type ServerEvent, unsupportedEvent } from '../../realtime-dialects/server-event.js'

/**
 * Translates between OpenAI's realtime protocol and the protocol of a provider that resembles it. One instance serves one
 * session, because some events complete earlier ones.
 */
export interface Dialect {
  /** Converts an event of the client or the service. */
  toProvider(event: Fields): ToProvider
  /** Converts an event of the provider to no event, one or several. */
  fromProvider(event: Fields): readonly Fields[]
  /** Converts a frame with audio of the provider without parsing it. Returns null for all other frames. */
  audioFrame(frame: Buffer): Buffer | null
  /** Whether `toProvider` converts audio of the client too. Otherwise, audio is not parsed. */
  readonly convertsAudio?: boolean
  /** Whether the provider accepts other events only after `session.updated`. */
  readonly waitsForConfirmation?: boolean
}

/** The event for the provider, or the answer to an event that the provider does not have. */
export type ToProvider = { readonly event: Fields } | { readonly reply: ServerEvent }

/** Returns the answer to an event that has no counterpart at the provider. */
export function unsupported(event: Fields, message: string): ToProvider {
  return { reply: unsupportedEvent(event, message) }
}

/** Confirms that an answer was cut, for providers that cannot cut one. The rest of the session learns how much was heard. */
export function truncated({ item_id, content_index, audio_end_ms }: Fields): ToProvider {
  return { reply: { type: 'conversation.item.truncated', item_id, content_index, audio_end_ms } }
}

/** The parts of a `session.update` that providers name differently. */
export function sessionParts(session: Fields) {
  const { input, output } = fieldsOf(session.audio)
  const { format: inputFormat, transcription, turn_detection } = fieldsOf(input)
  const { format: outputFormat, voice } = fieldsOf(output)
  return {
    inputFormat: fieldsOf(inputFormat),
    outputFormat: fieldsOf(outputFormat),
    transcription: fieldsOf(transcription),
    voice: textOf(voice),
    turnDetection: fieldsOf(turn_detection),
  }
}

/**
 * Returns the speech detection that all of these providers have, with the configured pause that ends speech. Other settings
 * belong to OpenAI.
 */
export function serverVad({ type, silence_duration_ms }: Fields): Fields {
  const pause = type === 'server_vad' && silence_duration_ms !== undefined ? { silence_duration_ms } : {}
  return { type: 'server_vad', ...pause, create_response: true, interrupt_response: true }
}

/** The items of a session that a dialect remembers. */
export const maxRememberedItems = 100
