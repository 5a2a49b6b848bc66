import { closeCodes } from '@parley/contract'
import type { Timers } from '../../../ports/time.js'
import type { ProviderCandidate } from '../opening/accept-session.js'
import type { HiddenFrames } from '../protocol/hidden-frames.js'
import type { RelaySide } from '../relay/relay-side.js'
import type { Traffic, Watchdog } from './watchdog.js'

const checkMilliseconds = 5000
/** How long a provider may be silent while it owes something. A model may think for a while during a response. */
const silenceMilliseconds = { request: 10_000, reaction: 10_000, response: 30_000 } as const

/** The provider of an open session. */
export interface OpenProvider {
  readonly side: RelaySide
  readonly candidate: ProviderCandidate
  readonly openedAt: number
  /** The frames that the client does not receive. Null for the first provider. */
  readonly hidden: HiddenFrames | null
  readonly pong: () => void
  /** Closes the socket, and stops everything that belongs to it. */
  readonly leave: () => void
}

/** The provider must answer a request, react to speech, end a response, or nothing. */
export type OwedByProvider = keyof typeof silenceMilliseconds | 'nothing'

interface WatchedProvider {
  readonly timers: Timers
  readonly watchdog: Watchdog
  readonly traffic: Pick<Traffic, 'lastProviderFrameAt'>
  readonly side: RelaySide
  /** Null if the provider's silence does not matter, because the session cannot move. */
  readonly owed: (() => OwedByProvider) | null
  readonly onLost: () => void
}

/**
 * Calls `onLost` once the provider no longer responds to pings, or owes something but has sent nothing for too long. A
 * provider that may choose not to react to speech is pinged, and a pong counts as a reaction.
 */
export function watchProvider({
  timers,
  watchdog,
  traffic,
  side: { socket, gate, pump },
  owed,
  onLost,
}: WatchedProvider): Pick<OpenProvider, 'pong' | 'leave'> {
  const { pong, stop } = watchdog.watch({ socket, gate, onLost })
  let pongAt = Number.NEGATIVE_INFINITY
  let debt: { readonly owed: keyof typeof silenceMilliseconds; readonly since: number } | null = null
  let cancel: () => void = () => undefined
  const check = (owedNow: OwedByProvider) => {
    const now = timers.monotonic()
    const frameAt = traffic.lastProviderFrameAt
    const heardAt = debt?.owed === 'reaction' ? Math.max(frameAt, pongAt) : frameAt
    if (gate.isPaused || (debt !== null && heardAt > debt.since)) debt = null
    if (owedNow !== 'nothing') debt ??= { owed: owedNow, since: now }
    if (debt !== null && now - debt.since >= silenceMilliseconds[debt.owed]) return onLost()
    if (debt?.owed === 'reaction') socket.ping()
    checkLater()
  }
  const checkLater = () => {
    if (owed !== null) cancel = timers.after(checkMilliseconds, () => check(owed()))
  }
  checkLater()
  return {
    pong: () => {
      pongAt = timers.monotonic()
      pong()
    },
    leave: () => {
      stop()
      cancel()
      pump.leave()
      socket.close(closeCodes.client_left, '')
    },
  }
}
