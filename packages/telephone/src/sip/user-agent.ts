import type { NetworkAddress } from '../network-address.js'
import type { Timers } from '../time.js'
import {
  allowedMethods,
  type CallContext,
  type CallListener,
  type CallMedia,
  type CallSettings,
  type DialogReceiver,
} from './call-context.js'
import type { Dialog } from './dialog.js'
import type { Credentials } from './digest.js'
import { tagIn } from './header-value.js'
import { IncomingCall } from './incoming-call.js'
import {
  cseqOf,
  type Header,
  hasWord,
  headerOf,
  headersOf,
  makeToken,
  type SipRequest,
  type SipResponse,
  secondsIn,
} from './message.js'
import { type Dialling, OutgoingCall } from './outgoing-call.js'
import { parseMessage } from './parse-message.js'
import type { ServerTransaction } from './server-transaction.js'
import { Transactions } from './transactions.js'
import type { Transport } from './transport.js'
import { parseSipUri } from './uri.js'

export interface UserAgentOptions {
  readonly timers: Timers
  readonly transport: Transport
  readonly credentials: Credentials
  readonly settings: CallSettings & {
    readonly maxCalls: number
    readonly maxTransactions: number
  }
  /** Our Contact, with angle brackets. */
  contact(): string
  /** Whether this address may call. Others get no answer. */
  isTrusted(source: NetworkAddress): boolean
  /** Called for a response to one of our requests, before its transaction. */
  responded?(response: SipResponse, source: NetworkAddress): void
  /** Called for a new call. Returns its media and listener, or the status of a refusal. */
  called(invite: SipRequest): Called | number
}

export interface Called {
  readonly media: CallMedia
  readonly listener: CallListener
  /** Called with the call, before its listener hears anything. */
  started(call: IncomingCall): void
}

/** Packets of untrusted addresses that are parsed each second, in case they belong to a call. */
const untrustedPerSecond = 50

/** Receives the messages of one line. Passes each to its transaction or call, and starts a call for a new INVITE. */
export class UserAgent {
  readonly #options: UserAgentOptions
  readonly #transactions: Transactions
  readonly #context: CallContext
  readonly #dialogs = new Map<string, DialogReceiver>()
  readonly #calls = new Set<DialogReceiver>()
  /** The calls from outside, by the transaction of their INVITE, until they end. */
  readonly #incoming = new Map<ServerTransaction, IncomingCall>()
  #untrusted = { second: 0, count: 0 }

  constructor(options: UserAgentOptions) {
    this.#options = options
    const { timers, transport, credentials, settings } = options
    this.#transactions = new Transactions({
      timers,
      transport,
      maxTransactions: settings.maxTransactions,
      listener: {
        requested: (transaction) => this.#requested(transaction),
        cancelled: (invite) => this.#incoming.get(invite)?.cancelled(),
        responded: (response, source) => options.responded?.(response, source),
        acknowledged: (ack) => this.#dialogs.get(dialogKey(ack))?.acknowledged(ack),
      },
    })
    this.#context = {
      timers,
      transactions: this.#transactions,
      credentials,
      settings,
      contact: () => ['contact', options.contact()],
      addDialog: (dialog, receiver) => void this.#dialogs.set(keyOf(dialog), receiver),
      removeDialog: (dialog) => void this.#dialogs.delete(keyOf(dialog)),
      removed: (call) => this.#remove(call),
    }
  }

  get transactions(): Transactions {
    return this.#transactions
  }

  get callCount(): number {
    return this.#calls.size
  }

  receive(bytes: Buffer, source: NetworkAddress): void {
    const isTrusted = this.#options.isTrusted(source)
    if (!isTrusted && !this.#mayParse()) return
    const parsed = parseMessage(bytes)
    if (!parsed.ok) return
    const { message } = parsed
    // The tags of a dialog are secrets, so its requests may come from any address. Nothing else may.
    if (!isTrusted && message.kind === 'request' && !this.#dialogs.has(dialogKey(message))) return
    this.#transactions.receive(message, source)
  }

  dial(dialling: Dialling, media: CallMedia, listener: CallListener): OutgoingCall {
    const call = new OutgoingCall(this.#context, dialling, media, listener)
    this.#calls.add(call)
    call.dial()
    return call
  }

  /** Ends all calls. */
  hangUpAll(): void {
    for (const call of [...this.#calls]) call.hangUp({ kind: 'closed' })
  }

  stop(): void {
    this.#transactions.stop()
  }

  /** A packet of an untrusted address can only belong to a call. Only some of them are parsed. */
  #mayParse(): boolean {
    if (this.#calls.size === 0) return false
    const second = Math.floor(this.#options.timers.monotonic() / 1000)
    if (this.#untrusted.second !== second) this.#untrusted = { second, count: 0 }
    this.#untrusted.count += 1
    return this.#untrusted.count <= untrustedPerSecond
  }

  #requested(transaction: ServerTransaction): void {
    const { request } = transaction
    const receiver = this.#dialogs.get(dialogKey(request))
    if (receiver) return receiver.requested(transaction)
    if (tagIn(headerOf(request, 'to')) !== '') return this.#refuse(transaction, 481)
    if (request.method === 'INVITE') return this.#invited(transaction)
    const allow: Header[] = [['allow', allowedMethods]]
    if (request.method !== 'OPTIONS') return this.#refuse(transaction, 405, allow)
    const accept: Header = ['accept', 'application/sdp']
    transaction.respond(200, { toTag: makeToken(), headers: [...allow, accept, ['supported', 'timer']] })
  }

  #invited(transaction: ServerTransaction): void {
    const { request } = transaction
    const { settings } = this.#options
    const unknown = headersOf(request, 'require').filter((word) => word.toLowerCase() !== 'timer')
    const asked = secondsIn(request, 'session-expires')
    if (unknown.length > 0) return this.#refuse(transaction, 420, [['unsupported', unknown.join(', ')]])
    if (parseSipUri(request.uri) === null) return this.#refuse(transaction, 416)
    if (this.#isMerged(transaction)) return this.#refuse(transaction, 482)
    if (asked !== null && asked < settings.minimumSessionSeconds && hasWord(request, 'supported', 'timer'))
      return this.#refuse(transaction, 422, [['min-se', String(settings.minimumSessionSeconds)]])
    if (this.#calls.size >= settings.maxCalls) return this.#refuse(transaction, 486)
    const called = this.#options.called(request)
    if (typeof called === 'number') return this.#refuse(transaction, called)
    transaction.respond(100)
    const call = new IncomingCall(this.#context, transaction, called.media, called.listener)
    this.#calls.add(call)
    this.#incoming.set(transaction, call)
    called.started(call)
  }

  /** The same INVITE that arrives on two ways: RFC 3261 section 8.2.2.2. */
  #isMerged({ request }: ServerTransaction): boolean {
    return [...this.#incoming.keys()].some(
      (other) =>
        headerOf(other.request, 'call-id') === headerOf(request, 'call-id') &&
        tagIn(headerOf(other.request, 'from')) === tagIn(headerOf(request, 'from')) &&
        cseqOf(other.request).number === cseqOf(request).number,
    )
  }

  #refuse(transaction: ServerTransaction, status: number, headers: readonly Header[] = []): void {
    transaction.respond(status, { toTag: makeToken(), headers })
  }

  #remove(call: DialogReceiver): void {
    this.#calls.delete(call)
    for (const [invite, own] of this.#incoming) if (own === call) this.#incoming.delete(invite)
  }
}

function keyOf(dialog: Dialog): string {
  return `${dialog.callId} ${dialog.localTag} ${dialog.remoteTag}`
}

/** The dialog of a request that the other side sends. */
function dialogKey(request: SipRequest): string {
  const local = tagIn(headerOf(request, 'to'))
  return `${headerOf(request, 'call-id')} ${local} ${tagIn(headerOf(request, 'from'))}`
}
