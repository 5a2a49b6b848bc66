import type { Leg, LegListener } from './leg.js'
import type { DialOptions } from './line-options.js'
import type { RegistrationState } from './sip/registration.js'

export interface LineListener {
  registration(state: RegistrationState): void
  /** Called for a call from outside. Returns the listener of its leg. */
  called(leg: Leg): LegListener
}

/** An account that makes and receives calls. */
export interface Line {
  dial(options: DialOptions, listener: LegListener): Leg
  /** Removes the registration and takes no more calls. Calls go on. */
  drain(): Promise<void>
  /** Removes the registration and ends all calls. */
  close(): Promise<void>
}
