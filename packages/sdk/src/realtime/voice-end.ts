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
  readonly words: string
  readonly canResume: boolean
  /** Whether the client reconnects automatically. */
  readonly reconnects: boolean
}

/** The close code of a client that leaves. */
export const leftCode = closeCodes.client_left

const never = { canResume: false, reconnects: false } as const
const byHand = { canResume: true, reconnects: false } as const
const byItself = { canResume: true, reconnects: true } as const

const facts: Readonly<Record<EndReason | 'connection_lost', ReasonFacts>> = {
  client_left: { words: 'Session ended.', ...byHand },
  connection_lost: { words: 'The connection was lost.', ...byItself },
  message_too_big: { words: 'A message was too large.', ...byHand },
  internal: { words: 'The service had an internal error.', ...byItself },
  draining: { words: 'The service is being updated.', ...byItself },
  max_duration: { words: 'The session reached its maximum duration.', ...byItself },
  idle_timeout: { words: 'The session was idle for too long.', ...byHand },
  provider_unavailable: { words: 'The model could not be reached.', ...byHand },
  provider_closed: { words: 'The model closed the connection.', ...byItself },
  slow_consumer: { words: 'The network is too slow for the audio.', ...byHand },
  terminated: { words: 'An operator ended the session.', ...never },
  budget_exceeded: { words: 'The budget is used up.', ...never },
}

type KnownReason = keyof typeof facts

/** Returns the end for a close code. */
export function endOfClose(closeCode: number): VoiceEnd {
  const named = Object.entries(closeCodes).find(([, code]) => code === closeCode)?.[0]
  const reason = named !== undefined && isKnown(named) ? named : 'connection_lost'
  const { words, canResume } = facts[reason]
  return { reason, message: words, errorCode: null, closeCode, canResume }
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
