/**
 * The end reasons of realtime sessions, with their WebSocket close codes. The reason is the `code` of the `error` event that
 * precedes the close frame. It is stored with the session.
 */
export const closeCodes = {
  client_left: 1000,
  message_too_big: 1009,
  internal: 1011,
  draining: 1012,
  max_duration: 4000,
  idle_timeout: 4001,
  provider_unavailable: 4002,
  provider_closed: 4003,
  slow_consumer: 4004,
  terminated: 4005,
  budget_exceeded: 4006,
} as const

export type ClosedReason = keyof typeof closeCodes

/** End reasons that are stored but never sent, because the client or the instance is gone. */
export const silentReasons = ['client_lost', 'instance_lost', 'refused'] as const

export type EndReason = ClosedReason | (typeof silentReasons)[number]

const closedReasons = Object.keys(closeCodes) as [ClosedReason, ...ClosedReason[]]

export const endReasons = [...closedReasons, ...silentReasons] as const
