import type { PhoneConnectionInput } from '@parley/contract'
import type { ApiRequest } from './scripted-api.js'

/** A webhook before it is signed. `query` is the part of the URL that the carrier adds. */
export interface Webhook {
  readonly method: 'GET' | 'POST'
  readonly query?: Readonly<Record<string, string>>
  readonly contentType?: string
  readonly body: string
}

export type Reported = 'ringing' | 'answered' | 'busy' | 'ended' | 'voicemail'

export interface Parties {
  readonly callId: string
  readonly from: string
  readonly to: string
}

export interface StreamTarget {
  readonly url: string
  readonly token: string
}

/** A carrier with an API, for tests: its requests, and how it reads ours. */
export interface CarrierScript {
  readonly kind: 'twilio' | 'telnyx' | 'plivo' | 'vonage'
  /** The account's fields of a phone connection. */
  readonly account: Pick<PhoneConnectionInput, 'kind' | 'accountId'> & {
    readonly secret: string
    readonly webhookSecret?: string
  }
  /** The body of the API's answer. `callId` is the ID of the dialed call. */
  respond(request: ApiRequest, callId: string): unknown
  /** The carrier announces a call. */
  announce(parties: Parties): Webhook
  /** The carrier reports a state of an outgoing call, or of an incoming one. */
  report(state: Reported, parties: Parties): Webhook
  /** Returns the headers that prove the origin of a webhook or handshake. */
  sign(webhook: Webhook, url: string): Readonly<Record<string, string>>
  signHandshake(url: string): Readonly<Record<string, string>>
  readonly subprotocols: readonly string[]
  /** Whether the answer to an announced call is a request to the API. */
  isAnswer?(request: ApiRequest, callId: string): boolean
  /** Returns the socket that the service asks for, in the answer to a webhook or in a request to the API. */
  streamIn(body: string): StreamTarget
  isDial(request: ApiRequest): boolean
  /** Reads a request that dials. If `asks` is set, the carrier asks there for the stream when the call is answered. */
  dialed(request: ApiRequest): {
    readonly to: string
    readonly statusUrl: string
    readonly asks: string | null
  }
  /** The webhook at `asks`. */
  askForStream?(parties: Parties): Webhook
  /** The call that the start of an outgoing stream names. */
  outgoingStart(callId: string): string
  isHangUp(request: ApiRequest, callId: string): boolean
  isTransfer(request: ApiRequest, callId: string): boolean
  /** Returns the digits of a request, or null. Absent if digits are not sent over the API. */
  digitsIn?(request: ApiRequest, callId: string): string | null
  /** Whether an answer to a webhook refuses the call. Absent if a refusal is a request to the API. */
  isRefusal?(body: string): boolean
}
