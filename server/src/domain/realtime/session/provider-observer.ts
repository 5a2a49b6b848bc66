import type { RealtimeUsage } from '@parley/contract'
import type { ChatUsage } from '../../../ports/chat-model.js'
import type { BackendCalls } from '../calls/backend-calls.js'
import {
  objectField,
  type ProviderEvent,
  parseProviderEvent,
  providerEventType,
  textField,
} from '../protocol/provider-frame.js'
import { assistantDeltas, assistantTriggers, userTriggers } from '../transcript/spoken-text.js'
import type { Transcript, TranscriptEffect } from '../transcript/transcript.js'
import { addTextUsage, addUsage, noUsage } from './usage.js'

const audioDeltas: ReadonlySet<string> = new Set(['response.output_audio.delta', 'response.audio.delta'])

/** The events that are parsed. All others go by with their type read and nothing else. */
const observedTypes: ReadonlySet<string> = new Set([
  ...userTriggers,
  ...assistantTriggers,
  ...assistantDeltas,
  'error',
  'session.updated',
  'input_audio_buffer.committed',
  'conversation.item.added',
  'conversation.item.created',
  'conversation.item.done',
  'conversation.item.truncated',
  'conversation.item.input_audio_transcription.delta',
  'conversation.item.input_audio_transcription.failed',
  'response.created',
  'response.done',
  'response.output_item.added',
  'response.output_item.done',
  'response.function_call_arguments.done',
])

export interface ObserverEvents {
  readonly transcribed: (effects: readonly TranscriptEffect[]) => void
  readonly used: (usage: RealtimeUsage) => void
  readonly audio: () => void
  readonly turnEnded: () => void
  /** The provider does not accept the configuration we sent. */
  readonly configurationRefused: (message: string) => void
}

/** Reads along with what the provider says, after it was forwarded; frames that are plainly audio pass it by. */
export class ProviderObserver {
  readonly #transcript: Transcript
  readonly #calls: BackendCalls
  readonly #updateEventId: string
  readonly #events: ObserverEvents
  readonly #activeResponses = new Set<string>()
  #isConfigured = false
  #usage: RealtimeUsage = noUsage

  constructor(transcript: Transcript, calls: BackendCalls, updateEventId: string, events: ObserverEvents) {
    this.#transcript = transcript
    this.#calls = calls
    this.#updateEventId = updateEventId
    this.#events = events
  }

  get hasActiveResponse(): boolean {
    return this.#activeResponses.size > 0
  }

  frame(data: Buffer): void {
    const type = providerEventType(data)
    if (type === null) return
    if (audioDeltas.has(type)) this.#events.audio()
    if (!observedTypes.has(type)) return
    const event = parseProviderEvent(data)
    if (event !== null) this.#observe(event)
  }

  /** A text model has worked for the session: its tokens are the session's as well. */
  addTextUsage(usage: ChatUsage): void {
    this.#usage = addTextUsage(this.#usage, usage)
    this.#events.used(this.#usage)
  }

  #observe(event: ProviderEvent): void {
    this.#calls.observe(event)
    const effects = this.#transcript.observe(event)
    if (effects.length > 0) this.#events.transcribed(effects)
    switch (event.type) {
      case 'response.created':
        this.#activeResponses.add(responseIdOf(event))
        break
      case 'response.done':
        this.#activeResponses.delete(responseIdOf(event))
        this.#usage = addUsage(this.#usage, event)
        this.#events.used(this.#usage)
        break
      case 'input_audio_buffer.committed':
        this.#events.turnEnded()
        break
      case 'session.updated':
        this.#isConfigured = true
        break
      case 'error':
        this.#observeError(event)
    }
  }

  /**
   * Providers often leave out which event an error answers, or leave it empty; before our configuration is in, one
   * about the session is its.
   */
  #observeError(event: ProviderEvent): void {
    const error = objectField(event, 'error')
    const answers = textField(error, 'event_id') || undefined
    const isAboutSession = answers === undefined && (textField(error, 'param') ?? '').startsWith('session')
    if (answers !== this.#updateEventId && (this.#isConfigured || !isAboutSession)) return
    this.#events.configurationRefused(textField(error, 'message') ?? 'no reason given')
  }
}

function responseIdOf(event: ProviderEvent): string {
  return textField(objectField(event, 'response'), 'id') ?? ''
}
