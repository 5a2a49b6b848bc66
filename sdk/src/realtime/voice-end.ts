/** Why the service closes a session; also the `code` of the `error` event that comes before. */
export type ClosedReason =
  | 'client_left'
  | 'message_too_big'
  | 'internal'
  | 'draining'
  | 'max_duration'
  | 'idle_timeout'
  | 'provider_unavailable'
  | 'provider_closed'
  | 'slow_consumer'
  | 'terminated'

/** Why it ended: a reason of the service, or one that only the client can know. */
export type VoiceEndReason =
  | ClosedReason
  /** Your function, or the address you gave, returned no session. */
  | 'ticket_failed'
  /** The service did not let the socket open; `errorCode` says why. */
  | 'refused'
  /** There is no microphone, or it must not be used. */
  | 'microphone_unavailable'
  /** Sound cannot be played or recorded on this page. */
  | 'audio_unavailable'
  /** The connection broke without a word. */
  | 'connection_lost'

export interface VoiceEnd {
  readonly reason: VoiceEndReason
  /** What happened and what to do, for a person. */
  readonly message: string
  /** The service's `errorCode` where a handshake was refused. */
  readonly errorCode: string | null
  /** The WebSocket's close code; null where none was open. */
  readonly closeCode: number | null
  /** Whether a new session on the same conversation makes sense. */
  readonly canResume: boolean
}

/** Thrown where a voice did not come to be. */
export class VoiceError extends Error {
  override readonly name = 'VoiceError'
  readonly end: VoiceEnd

  constructor(end: VoiceEnd) {
    super(end.message)
    this.end = end
  }
}

interface ReasonFacts {
  readonly code: number
  readonly words: string
  readonly canResume: boolean
  /** Whether the client asks for another session by itself. */
  readonly reconnects: boolean
}

/** The close code of whoever leaves. */
export const leftCode = 1000

const never = { canResume: false, reconnects: false } as const
const byHand = { canResume: true, reconnects: false } as const
const byItself = { canResume: true, reconnects: true } as const

const facts: Readonly<Record<ClosedReason | 'connection_lost', ReasonFacts>> = {
  client_left: { code: leftCode, words: 'You left.', ...byHand },
  connection_lost: { code: 1006, words: 'The connection was lost.', ...byItself },
  message_too_big: { code: 1009, words: 'A message was larger than the service takes.', ...byHand },
  internal: { code: 1011, words: 'The service had a problem of its own.', ...byItself },
  draining: { code: 1012, words: 'The service is being updated.', ...byItself },
  max_duration: { code: 4000, words: 'The longest time of a session is over.', ...byItself },
  idle_timeout: { code: 4001, words: 'Nobody said anything for a while.', ...byHand },
  provider_unavailable: { code: 4002, words: 'The model could not be reached.', ...byHand },
  provider_closed: { code: 4003, words: 'The model closed the connection.', ...byItself },
  slow_consumer: { code: 4004, words: 'The network is too slow for the audio.', ...byHand },
  terminated: { code: 4005, words: 'An operator ended the session.', ...never },
}

type KnownReason = keyof typeof facts

/** A socket closed: what its code means. */
export function endOfClose(closeCode: number): VoiceEnd {
  const named = Object.entries(facts).find(([, { code }]) => code === closeCode)?.[0]
  const reason = named !== undefined && isKnown(named) ? named : 'connection_lost'
  const { words, canResume } = facts[reason]
  return { reason, message: words, errorCode: null, closeCode, canResume }
}

/** It ended before a socket was open. */
export function endBefore(
  reason: Exclude<VoiceEndReason, KnownReason>,
  message: string,
  errorCode: string | null = null,
): VoiceEnd {
  return { reason, message, errorCode, closeCode: null, canResume: true }
}

export function mayReconnect(end: VoiceEnd): boolean {
  return isKnown(end.reason)
    ? facts[end.reason].reconnects
    : end.errorCode === null && end.reason === 'refused'
}

function isKnown(reason: string): reason is KnownReason {
  return Object.hasOwn(facts, reason)
}
