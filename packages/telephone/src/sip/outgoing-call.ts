import type { EndReason } from '../leg.js'
import type { NetworkAddress } from '../network-address.js'
import { AuthenticatedRequest } from './authenticated-request.js'
import { Call } from './call.js'
import { allowedMethods, type CallContext, type CallListener, type CallMedia } from './call-context.js'
import { Dialog } from './dialog.js'
import { tagIn } from './header-value.js'
import {
  cseqOf,
  type Header,
  headerOf,
  makeToken,
  type SipRequest,
  type SipResponse,
  secondsIn,
} from './message.js'
import { sessionHeader, sessionIntervalOf } from './session-timer.js'

export interface Dialling {
  /** The URI to call. */
  readonly to: string
  /** The URI of this side. */
  readonly from: string
  /** The header that names the number to show, if From does not. */
  readonly identity?: readonly Header[]
  /** The addresses of the server, at least one. The next one is used if one does not respond at all: RFC 3263 section 4.3. */
  readonly targets: readonly [NetworkAddress, ...NetworkAddress[]]
  /** Called when an address did not respond. */
  unanswered?(target: NetworkAddress): void
}

/**
 * A call that this side makes.
 *
 *     dialling ──180, 183──► ringing ──200──► confirmed
 *        │ 401, 407: again      ├──300-699, ring timeout──► ended
 *        └──────────────────────┴──hang-up──► CANCEL, ended; a 200 that crosses it is answered with ACK and BYE
 */
export class OutgoingCall extends Call {
  readonly #dialling: Dialling
  readonly #callId = makeToken()
  readonly #localTag = makeToken()
  #target: NetworkAddress
  #nextTarget = 1
  /** Whether the server has responded to an INVITE. */
  #hasResponse = false
  #sequence = 0
  #sessionSeconds: number
  #request: AuthenticatedRequest | null = null
  /** The INVITE that was sent last. */
  #invite: SipRequest | null = null
  #hasRung = false
  #hasAnswer = false
  #isCancelled = false
  #hasSentCancel = false
  #hasHungUp = false
  #cancelLimit = () => {}

  constructor(context: CallContext, dialling: Dialling, media: CallMedia, listener: CallListener) {
    super(context, media, listener)
    this.#dialling = dialling
    this.#target = dialling.targets[0]
    this.#sessionSeconds = context.settings.sessionSeconds
  }

  dial(): void {
    this.#limit()
    this.#send(this.media.makeOffer())
  }

  #limit(): void {
    this.#cancelLimit()
    this.#cancelLimit = this.context.timers.after(this.context.settings.ringSeconds * 1000, () =>
      this.hangUp({ kind: 'no_answer' }),
    )
  }

  hangUp(reason: EndReason = { kind: 'hung_up' }): void {
    if (this.state === 'ended') return
    if (this.state === 'confirmed') {
      this.sendBye()
      return this.end(reason, { isForgotten: false })
    }
    this.#isCancelled = true
    // Before a provisional response, a CANCEL could arrive before its INVITE: RFC 3261 section 9.1.
    this.#cancelIfPossible()
    this.#end(reason, false)
  }

  /** An outgoing call has no INVITE that could be cancelled. */
  cancelled(): void {}

  protected abandoned(): void {
    this.#end({ kind: 'hung_up_by_peer' }, true)
  }

  protected answerAcknowledged(): void {}

  #send(offer: string): void {
    const { transactions, credentials } = this.context
    this.#request = new AuthenticatedRequest(transactions, credentials, {
      target: this.#target,
      isInDialog: false,
      build: () => this.#build(offer),
      isWanted: () => !this.#isCancelled,
      listener: {
        responded: (response) => this.#responded(response, offer),
        failed: (reason) => this.#failed(reason, offer),
      },
    })
  }

  #build(offer: string): SipRequest {
    this.#sequence += 1
    const { to, from, identity = [] } = this.#dialling
    const headers: Header[] = [
      ['max-forwards', '70'],
      ['from', `<${from}>;tag=${this.#localTag}`],
      ['to', `<${to}>`],
      ...identity,
      ['call-id', this.#callId],
      ['cseq', `${this.#sequence} INVITE`],
      this.context.contact(),
      ['allow', allowedMethods],
      ['supported', 'timer'],
      ...(this.#sessionSeconds > 0
        ? [sessionHeader({ seconds: this.#sessionSeconds, refresher: null })]
        : []),
      ['min-se', String(this.context.settings.minimumSessionSeconds)],
      ['content-type', 'application/sdp'],
    ]
    this.#invite = { kind: 'request', method: 'INVITE', uri: to, headers, body: offer }
    return this.#invite
  }

  #responded(response: SipResponse, offer: string): void {
    const { status } = response
    this.#hasResponse = true
    if (status < 200) return this.#progressed(response)
    if (status < 300) return this.#accepted(response)
    const minimum = secondsIn(response, 'min-se')
    if (status === 422 && minimum !== null && minimum > this.#sessionSeconds && !this.#isCancelled) {
      this.#sessionSeconds = minimum
      return this.#send(offer)
    }
    if (status === 486 || status === 600) this.#end({ kind: 'busy', status }, true)
    else if (status === 603) this.#end({ kind: 'declined', status }, true)
    else if (status === 408 || status === 480) this.#end({ kind: 'no_answer' }, true)
    else this.#end({ kind: 'rejected', status }, true)
    this.forget()
  }

  #failed(reason: 'timeout' | 'unreachable' | 'overloaded', offer: string): void {
    const isUnanswered = reason !== 'overloaded' && !this.#hasResponse
    if (isUnanswered) this.#dialling.unanswered?.(this.#target)
    const next = isUnanswered && !this.#isCancelled ? this.#dialling.targets[this.#nextTarget] : undefined
    if (next) {
      this.#nextTarget += 1
      this.#target = next
      this.#limit()
      return this.#send(offer)
    }
    this.#end({ kind: reason === 'overloaded' ? 'overloaded' : 'unreachable' }, true)
    this.forget()
  }

  #progressed(response: SipResponse): void {
    if (this.#isCancelled) return this.#cancelIfPossible()
    if (response.status === 100) return
    if (response.body !== '' && this.media.acceptAnswer(response.body)) this.#hasAnswer = true
    // The peer may already send requests in the early dialog.
    if (this.dialog === null && tagIn(headerOf(response, 'to')) !== '') this.#makeDialog(response)
    if (this.#hasRung) return
    this.#hasRung = true
    this.listener.ringing()
  }

  /** Called again for each repeated 200, and for a 200 of each telephone that a proxy has forked to. */
  #accepted(response: SipResponse): void {
    const { dialog } = this
    const isOther = dialog !== null && dialog.remoteTag !== tagIn(headerOf(response, 'to'))
    if (isOther && this.state !== 'setup') return this.#refuseFork(response)
    if (dialog === null || this.state === 'setup' || isOther) this.#makeDialog(response)
    this.#acknowledge(this.dialog, response)
    if (this.#isCancelled) return this.#hangUpOnce()
    if (this.state !== 'setup') return
    this.#cancelLimit()
    this.learn(response)
    if (response.body !== '' && this.media.acceptAnswer(response.body)) this.#hasAnswer = true
    if (!this.#hasAnswer) {
      this.sendBye()
      return this.#end({ kind: 'no_common_codec' }, false)
    }
    const interval = sessionIntervalOf(response)
    this.confirm(interval && { seconds: interval.seconds, isRefresher: interval.refresher !== 'uas' })
  }

  /** A 200 crossed the CANCEL. */
  #hangUpOnce(): void {
    if (this.#hasHungUp) return
    this.#hasHungUp = true
    this.sendBye()
  }

  /** A second telephone answered as well. */
  #refuseFork(response: SipResponse): void {
    if (this.#invite === null) return
    const dialog = this.#dialogOf(this.#invite, response)
    this.#acknowledge(dialog, response)
    const { transactions } = this.context
    transactions.request(dialog.makeRequest('BYE'), dialog.target, {
      responded: () => {},
      failed: () => {},
    })
    if (this.#isCancelled) this.forget()
  }

  #acknowledge(dialog: Dialog | null, response: SipResponse): void {
    if (dialog === null || this.#request === null) return
    const target = this.#target
    const isServer = dialog.target.address === target.address && dialog.target.port === target.port
    // The ACK cannot be challenged, so it has the credentials of its INVITE: RFC 3261 section 22.1. The peer's Contact may
    // name any address, which must not get them.
    const credentials = this.#request.transaction.request.headers.filter(
      ([name]) => isServer && ['authorization', 'proxy-authorization'].includes(name),
    )
    this.context.transactions.send(dialog.makeAck(cseqOf(response).number, credentials), dialog.target)
  }

  /** The 200 replaces the early dialog, because its route and Contact count. */
  #makeDialog(response: SipResponse): void {
    if (this.#invite === null) return
    if (this.dialog !== null) this.context.removeDialog(this.dialog)
    this.useDialog(this.#dialogOf(this.#invite, response))
  }

  #dialogOf(invite: SipRequest, response: SipResponse): Dialog {
    const staysAtPreviousHop = this.context.transactions.isReliable
    const { settings } = this.context
    return Dialog.ofCaller(invite, response, { target: this.#target, staysAtPreviousHop, settings })
  }

  #cancelIfPossible(): void {
    const invite = this.#request?.transaction
    if (!invite?.isProceeding || this.#hasSentCancel) return
    this.#hasSentCancel = true
    this.context.transactions.cancel(invite)
  }

  #end(reason: EndReason, isForgotten: boolean): void {
    this.#cancelLimit()
    this.end(reason, { isForgotten })
  }
}
