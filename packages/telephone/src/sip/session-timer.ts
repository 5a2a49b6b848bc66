import type { Timers } from '../time.js'
import { parseParameters, splitOutside } from './header-value.js'
import { type Header, hasWord, headerOf, type SipMessage, secondsIn } from './message.js'

export interface SessionTimerListener {
  /** Called at half of the interval, if this side refreshes. */
  refresh(): void
  /** Called if the other side did not refresh in time. */
  expired(): void
}

/** The session interval of a message: RFC 4028. */
export interface SessionInterval {
  readonly seconds: number
  readonly refresher: 'uac' | 'uas' | null
}

/** A day. Peers may ask for 30 years. */
const maxSeconds = 86_400

/** Returns the interval in a message, shortened to the maximum, or null if it has none. */
export function sessionIntervalOf(message: SipMessage): SessionInterval | null {
  const seconds = secondsIn(message, 'session-expires')
  if (seconds === null) return null
  const parameters = parseParameters(splitOutside(headerOf(message, 'session-expires'), ';').slice(1))
  const refresher = parameters.get('refresher')?.toLowerCase()
  return {
    seconds: Math.min(seconds, maxSeconds),
    refresher: refresher === 'uac' || refresher === 'uas' ? refresher : null,
  }
}

export function sessionHeader({ seconds, refresher }: SessionInterval): Header {
  return ['session-expires', `${seconds}${refresher === null ? '' : `;refresher=${refresher}`}`]
}

/**
 * Returns the interval with which the called side of a request answers, or null for none. This side refreshes unless the
 * request says otherwise: the peer then notices if this process dies.
 */
export function chooseInterval(request: SipMessage, ownSeconds: number): SessionInterval | null {
  const asked = sessionIntervalOf(request)
  if (asked) return { seconds: asked.seconds, refresher: asked.refresher ?? 'uas' }
  const isSupported = hasWord(request, 'supported', 'timer')
  return ownSeconds > 0 && isSupported ? { seconds: ownSeconds, refresher: 'uas' } : null
}

/** Ends a session whose other side is gone, and refreshes it for the other side. */
export class SessionTimer {
  readonly #timers: Timers
  readonly #listener: SessionTimerListener
  #cancel = () => {}
  #seconds = 0

  constructor(timers: Timers, listener: SessionTimerListener) {
    this.#timers = timers
    this.#listener = listener
  }

  /** The negotiated interval, or 0. */
  get seconds(): number {
    return this.#seconds
  }

  /** Called again after each refresh. */
  start(seconds: number, isRefresher: boolean): void {
    this.#cancel()
    this.#seconds = seconds
    // RFC 4028 section 10: a third of the interval, at most 32 s, remains for the BYE.
    const wait = isRefresher ? seconds / 2 : seconds - Math.min(32, seconds / 3)
    // An interval of 0 would refresh without a pause.
    this.#cancel = this.#timers.after(Math.max(1, wait) * 1000, () =>
      isRefresher ? this.#listener.refresh() : this.#listener.expired(),
    )
  }

  stop(): void {
    this.#seconds = 0
    this.#cancel()
  }
}
