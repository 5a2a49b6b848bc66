import type { NetworkAddress } from '../network-address.js'
import type { Timers } from '../time.js'
import { cseqOf, type Header, headerOf, type SipRequest, type SipResponse } from './message.js'
import { longestRinging, type Transport, t1, t2, transactionLifetime } from './transport.js'
import { writeMessage } from './write-message.js'

export interface ClientListener {
  /** Called for each provisional response, the final one, and each repeated 2xx to an INVITE. */
  responded(response: SipResponse): void
  /** Called instead of a final response. */
  failed(reason: 'timeout' | 'unreachable' | 'overloaded'): void
}

export interface TransactionContext {
  readonly timers: Timers
  readonly transport: Transport
  /** Called once, when the transaction must be forgotten. */
  finished(): void
}

/**
 * RFC 3261 section 17.1, with the state `accepted` of RFC 6026.
 *
 *     calling ──1xx──► proceeding ──300-699──► completed ──32 s──► terminated
 *        │                 │   └──2xx to INVITE──► accepted ──32 s──► terminated
 *        └──timeout, connection lost──► terminated
 *
 * A request other than INVITE goes from any response of 200 or more to `completed`, and is repeated until then.
 */
export class ClientTransaction {
  readonly request: SipRequest
  readonly target: NetworkAddress
  readonly #context: TransactionContext
  readonly #listener: ClientListener
  #state: 'calling' | 'proceeding' | 'completed' | 'accepted' | 'terminated' = 'calling'
  #cancelRepeat = () => {}
  #cancelLimit = () => {}

  constructor(
    request: SipRequest,
    target: NetworkAddress,
    context: TransactionContext,
    listener: ClientListener,
  ) {
    this.request = request
    this.target = target
    this.#context = context
    this.#listener = listener
  }

  /** Whether a provisional response has arrived, and no final one. Only then may a CANCEL be sent. */
  get isProceeding(): boolean {
    return this.#state === 'proceeding'
  }

  get #isInvite(): boolean {
    return this.request.method === 'INVITE'
  }

  start(): void {
    this.#send(this.request)
    if (!this.#context.transport.isReliable) this.#repeatAfter(t1)
    this.#cancelLimit = this.#context.timers.after(transactionLifetime, () => this.fail('timeout'))
  }

  receive(response: SipResponse): void {
    if (response.status < 200) {
      if (this.#state !== 'calling' && this.#state !== 'proceeding') return
      this.#state = 'proceeding'
      // An INVITE may ring for long. Others are repeated more slowly.
      if (this.#isInvite) this.#limit(longestRinging)
      this.#listener.responded(response)
    } else if (this.#isInvite && response.status < 300) {
      if (this.#state === 'completed' || this.#state === 'terminated') return
      if (this.#state !== 'accepted') this.#finish('accepted')
      this.#listener.responded(response)
    } else {
      if (this.#isInvite && this.#state !== 'accepted' && this.#state !== 'terminated')
        this.#send(acknowledge(this.request, response))
      if (this.#state !== 'calling' && this.#state !== 'proceeding') return
      this.#finish('completed')
      this.#listener.responded(response)
    }
  }

  /** Ends the transaction without a response. Does nothing after a final response. */
  fail(reason: 'timeout' | 'unreachable'): void {
    if (this.#state !== 'calling' && this.#state !== 'proceeding') return
    this.#terminate()
    this.#listener.failed(reason)
  }

  /** Limits the wait for the final response. Called when an INVITE is cancelled. */
  limit(): void {
    if (this.#state === 'proceeding') this.#limit(transactionLifetime)
  }

  /** Ends the transaction silently, when the endpoint closes. */
  stop(): void {
    if (this.#state !== 'terminated') this.#terminate()
  }

  #limit(milliseconds: number): void {
    this.#stopTimers()
    this.#cancelLimit = this.#context.timers.after(milliseconds, () => this.fail('timeout'))
  }

  #send(message: SipRequest): void {
    this.#context.transport.send(writeMessage(message), this.target)
  }

  #repeatAfter(wait: number): void {
    this.#cancelRepeat = this.#context.timers.after(wait, () => {
      this.#send(this.request)
      const next = this.#state === 'proceeding' ? t2 : wait * 2
      this.#repeatAfter(this.#isInvite ? next : Math.min(next, t2))
    })
  }

  /** The transaction stays, so that repeated responses find it. */
  #finish(state: 'accepted' | 'completed'): void {
    this.#stopTimers()
    this.#state = state
    this.#cancelLimit = this.#context.timers.after(transactionLifetime, () => this.#terminate())
  }

  #terminate(): void {
    this.#stopTimers()
    this.#state = 'terminated'
    this.#context.finished()
  }

  #stopTimers(): void {
    this.#cancelRepeat()
    this.#cancelLimit()
  }
}

/** The ACK of a failed INVITE has its branch: RFC 3261 section 17.1.1.3. */
function acknowledge(invite: SipRequest, response: SipResponse): SipRequest {
  const copied = invite.headers.filter(([name]) =>
    ['via', 'max-forwards', 'from', 'call-id', 'route'].includes(name),
  )
  const added: Header[] = [
    ['to', headerOf(response, 'to')],
    ['cseq', `${cseqOf(invite).number} ACK`],
  ]
  return { kind: 'request', method: 'ACK', uri: invite.uri, headers: [...copied, ...added], body: '' }
}

/** The CANCEL of an INVITE has its branch too: RFC 3261 section 9.1. */
export function makeCancel(invite: SipRequest): SipRequest {
  const copied = invite.headers.filter(([name]) =>
    ['via', 'max-forwards', 'from', 'to', 'call-id', 'route'].includes(name),
  )
  const cseq: Header = ['cseq', `${cseqOf(invite).number} CANCEL`]
  return { kind: 'request', method: 'CANCEL', uri: invite.uri, headers: [...copied, cseq], body: '' }
}
