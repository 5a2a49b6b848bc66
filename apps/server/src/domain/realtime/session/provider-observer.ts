import type { BackendCalls } from '../calls/backend-calls.js'
import type { ProviderErrorEvent, ProviderEvent } from '../protocol/provider-event.js'
import { decodeProviderFrame } from '../protocol/provider-frame.js'
import type { Transcript, TranscriptEffect } from '../transcript/transcript.js'
import type { SessionTrace } from './session-trace.js'
import type { SessionUses } from './session-uses.js'
import type { TimelineRecorder } from './session-log.js'

export interface ObserverOptions {
  readonly transcript: Transcript
  readonly calls: BackendCalls
  readonly timeline: TimelineRecorder
  readonly trace: SessionTrace
  /** The event by which the service configures the session. */
  readonly updateEventId: string
  readonly onTranscribed: (effects: readonly TranscriptEffect[]) => void
  readonly uses: SessionUses
  readonly onAudio: () => void
  readonly onSpeechEnd: () => void
  readonly onResponseCreated: () => void
  /** The provider does not accept the configuration that the service sent. */
  readonly onConfigurationRefused: (message: string) => void
}

/** Passes on what the provider says, after it was forwarded, to those whom it concerns. */
export class ProviderObserver {
  readonly #options: ObserverOptions
  #isConfigured = false

  constructor(options: ObserverOptions) {
    this.#options = options
  }

  /** Takes a text frame; those that are plainly audio need not come here. */
  observeFrame(data: Buffer): void {
    const event = decodeProviderFrame(data)
    if (event !== null) this.#observe(event)
  }

  #observe(event: ProviderEvent): void {
    const {
      calls,
      timeline,
      trace,
      transcript,
      uses,
      onTranscribed,
      onAudio,
      onSpeechEnd,
      onResponseCreated,
    } = this.#options
    calls.observe(event)
    // After the calls: those that a response ends with belong to its exchange.
    timeline.observe(event)
    const effects = transcript.observe(event)
    if (effects.length > 0) onTranscribed(effects)
    uses.observe(event)
    trace.observe(event)
    switch (event.type) {
      case 'audio.delta':
        onAudio()
        break
      case 'response.created':
        onResponseCreated()
        break
      case 'speech.committed':
        onSpeechEnd()
        break
      case 'session.updated':
        this.#isConfigured = true
        break
      case 'error':
        this.#observeError(event)
    }
  }

  /** Where an error does not say what it is about: before the configuration is in, one about the session is about it. */
  #observeError({ eventId, param, message }: ProviderErrorEvent): void {
    const { updateEventId, onConfigurationRefused } = this.#options
    const isAboutSession = eventId === null && param !== null && param.startsWith('session')
    if (eventId === updateEventId || (isAboutSession && !this.#isConfigured))
      onConfigurationRefused(message ?? 'no reason given')
  }
}
