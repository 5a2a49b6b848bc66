import type { PhoneConnectionTest } from '@parley/contract'
import type { FrameSocket } from '@parley/relay-socket'
import type { Carrier, CarrierCall, CarrierRequest } from '@parley/telephone'
import type { CallLeg } from './call-leg.js'
import type { PhoneConnectionRecord } from './phone-stores.js'

/** The first message of a media socket. Its sender is unauthenticated until the token is checked. */
export interface StreamStart {
  /** Empty if the provider does not name the call here. */
  readonly callId: string
  readonly token: string | null
}

/** A media socket of a carrier. It becomes the leg of a call when the service admits it. */
export interface StreamLeg extends CallLeg {
  /** Rejects if the socket names no call in time. */
  readonly started: Promise<StreamStart>
  /** Closes an unauthenticated socket. The call that it named is not affected. */
  refuse(): void
}

/** The media sockets of a phone connection. */
export interface MediaSockets {
  /** The WebSocket subprotocol that the provider requires, or null. */
  readonly subprotocol: string | null
  /** Whether an authentic handshake proves its origin. Otherwise, only the token of its first message does. */
  readonly isProvenByHandshake: boolean
  isAuthentic(handshake: CarrierRequest): boolean
  /** Present if calls start with the handshake. Returns the call, or null if the handshake names none. */
  readIncomingCall?(handshake: CarrierRequest): CarrierCall | null
  /** Reads the media socket of a handshake. Calls `hangUpFailed` if the provider does not hang up the call at its end. */
  legOf(
    socket: FrameSocket,
    handshake: CarrierRequest,
    hangUpFailed: (providerCallId: string) => void,
  ): StreamLeg
}

export interface CarrierFailure {
  readonly detail: string
  /** Whether the provider refused the account. */
  readonly isOfAccount: boolean
  /** Whether another attempt may help. */
  readonly isTemporary: boolean
  /** Whether the provider may have acted anyway. */
  readonly isOutcomeUnknown: boolean
}

/** Telephone providers that send the audio of calls over WebSockets. */
export interface Carriers {
  /** Asks the provider whether it accepts the account. */
  test(connection: PhoneConnectionRecord): Promise<Omit<PhoneConnectionTest, 'durationMilliseconds'>>
  /** Returns the provider of a phone connection, or null if it has no API or `problemOf` returns a problem. */
  of(connection: PhoneConnectionRecord): Carrier | null
  /** Returns why the phone connection cannot be used, or null. */
  problemOf(connection: PhoneConnectionRecord): string | null
  /** Returns the media sockets of a phone connection, or null if it has none or cannot be used. */
  mediaOf(connection: PhoneConnectionRecord): MediaSockets | null
  /** Returns why a request failed, or null if the error has another origin. */
  failureOf(error: unknown): CarrierFailure | null
}
