import type { PhoneConnectionTest } from '@parley/contract'
import type { FrameSocket } from '@parley/relay-socket'
import type { Carrier } from '@parley/telephone'
import type { CallLeg } from './call-leg.js'
import type { PhoneConnectionRecord } from './phone-stores.js'

/** The first message of a media socket. Its sender may be a stranger until the token is checked. */
export interface StreamStart {
  readonly callId: string
  readonly token: string | null
}

/** A media socket of a carrier. It becomes the leg of a call when the service admits it. */
export interface StreamLeg extends CallLeg {
  /** Rejects if the socket names no call in time. */
  readonly started: Promise<StreamStart>
  /** Closes the socket of a stranger. The call that it named is not touched. */
  refuse(): void
}

export interface CarrierFailure {
  readonly detail: string
  /** Whether the provider refused the account. */
  readonly isOfAccount: boolean
  /** Whether the provider may have acted anyway. */
  readonly isOutcomeUnknown: boolean
}

/** Telephone providers. */
export interface Carriers {
  /** Asks the provider whether it accepts the account. */
  test(connection: PhoneConnectionRecord): Promise<Omit<PhoneConnectionTest, 'durationMilliseconds'>>
  /** Returns the provider of a phone connection, or null if no secret is stored. */
  of(connection: PhoneConnectionRecord): Carrier | null
  /** Reads the media socket of a provider. */
  legOf(carrier: Carrier, socket: FrameSocket): StreamLeg
  /** Returns why a request failed, or null if the error has another origin. */
  failureOf(error: unknown): CarrierFailure | null
}
