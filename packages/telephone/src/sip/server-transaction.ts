import type { NetworkAddress } from '../network-address.js'
import type { TransactionContext } from './client-transaction.js'
import { makeResponse, type ResponseParts, type SipRequest } from './message.js'
import { t1, t2, transactionLifetime } from './transport.js'
import { writeMessage } from './write-message.js'

/**
 * RFC 3261 section 17.2, with the state `accepted` of RFC 6026.
 *
 *     proceeding ──300-699──► completed ──ACK──► confirmed ──32 s──► terminated
 *         └──2xx to INVITE──► accepted (repeated until the ACK) ──32 s──► terminated
 *
 * A request other than INVITE goes from a response of 200 or more to `completed`, and is forgotten after 32 s.
 */
export class ServerTransaction {
  readonly request: SipRequest
  readonly source: NetworkAddress
  readonly #context: TransactionContext
  #state: 'proceeding' | 'completed' | 'accepted' | 'confirmed' | 'terminated' = 'proceeding'
  #last: Buffer | null = null
  #cancelRepeat = () => {}
  #cancelLimit = () => {}
  #onUnacknowledged = () => {}

  constructor(request: SipRequest, source: NetworkAddress, context: TransactionContext) {
    this.request = request
    this.source = source
    this.#context = context
  }

  /** Whether a final response may still be sent. */
  get isOpen(): boolean {
    return this.#state === 'proceeding'
  }

  /** Sends a response. Does nothing after a final response, so that a CANCEL and an answer can cross. */
  respond(status: number, parts: ResponseParts = {}): void {
    if (!this.isOpen) return
    this.#last = writeMessage(makeResponse(this.request, status, parts))
    this.#sendLast()
    if (status < 200) return
    const isInvite = this.request.method === 'INVITE'
    this.#state = isInvite && status < 300 ? 'accepted' : 'completed'
    // The 200 of an INVITE is repeated over TCP too, because a proxy on the way may use UDP.
    if (this.#state === 'accepted' || (isInvite && !this.#context.transport.isReliable)) this.#repeatAfter(t1)
    this.#cancelLimit = this.#context.timers.after(transactionLifetime, () => this.#expire())
  }

  /** Sets the action for a 200 that is never acknowledged. */
  onUnacknowledged(action: () => void): void {
    this.#onUnacknowledged = action
  }

  /** Called when the request arrives again. */
  repeat(): void {
    if (this.#state === 'proceeding' || this.#state === 'completed') this.#sendLast()
  }

  /** Called when the ACK arrives. */
  acknowledge(): void {
    if (this.#state !== 'completed' && this.#state !== 'accepted') return
    this.#cancelRepeat()
    this.#state = 'confirmed'
  }

  stop(): void {
    if (this.#state !== 'terminated') this.#terminate()
  }

  #sendLast(): void {
    if (this.#last) this.#context.transport.send(this.#last, this.source)
  }

  #repeatAfter(wait: number): void {
    this.#cancelRepeat = this.#context.timers.after(wait, () => {
      this.#sendLast()
      this.#repeatAfter(Math.min(wait * 2, t2))
    })
  }

  #expire(): void {
    const isUnacknowledged = this.#state === 'accepted'
    this.#terminate()
    if (isUnacknowledged) this.#onUnacknowledged()
  }

  #terminate(): void {
    this.#cancelRepeat()
    this.#cancelLimit()
    this.#state = 'terminated'
    this.#context.finished()
  }
}
