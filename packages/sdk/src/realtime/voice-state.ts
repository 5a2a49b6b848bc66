import type { Approval } from './approvals.js'
import type { SessionEvent } from './session-event.js'
import { endCalls, stepToolCalls, type ToolCalls } from './tool-calls.js'
import { endTranscript, stepTranscript, type Transcript } from './transcript.js'
import { type MediaState, noMedia } from './voice-audio.js'
import type { VoiceEnd } from './voice-end.js'

/*
 *   connecting ──ready──► open ──lost, may be resumed──► reconnecting ──ready──► open
 *        └──────────────────┴──────────────end──────────────┴──────────────► ended
 */
export type Connection = 'connecting' | 'open' | 'reconnecting' | 'ended'

/** Everything to display as one immutable value. Each change creates a new one. */
export interface VoiceState {
  readonly connection: Connection
  /** What the agent is doing. */
  readonly phase: 'connecting' | 'listening' | 'thinking' | 'speaking' | 'reconnecting' | 'ended'
  readonly conversationId: string | null
  readonly transcript: Transcript
  readonly calls: ToolCalls
  readonly approvals: readonly Approval[]
  readonly isPersonSpeaking: boolean
  readonly isResponding: boolean
  readonly isSpeaking: boolean
  readonly media: MediaState
  /** Another model answers, or the same one in a new session at its provider. Null again after its next response. */
  readonly providerChange: ProviderChange | null
  /** Null until it has ended. */
  readonly end: VoiceEnd | null
}

export type ProviderChange = Extract<SessionEvent, { type: 'session.provider_changed' }>['data']

export type StateFields = Omit<VoiceState, 'phase'>

const first: StateFields = {
  connection: 'connecting',
  conversationId: null,
  transcript: [],
  calls: [],
  approvals: [],
  isPersonSpeaking: false,
  isResponding: false,
  isSpeaking: false,
  media: noMedia,
  providerChange: null,
  end: null,
}

export const firstState: VoiceState = withPhase(first)
const names: readonly (keyof StateFields)[] = [
  'connection',
  'conversationId',
  'transcript',
  'calls',
  'approvals',
  'isPersonSpeaking',
  'isResponding',
  'isSpeaking',
  'media',
  'providerChange',
  'end',
]

export function changeState(state: VoiceState, fields: Partial<StateFields>): VoiceState {
  const next = { ...state, ...fields }
  return names.every((name) => state[name] === next[name]) ? state : withPhase(next)
}

/** Returns the state after an event. */
export function stepState(state: VoiceState, event: SessionEvent): Partial<StateFields> {
  return {
    transcript: stepTranscript(state.transcript, event),
    calls: stepToolCalls(state.calls, event),
    ...flagsOf(state, event),
  }
}

/** Returns the state after the end of a session. Nothing in it is active. */
export function endSession(state: VoiceState): Partial<StateFields> {
  return {
    transcript: endTranscript(state.transcript),
    calls: endCalls(state.calls),
    isPersonSpeaking: false,
    isResponding: false,
  }
}

function flagsOf(state: VoiceState, event: SessionEvent): Partial<StateFields> {
  switch (event.type) {
    case 'ready':
      return { connection: 'open' }
    case 'speech.started':
      return { isPersonSpeaking: true }
    case 'speech.stopped':
    case 'speech.committed':
      return { isPersonSpeaking: false }
    case 'response.created':
      return { isResponding: true }
    case 'response.done':
      return event.status === 'completed'
        ? { isResponding: false, providerChange: null }
        : { isResponding: false }
    case 'session.provider_changed':
      // A session can also start with another model than the agent's own.
      return state.connection === 'open' ? { isPersonSpeaking: false, providerChange: event.data } : {}
    default:
      return {}
  }
}

function withPhase(fields: StateFields): VoiceState {
  return { ...fields, phase: phaseOf(fields) }
}

function phaseOf({ connection, isSpeaking, isResponding, calls }: StateFields): VoiceState['phase'] {
  if (connection !== 'open') return connection
  if (isSpeaking) return 'speaking'
  return isResponding || calls.some(({ status }) => status === 'running') ? 'thinking' : 'listening'
}
