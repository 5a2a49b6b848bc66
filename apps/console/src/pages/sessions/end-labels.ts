import type { RealtimeSession } from '@parley/sdk'

export type EndReason = NonNullable<RealtimeSession['endReason']>

interface EndLabel {
  readonly label: string
  /** Green: running. Gray: ended without fault. Orange: a limit. Red: a failure. */
  readonly color: 'green' | 'gray' | 'orange' | 'red'
}

export const endLabels: Readonly<Record<EndReason, EndLabel>> = {
  client_left: { label: 'Client disconnected', color: 'gray' },
  client_lost: { label: 'Client connection lost', color: 'gray' },
  terminated: { label: 'Ended manually', color: 'gray' },
  draining: { label: 'Service shut down', color: 'gray' },
  idle_timeout: { label: 'Idle timeout', color: 'orange' },
  max_duration: { label: 'Max duration reached', color: 'orange' },
  message_too_big: { label: 'Message too large', color: 'orange' },
  budget_exceeded: { label: 'Budget exceeded', color: 'orange' },
  slow_consumer: { label: 'Client too slow', color: 'orange' },
  provider_unavailable: { label: 'Provider unavailable', color: 'red' },
  provider_closed: { label: 'Provider disconnected', color: 'red' },
  instance_lost: { label: 'Instance lost', color: 'red' },
  refused: { label: 'Rejected at start', color: 'red' },
  internal: { label: 'Internal error', color: 'red' },
}

export const endReasons = Object.keys(endLabels) as readonly EndReason[]

/** The state of a session that is not running. */
export function outcomeLabel({ state, endReason, startedAt, endedAt }: RealtimeSession): EndLabel {
  if (endReason !== null) return endLabels[endReason]
  if (startedAt !== null && endedAt === null) return { label: 'Running', color: 'green' }
  if (state === 'issued') return { label: 'Not connected yet', color: 'gray' }
  return { label: 'Never connected', color: 'gray' }
}

/** The duration in seconds, or null if it never ran. `now` is used for running sessions. */
export function lengthOf({ startedAt, endedAt }: RealtimeSession, now = Date.now()): number | null {
  if (startedAt === null) return null
  const end = endedAt === null ? now : Date.parse(endedAt)
  return Math.max(0, (end - Date.parse(startedAt)) / 1000)
}
