import type { RealtimeSession } from '@parley/sdk'

export type EndReason = NonNullable<RealtimeSession['endReason']>

interface EndWords {
  readonly words: string
  /** Green: normal. Gray: no fault. Orange: a limit. Red: a failure. */
  readonly color: 'green' | 'gray' | 'orange' | 'red'
}

/** The labels of end reasons. */
export const endWords: Readonly<Record<EndReason, EndWords>> = {
  client_left: { words: 'Client disconnected', color: 'green' },
  client_lost: { words: 'Client connection lost', color: 'gray' },
  terminated: { words: 'Ended manually', color: 'gray' },
  draining: { words: 'Service shut down', color: 'gray' },
  idle_timeout: { words: 'Idle timeout', color: 'orange' },
  max_duration: { words: 'Max duration reached', color: 'orange' },
  message_too_big: { words: 'Message too large', color: 'orange' },
  budget_exceeded: { words: 'Budget exceeded', color: 'orange' },
  slow_consumer: { words: 'Client too slow', color: 'orange' },
  provider_unavailable: { words: 'Provider unavailable', color: 'red' },
  provider_closed: { words: 'Provider disconnected', color: 'red' },
  instance_lost: { words: 'Instance lost', color: 'red' },
  refused: { words: 'Rejected at start', color: 'red' },
  internal: { words: 'Internal error', color: 'red' },
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
