/** A request of a carrier: a webhook or the handshake of a media socket. */
export interface CarrierRequest {
  readonly method: string
  /**
   * The configured public address with the path and query of the request. Never built from the `Host` header, because
   * signatures cover it. A handshake has the scheme `wss:`.
   */
  readonly url: string
  /** Names in lower case, as in Node. */
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>
  /** The unparsed body. Empty for a handshake. */
  readonly body: string
}

/** Chosen by the route that received the request, never by its headers: a sender could then avoid the signature. */
export type CarrierRequestKind = 'webhook' | 'handshake'

/** The HTTP answer to a webhook. */
export interface WebhookAnswer {
  readonly contentType: string
  readonly body: string
}

export interface CarrierCall {
  readonly callId: string
  /** `out`: our own call was answered and asks for its stream, as at Plivo. Answer it like an incoming call. */
  readonly direction: 'in' | 'out'
  /** E.164 or an address such as `sip:anna@example.com`. Null if the caller withholds the number. */
  readonly from: string | null
  readonly to: string
}

/** The name under which carriers return the token of a stream. */
export const tokenParameter = 'token'

/** The media socket that the carrier opens. */
export interface StreamTarget {
  readonly url: string
  /** Admits one socket. Comes back in the stream's start. Letters and digits only, because Plivo allows no others. */
  readonly token: string
}

export interface DialRequest extends StreamTarget {
  readonly to: string
  readonly from: string
  /**
   * Receives the call's states. It should name the call: at Plivo the ID that `dial` returns is the ID of a request, and
   * later webhooks and the stream have the ID of the call.
   */
  readonly statusUrl: string
  /** Only for Plivo, which asks for the stream there when the call is answered. */
  readonly answerUrl?: string
  /** Ends an unanswered call. */
  readonly ringSeconds: number
  /** Ends an answered call. */
  readonly maxSeconds: number
  /** Asks the carrier to report answering machines. */
  readonly detectsVoicemail: boolean
  /** Makes repetitions of this request harmless at carriers that support it. */
  readonly idempotencyKey: string
}

export interface Transfer {
  readonly to: string
  /** The number that the new party sees. Null for the carrier's default, usually the caller's. */
  readonly from: string | null
  /** Our number of the call. Vonage shows no other. */
  readonly ownNumber?: string
}

export type CallOutcome = 'answered' | 'busy' | 'no_answer' | 'rejected' | 'failed' | 'voicemail'

/** A state that the carrier reports. Reports may arrive late, twice or out of order. */
export interface CallStatus {
  readonly callId: string
  readonly state: 'dialing' | 'ringing' | 'up' | 'ended'
  /** Null while it is open. `voicemail` may follow `answered`. */
  readonly outcome: CallOutcome | null
}

export type RejectReason = 'busy' | 'rejected'

/** The part of `fetch` that carriers need. */
export type CarrierFetch = (
  url: string,
  request: {
    readonly method: string
    readonly headers: Record<string, string>
    readonly body?: string
    /** Rejects. A redirect would send the credentials elsewhere. */
    readonly redirect: 'error'
    readonly signal: AbortSignal
  },
) => Promise<{ readonly status: number; readonly body: AsyncIterable<Uint8Array> | null }>

export interface CarrierOptions {
  /** Sends requests to the carrier's API. */
  readonly fetch: CarrierFetch
  /** Milliseconds since 1970. */
  readonly now?: () => number
}

/** An account at a carrier: signatures, webhooks and commands. The media socket is `StreamLeg`. */
export interface Carrier {
  /**
   * Present if answers to an incoming call are commands of their own, and not the response to its webhook. A repeated
   * webhook must not be answered then, because the command would reach the call that is active.
   */
  readonly answersByCommand?: true
  /** Present if `dial` returns the ID of a request. Webhooks and the stream of the call name the ID of the call. */
  readonly namesCallsLater?: true
  /**
   * Returns true if the carrier sent this webhook or handshake. Telnyx signs no handshakes, and for Plivo it is not
   * documented, so these are accepted without a signature. The token of the start must be checked in any case. Without a
   * kind, the request counts as a webhook.
   */
  isAuthentic(request: CarrierRequest, kind?: CarrierRequestKind): boolean
  /**
   * Present if the carrier sends webhooks that need no decision of the service. Returns their answer, or null for other
   * webhooks. Must be called before the webhook is read in other ways.
   */
  react?(request: CarrierRequest): Promise<WebhookAnswer | null>
  /** Returns the call that a webhook announces, or null if the webhook is about something else. */
  readIncomingCall(request: CarrierRequest): CarrierCall | null
  /** Returns the state that a webhook reports, or null if it reports none. */
  readStatus(request: CarrierRequest): CallStatus | null
  /** Answers an incoming call and connects it to a media socket. */
  answer(call: CarrierCall, stream: StreamTarget): Promise<WebhookAnswer>
  /** Refuses an incoming call before it is answered. */
  reject(call: CarrierCall, reason: RejectReason): Promise<WebhookAnswer>
  /** Answers an incoming call with a spoken sentence and hangs up. */
  say(call: CarrierCall, sentence: Sentence): Promise<WebhookAnswer>
  /** Starts a call and returns its ID. Throws `CarrierError`. */
  dial(call: DialRequest): Promise<string>
  /** Asks the API whether it accepts the account. Throws `CarrierError` if not. */
  check(): Promise<void>
  hangUp(callId: string): Promise<void>
  transfer(callId: string, transfer: Transfer): Promise<void>
  /** Absent if the carrier cannot send digits over its API. */
  sendDigits?(callId: string, digits: string): Promise<void>
}

export interface Sentence {
  readonly text: string
  /** A BCP 47 tag, such as `de-DE`. */
  readonly language: string | null
}
