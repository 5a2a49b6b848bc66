import type { Leg, LegListener } from './leg.js'
import type { DialOptions } from './line-options.js'
import type { RegistrationState } from './sip/registration.js'

/** An address of the line's server. */
export interface ServerAddress {
  /** IPv4. */
  readonly address: string
  readonly port: number
}

export interface LineListener {
  registration(state: RegistrationState): void
  /** Called for a call from outside. Returns the listener of its leg. */
  called(leg: Leg): LegListener
  /**
   * Returns the addresses of the line's server, the preferred one first. Asked when the line opens, and at most once a
   * minute after that; the line keeps the last addresses if there are none. By default, DNS is asked.
   */
  locate?(): Promise<readonly ServerAddress[]>
}

/** An account that makes and receives calls. */
export interface Line {
  dial(options: DialOptions, listener: LegListener): Leg
  /** Removes the registration and takes no more calls. Calls go on. */
  drain(): Promise<void>
  /** Removes the registration and ends all calls. */
  close(): Promise<void>
}
