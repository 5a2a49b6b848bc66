import type { AdmittedCall, Leg, LegListener } from '@parley/telephone'

/** A leg that a call takes over. Before that, nothing that its peer does has an effect. */
export interface CallLeg extends Leg {
  admit(call: AdmittedCall, listener: LegListener): void
  /** Ends a leg that no call takes over. */
  refuse(): void
}
