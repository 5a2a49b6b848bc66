import type { NetworkAddress } from '../network-address.js'
import type { Timers } from '../time.js'
import { AuthenticatedRequest } from './authenticated-request.js'
import type { Credentials } from './digest.js'
import { parseNameAddress, uriIn } from './header-value.js'
import { type Header, headersOf, makeToken, type SipRequest, type SipResponse, secondsIn } from './message.js'
import { seenAddress, type Transactions } from './transactions.js'
import { parseSipUri } from './uri.js'

export type RegistrationState =
  | { readonly kind: 'off' | 'registering' }
  | { readonly kind: 'registered'; readonly seconds: number }
  /** The status is null if the registrar did not answer. */
  | { readonly kind: 'failed'; readonly status: number | null; readonly reason: string }

export interface RegistrationOptions {
  readonly timers: Timers
  readonly transactions: Transactions
  readonly credentials: Credentials
  /** The address of record, for example `sip:ann@example.com`. */
  readonly address: string
  readonly registrarUri: string
  readonly expiresSeconds: number
  /** Resolves the registrar's address for each attempt, or returns null. */
  locate(): Promise<NetworkAddress | null>
  contact(): string
  /** Called with our address as the registrar saw it. Returns whether the Contact has changed. */
  seenAt(address: { readonly address: string; readonly port: number }): boolean
  changed(state: RegistrationState): void
}

const firstRetrySeconds = 5
const maxRetrySeconds = 300
/** A registrar that refuses the password would lock the account if asked more often. */
const refusedRetrySeconds = 600
/** A day. Registrars may grant 30 years. */
const maxRegistrationSeconds = 86_400
const unregisterMilliseconds = 2000
/** A NAT that changes the address with each packet must not cause a registration for each of them. */
const minMoveMilliseconds = 30_000

/**
 * RFC 3261 section 10.
 *
 *     registering ──200──► registered ──before the granted time is over──► registering
 *         └──4xx, 5xx, no answer──► failed ──after a growing wait──► registering
 */
export class Registration {
  readonly #options: RegistrationOptions
  readonly #callId = makeToken()
  readonly #fromTag = makeToken()
  #sequence = 0
  #wantedSeconds: number
  #failures = 0
  #isClosed = false
  /** Whether this registration is already the repetition with the seen address. A NAT could change it each time. */
  #hasMoved = false
  /** The generation of the newest attempt. Answers to older ones are ignored. */
  #attempt = 0
  #registeredContact: string | null = null
  /** The registrar that has the registration. */
  #registeredAt: NetworkAddress | null = null
  #movedAt = Number.NEGATIVE_INFINITY
  #cancelTimer = () => {}
  #state: RegistrationState = { kind: 'off' }

  constructor(options: RegistrationOptions) {
    this.#options = options
    this.#wantedSeconds = options.expiresSeconds
  }

  get state(): RegistrationState {
    return this.#state
  }

  start(): void {
    this.#change({ kind: 'registering' })
    void this.#register()
  }

  /** Called when the connection to the registrar is lost: others cannot reach this side any more. */
  disconnected(): void {
    if (this.#isClosed || this.#state.kind !== 'registered') return
    this.#change({ kind: 'registering' })
    this.#registerAfter(1)
  }

  /** Registers again at once. Called when the registrar sees another address of this side than before. */
  moved(): void {
    const now = this.#options.timers.monotonic()
    const isTooEarly = now - this.#movedAt < minMoveMilliseconds
    if (this.#isClosed || this.#state.kind !== 'registered' || isTooEarly) return
    this.#movedAt = now
    void this.#register()
  }

  /** Removes the registration. Resolves after the answer, at most two seconds later. */
  async close(): Promise<void> {
    if (this.#isClosed) return
    this.#isClosed = true
    this.#cancelTimer()
    // Locating the registrar again could take longer than the answer.
    const target = this.#registeredAt
    if (target) {
      await new Promise<void>((resolve) => {
        const cancel = this.#options.timers.after(unregisterMilliseconds, resolve)
        const done = () => {
          cancel()
          resolve()
        }
        this.#send(target, 0, (response) =>
          response === null || response.status >= 200 ? done() : undefined,
        )
      })
    }
    this.#change({ kind: 'off' })
  }

  async #register(): Promise<void> {
    this.#cancelTimer()
    this.#attempt += 1
    const attempt = this.#attempt
    const target = await this.#options.locate()
    if (this.#isClosed || attempt !== this.#attempt) return
    if (target === null) return this.#failed(null, 'The address of the registrar is unknown.')
    this.#send(target, this.#wantedSeconds, (response) => {
      if (this.#isClosed || attempt !== this.#attempt) return
      if (response === null) this.#failed(null, 'The registrar does not answer.')
      else if (response.status >= 200) this.#answered(response, target)
    })
  }

  #answered(response: SipResponse, target: NetworkAddress): void {
    const { status, reason } = response
    const minimum = Math.min(secondsIn(response, 'min-expires') ?? 0, maxRegistrationSeconds)
    // At the maximum, the registrar would refuse again at once.
    if (status === 423 && minimum > this.#wantedSeconds) {
      this.#wantedSeconds = minimum
      return void this.#register()
    }
    if (status >= 300) return this.#failed(status, reason, secondsIn(response, 'retry-after'))
    this.#registeredContact = this.#options.contact()
    this.#registeredAt = target
    // Behind a NAT, the registrar sees another address. Calls only arrive if the Contact names that one.
    const seen = seenAddress(response)
    if (!this.#hasMoved && seen && this.#options.seenAt(seen)) {
      this.#hasMoved = true
      return void this.#register()
    }
    this.#hasMoved = false
    this.#failures = 0
    const seconds = this.#grantedSeconds(response)
    this.#change({ kind: 'registered', seconds })
    this.#registerAfter(seconds > 120 ? seconds - 60 : seconds / 2)
  }

  /** The time of our Contact. A registrar may list others too. */
  #grantedSeconds(response: SipResponse): number {
    const own = parseSipUri(uriIn(this.#options.contact()))
    for (const value of headersOf(response, 'contact')) {
      const address = parseNameAddress(value)
      const uri = parseSipUri(address?.uri ?? '')
      const expires = address?.parameters.get('expires') ?? ''
      if (
        uri?.user === own?.user &&
        uri?.host === own?.host &&
        uri?.port === own?.port &&
        /^\d{1,9}$/.test(expires)
      )
        return withinLimits(Number(expires))
    }
    return withinLimits(secondsIn(response, 'expires') ?? this.#wantedSeconds)
  }

  #failed(status: number | null, reason: string, retryAfter: number | null = null): void {
    this.#change({ kind: 'failed', status, reason })
    this.#failures += 1
    const growing = Math.min(maxRetrySeconds, firstRetrySeconds * 2 ** (this.#failures - 1))
    const isRefused = status !== null && [401, 403, 404, 407].includes(status)
    const wait = isRefused ? refusedRetrySeconds : growing * (0.75 + Math.random() / 2)
    this.#registerAfter(Math.max(wait, Math.min(retryAfter ?? 0, 3600)))
  }

  #registerAfter(seconds: number): void {
    this.#cancelTimer()
    this.#cancelTimer = this.#options.timers.after(seconds * 1000, () => void this.#register())
  }

  #send(target: NetworkAddress, seconds: number, answered: (response: SipResponse | null) => void): void {
    new AuthenticatedRequest(this.#options.transactions, this.#options.credentials, {
      target,
      isInDialog: false,
      build: () => this.#build(seconds),
      listener: { responded: answered, failed: () => answered(null) },
    })
  }

  #build(seconds: number): SipRequest {
    this.#sequence += 1
    const { address, registrarUri, contact } = this.#options
    const current = contact()
    const old = this.#registeredContact
    // A Contact that the NAT has made useless is removed with the same request.
    const removed: Header[] =
      old !== null && old !== current && seconds > 0 ? [['contact', `${old};expires=0`]] : []
    const headers: Header[] = [
      ['max-forwards', '70'],
      ['from', `<${address}>;tag=${this.#fromTag}`],
      ['to', `<${address}>`],
      ['call-id', this.#callId],
      ['cseq', `${this.#sequence} REGISTER`],
      ['contact', `${current};expires=${seconds}`],
      ...removed,
      ['expires', String(seconds)],
    ]
    return { kind: 'request', method: 'REGISTER', uri: registrarUri, headers, body: '' }
  }

  #change(state: RegistrationState): void {
    this.#state = state
    this.#options.changed(state)
  }
}

function withinLimits(seconds: number): number {
  return Math.min(Math.max(1, seconds), maxRegistrationSeconds)
}
