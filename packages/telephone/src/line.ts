import type { Leg, LegListener } from './leg.js'
import type { DialOptions } from './line-options.js'
import type { NetworkAddress } from './network-address.js'
import type { RegistrationState } from './sip/registration.js'

export interface LineListener {
  registration(state: RegistrationState): void
  /** Called for a call from outside. Returns the listener of its leg. */
  called(leg: Leg): LegListener
  /**
   * Returns the addresses of the server, the preferred one first. Called when the line opens and at most once a minute
   * afterwards. If the list is empty, the line keeps the previous addresses.
   */
  locate(): Promise<readonly NetworkAddress[]>
}

/** An account that makes and receives calls. */
export interface Line {
  dial(options: DialOptions, listener: LegListener): Leg
  /** Removes the registration and takes no more calls. Calls go on. */
  drain(): Promise<void>
  /** Removes the registration and ends all calls. */
  close(): Promise<void>
}
