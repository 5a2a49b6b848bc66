import { closeCodes, type EndReason } from '../generated/schemas/session-events.js'

/** The end reason: one of the service, or one that only the client knows. */
export type VoiceEndReason =
  | EndReason
  /** Your function or URL returned no session. */
  | 'ticket_failed'
  /** The service rejected the socket. `errorCode` says why. */
  | 'refused'
  /** The microphone is missing or not allowed. */
  | 'microphone_unavailable'
  /** The page cannot play or record audio. */
  | 'audio_unavailable'
  /** The connection broke without a close frame. */
  | 'connection_lost'

export interface VoiceEnd {
  readonly reason: VoiceEndReason
  /** What happened and what to do. */
  readonly message: string
  /** The service's `errorCode` if the handshake was rejected. */
  readonly errorCode: string | null
  /** The WebSocket's close code. Null if it never opened. */
  readonly closeCode: number | null
  /** Whether a new session in the same conversation can help. */
  readonly canResume: boolean
}

/** Thrown if a voice could not start. */
export class VoiceError extends Error {
  override readonly name = 'VoiceError'
  readonly end: VoiceEnd

  constructor(end: VoiceEnd) {
    super(end.message)
    this.end = end
  }
}

interface ReasonFacts {
  readonly message: string
  readonly canResume: boolean
  /** Whether the client reconnects automatically. */
  readonly reconnects: boolean
}

/** The close code of a client that leaves. */
export const leftCode = closeCodes.client_left

const never = { canResume: false, reconnects: false } as const
const manually = { canResume: true, reconnects: false } as const
const automatically = { canResume: true, reconnects: true } as const

const facts: Readonly<Record<EndReason | 'connection_lost', ReasonFacts>> = {
  client_left: { message: 'Session ended.', ...manually },
  connection_lost: { message: 'The connection was lost.', ...automatically },
  message_too_big: { message: 'A message was too large.', ...manually },
  internal: { message: 'The service had an internal error.', ...automatically },
  draining: { message: 'The service is being updated.', ...automatically },
  max_duration: { message: 'The session reached its maximum duration.', ...automatically },
  idle_timeout: { message: 'The session was idle for too long.', ...manually },
  provider_unavailable: { message: 'The model could not be reached.', ...manually },
  provider_closed: { message: 'The model closed the connection.', ...automatically },
  slow_consumer: { message: 'The network is too slow for the audio.', ...manually },
  terminated: { message: 'An operator ended the session.', ...never },
  budget_exceeded: { message: 'The budget is used up.', ...never },
}

type KnownReason = keyof typeof facts

/** Returns the end for a close code. */
export function endOfClose(closeCode: number): VoiceEnd {
  const named = Object.entries(closeCodes).find(([, code]) => code === closeCode)?.[0]
  const reason = named !== undefined && isKnown(named) ? named : 'connection_lost'
  const { message, canResume } = facts[reason]
  return { reason, message: message, errorCode: null, closeCode, canResume }
}

/** Returns the end of a session whose socket never opened. */
export function endBefore(
  reason: Exclude<VoiceEndReason, KnownReason>,
  message: string,
  errorCode: string | null = null,
): VoiceEnd {
  return { reason, message, errorCode, closeCode: null, canResume: true }
}

/** Whether the client reconnects automatically. A rejected session stays rejected. */
export function mayReconnect({ reason, errorCode }: VoiceEnd): boolean {
  if (isKnown(reason)) return facts[reason].reconnects
  return reason === 'refused' && !errorCode?.startsWith('Realtime')
}

function isKnown(reason: string): reason is KnownReason {
  return Object.hasOwn(facts, reason)
}
