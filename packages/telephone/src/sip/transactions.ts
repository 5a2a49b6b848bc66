import type { NetworkAddress } from '../network-address.js'
import type { Timers } from '../time.js'
import { type ClientListener, ClientTransaction, makeCancel } from './client-transaction.js'
import { parseVia, tagIn, type Via } from './header-value.js'
import {
  cseqOf,
  type Header,
  headerOf,
  headersOf,
  makeToken,
  type SipMessage,
  type SipRequest,
  type SipResponse,
} from './message.js'
import { ServerTransaction } from './server-transaction.js'
import type { Transport } from './transport.js'
import { writeMessage } from './write-message.js'

export interface TransactionsListener {
  /** Called for a request that is not a repetition. ACK and CANCEL have calls of their own. */
  requested(transaction: ServerTransaction): void
  /** Called when an INVITE that has no final response yet is cancelled. */
  cancelled(invite: ServerTransaction): void
  /** Called for the ACK of a 200, which belongs to a dialog. */
  acknowledged(ack: SipRequest): void
  /** Called for a response to one of our requests, before its transaction. */
  responded?(response: SipResponse, source: NetworkAddress): void
}

export interface TransactionsOptions {
  readonly timers: Timers
  readonly transport: Transport
  readonly listener: TransactionsListener
  /** The limit of our requests, and of the others' requests. */
  readonly maxTransactions: number
}

const magic = 'z9hG4bK'

/**
 * The requests of one Call-ID that are remembered at once. Enough for quick digits by INFO, and few enough that one peer
 * cannot use up the transactions of all calls.
 */
const maxPerCallId = 40
/** More of them for BYE, so that a call with too many other requests can still end. */
const extraForBye = 5

/**
 * Matches requests, responses and repetitions. Bounded: above the limits, new requests are dropped. Our own requests are
 * counted separately, so that others cannot prevent a BYE or REGISTER.
 */
export class Transactions {
  readonly #options: TransactionsOptions
  readonly #clients = new Map<string, ClientTransaction>()
  readonly #servers = new Map<string, ServerTransaction>()
  /** The number of server transactions of each Call-ID. */
  readonly #perCallId = new Map<string, number>()

  constructor(options: TransactionsOptions) {
    this.#options = options
  }

  /** Whether requests need connections: TCP or TLS. */
  get isReliable(): boolean {
    return this.#options.transport.isReliable
  }

  get size(): number {
    return this.#clients.size + this.#servers.size
  }

  /** Sends a request that has no Via yet. */
  request(request: SipRequest, target: NetworkAddress, listener: ClientListener): ClientTransaction {
    const branch = `${magic}${makeToken()}`
    return this.#start(
      { ...request, headers: [this.#via(branch), ...request.headers] },
      branch,
      target,
      listener,
    )
  }

  /** Sends a request without a transaction: the ACK of a 200. */
  send(request: SipRequest, target: NetworkAddress): void {
    const headers = [this.#via(`${magic}${makeToken()}`), ...request.headers]
    this.#options.transport.send(writeMessage({ ...request, headers }), target)
  }

  cancel(invite: ClientTransaction): void {
    const branch = branchOf(invite.request)
    const unheard = { responded: () => {}, failed: () => {} }
    invite.limit()
    this.#start(makeCancel(invite.request), branch, invite.target, unheard)
  }

  receive(message: SipMessage, source: NetworkAddress): void {
    if (message.kind === 'response') {
      const client = this.#clients.get(`${branchOf(message)} ${cseqOf(message).method}`)
      if (client) this.#options.listener.responded?.(message, source)
      client?.receive(message)
      return
    }
    const request = withSource(message, source)
    const key = serverKey(request)
    const known = this.#servers.get(key)
    if (request.method === 'ACK') {
      known?.acknowledge()
      this.#options.listener.acknowledged(request)
    } else if (known) known.repeat()
    else this.#serve(request, key, source)
  }

  /** Fails requests whose connection was lost. */
  disconnected({ address, port }: NetworkAddress): void {
    for (const client of [...this.#clients.values()])
      if (client.target.address === address && client.target.port === port) client.fail('unreachable')
  }

  stop(): void {
    for (const transaction of [...this.#clients.values(), ...this.#servers.values()]) transaction.stop()
  }

  #serve(request: SipRequest, key: string, source: NetworkAddress): void {
    const callId = headerOf(request, 'call-id')
    const count = this.#perCallId.get(callId) ?? 0
    const limit = maxPerCallId + (request.method === 'BYE' ? extraForBye : 0)
    if (count >= limit || this.#servers.size >= this.#options.maxTransactions) return
    this.#perCallId.set(callId, count + 1)
    const { timers, transport, listener } = this.#options
    const finished = () => {
      this.#servers.delete(key)
      this.#release(callId)
    }
    const transaction = new ServerTransaction(request, source, { timers, transport, finished })
    this.#servers.set(key, transaction)
    if (request.method !== 'CANCEL') return listener.requested(transaction)
    const invite = this.#servers.get(serverKey(request, 'INVITE'))
    transaction.respond(invite ? 200 : 481, { toTag: makeToken() })
    if (invite?.isOpen) listener.cancelled(invite)
  }

  #release(callId: string): void {
    const count = (this.#perCallId.get(callId) ?? 0) - 1
    if (count > 0) this.#perCallId.set(callId, count)
    else this.#perCallId.delete(callId)
  }

  #start(
    request: SipRequest,
    branch: string,
    target: NetworkAddress,
    listener: ClientListener,
  ): ClientTransaction {
    const { timers, transport } = this.#options
    const key = `${branch} ${request.method}`
    const finished = () => void this.#clients.delete(key)
    const transaction = new ClientTransaction(request, target, { timers, transport, finished }, listener)
    // The caller first learns about its transaction, and then about its end.
    if (this.#clients.size >= this.#options.maxTransactions)
      timers.after(0, () => listener.failed('overloaded'))
    else {
      this.#clients.set(key, transaction)
      transaction.start()
    }
    return transaction
  }

  #via(branch: string): Header {
    const { protocol, local } = this.#options.transport
    return ['via', `SIP/2.0/${protocol} ${local.address}:${local.port};branch=${branch};rport`]
  }
}

function topVia(message: SipMessage): Via | null {
  return parseVia(headerOf(message, 'via'))
}

function branchOf(message: SipMessage): string {
  return topVia(message)?.parameters.get('branch') ?? ''
}

/** RFC 3261 section 17.2.3. Branches without the magic cookie are not unique, so more of the message counts. */
function serverKey(
  request: SipRequest,
  method = request.method === 'ACK' ? 'INVITE' : request.method,
): string {
  const via = topVia(request)
  const branch = via?.parameters.get('branch') ?? ''
  const sentBy = `${via?.host}:${via?.port}`
  if (branch.startsWith(magic)) return `${branch} ${sentBy} ${method}`
  const { number } = cseqOf(request)
  return [
    headerOf(request, 'call-id'),
    tagIn(headerOf(request, 'from')),
    number,
    sentBy,
    branch,
    method,
  ].join(' ')
}

/** Notes in the topmost Via where the request came from: RFC 3581. */
function withSource(request: SipRequest, source: NetworkAddress): SipRequest {
  const [first = '', ...others] = headersOf(request, 'via')
  const bare = first.replace(/;\s*(?:rport|received)\s*(?:=[^;]*)?(?=;|$)/gi, '')
  const noted = `${bare};received=${source.address};rport=${source.port}`
  const vias = [noted, ...others].map((value): Header => ['via', value])
  return { ...request, headers: [...vias, ...request.headers.filter(([name]) => name !== 'via')] }
}

/** Returns our address and port as the other side saw them, or null if it did not say. */
export function seenAddress(response: SipMessage): { address: string; port: number } | null {
  const via = topVia(response)
  const [received, rport] = [via?.parameters.get('received'), via?.parameters.get('rport')]
  // Without either, the Via only repeats what this side has sent.
  if (!received && !rport) return null
  const port = Number(rport || via?.port)
  const address = received || via?.host
  return address && Number.isInteger(port) && port > 0 && port < 65536 ? { address, port } : null
}
