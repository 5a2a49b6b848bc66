import type { RealtimeSession } from '@parley/sdk'

export type EndReason = NonNullable<RealtimeSession['endReason']>

interface EndWords {
  readonly words: string
  /** Green: normal. Gray: no fault. Orange: a limit. Red: a failure. */
  readonly color: 'green' | 'gray' | 'orange' | 'red'
}

/** The labels of end reasons. */
export const endWords: Readonly<Record<EndReason, EndWords>> = {
  client_left: { words: 'The client left', color: 'green' },
  client_lost: { words: 'The client was lost', color: 'gray' },
  terminated: { words: 'Ended by somebody', color: 'gray' },
  draining: { words: 'The service shut down', color: 'gray' },
  idle_timeout: { words: 'Nobody spoke', color: 'orange' },
  max_duration: { words: 'The longest time was over', color: 'orange' },
  message_too_big: { words: 'A message was too big', color: 'orange' },
  budget_exceeded: { words: 'The budget was used up', color: 'orange' },
  slow_consumer: { words: 'The client read too slowly', color: 'orange' },
  provider_unavailable: { words: 'The provider was not reached', color: 'red' },
  provider_closed: { words: 'The provider closed', color: 'red' },
  instance_lost: { words: 'The instance was lost', color: 'red' },
  refused: { words: 'Refused at the start', color: 'red' },
  internal: { words: 'The service failed', color: 'red' },
}

export const endReasons = Object.keys(endWords) as readonly EndReason[]

/** The state of a session that is not running. */
export function outcomeWords({ state, endReason, startedAt, endedAt }: RealtimeSession): EndWords {
  if (endReason !== null) return endWords[endReason]
  if (startedAt !== null && endedAt === null) return { words: 'Running', color: 'green' }
  if (state === 'issued') return { words: 'Not connected yet', color: 'gray' }
  return { words: 'Never connected', color: 'gray' }
}

/** The duration in seconds, or null if it never ran. `now` is used for running sessions. */
export function lengthOf({ startedAt, endedAt }: RealtimeSession, now = Date.now()): number | null {
  if (startedAt === null) return null
  const end = endedAt === null ? now : Date.parse(endedAt)
  return Math.max(0, (end - Date.parse(startedAt)) / 1000)
}
