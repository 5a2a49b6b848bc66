import { closeCodes, type EndReason } from '../generated/schemas/session-events.js'

/** Why it ended: a reason of the service, or one that only the client can know. */
export type VoiceEndReason =
  | EndReason
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
  readonly words: string
  readonly canResume: boolean
  /** Whether the client asks for another session by itself. */
  readonly reconnects: boolean
}

/** The close code of whoever leaves. */
export const leftCode = closeCodes.client_left

const never = { canResume: false, reconnects: false } as const
const byHand = { canResume: true, reconnects: false } as const
const byItself = { canResume: true, reconnects: true } as const

const facts: Readonly<Record<EndReason | 'connection_lost', ReasonFacts>> = {
  client_left: { words: 'You left.', ...byHand },
  connection_lost: { words: 'The connection was lost.', ...byItself },
  message_too_big: { words: 'A message was larger than the service takes.', ...byHand },
  internal: { words: 'The service had a problem of its own.', ...byItself },
  draining: { words: 'The service is being updated.', ...byItself },
  max_duration: { words: 'The longest time of a session is over.', ...byItself },
  idle_timeout: { words: 'Nobody said anything for a while.', ...byHand },
  provider_unavailable: { words: 'The model could not be reached.', ...byHand },
  provider_closed: { words: 'The model closed the connection.', ...byItself },
  slow_consumer: { words: 'The network is too slow for the audio.', ...byHand },
  terminated: { words: 'An operator ended the session.', ...never },
  budget_exceeded: { words: 'The budget for this is used up.', ...never },
}

type KnownReason = keyof typeof facts

/** A socket closed: what its code means. */
export function endOfClose(closeCode: number): VoiceEnd {
  const named = Object.entries(closeCodes).find(([, code]) => code === closeCode)?.[0]
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

/** Whether the client asks for another session by itself. A session that was refused for what it is stays refused. */
export function mayReconnect({ reason, errorCode }: VoiceEnd): boolean {
  if (isKnown(reason)) return facts[reason].reconnects
  return reason === 'refused' && !errorCode?.startsWith('Realtime')
}

function isKnown(reason: string): reason is KnownReason {
  return Object.hasOwn(facts, reason)
}
