import type { EndReason } from '../leg.js'
import { Call } from './call.js'
import { allowedMethods, type CallContext, type CallListener, type CallMedia } from './call-context.js'
import { Dialog } from './dialog.js'
import { cseqOf, type Header, makeToken, type SipRequest } from './message.js'
import type { ServerTransaction } from './server-transaction.js'
import { chooseInterval, sessionHeader } from './session-timer.js'

/**
 * A call that the other side makes.
 *
 *     new ──180──► ringing      ──200──► answered, unacknowledged ──ACK──► acknowledged
 *      └──────┴──CANCEL (487), reject (4xx)──► ended       └──32 s──► BYE, ended
 */
export class IncomingCall extends Call {
  readonly #invite: ServerTransaction
  readonly #localTag = makeToken()
  /** Our SDP, once it has been sent. */
  #answer: string | null = null
  #isAcknowledged = false
  /** A BYE must not overtake the ACK: RFC 3261 section 15. */
  #waitsToHangUp = false
  #cancelLimit: () => void

  constructor(context: CallContext, invite: ServerTransaction, media: CallMedia, listener: CallListener) {
    super(context, media, listener)
    this.#invite = invite
    const { settings } = context
    const dialog = Dialog.ofCalled(invite.request, this.#localTag, { source: invite.source, settings })
    this.useDialog(dialog)
    this.learn(invite.request)
    this.#cancelLimit = context.timers.after(context.settings.ringSeconds * 1000, () =>
      this.reject(480, { kind: 'no_answer' }),
    )
  }

  get invite(): SipRequest {
    return this.#invite.request
  }

  /** Tells the caller that it rings. */
  ring(): void {
    if (this.state === 'setup') this.#respond(180)
  }

  accept(): void {
    if (this.state !== 'setup' || !this.#negotiate()) return
    this.#cancelLimit()
    const interval = chooseInterval(this.invite, this.context.settings.sessionSeconds)
    const headers: Header[] = [
      ['allow', allowedMethods],
      ['supported', 'timer'],
      ...(interval ? [sessionHeader(interval)] : []),
      ...(interval?.refresher === 'uac' ? [['require', 'timer'] as const] : []),
      ['content-type', 'application/sdp'],
    ]
    this.#respond(200, headers, this.#answer ?? '')
    this.#invite.onUnacknowledged(() => this.#unacknowledged())
    this.confirm(interval && { seconds: interval.seconds, isRefresher: interval.refresher === 'uas' })
  }

  reject(status: number, reason: EndReason = { kind: 'rejected', status }): void {
    if (this.state !== 'setup') return
    this.#respond(status)
    this.#end(reason)
  }

  hangUp(reason: EndReason = { kind: 'hung_up' }): void {
    if (this.state === 'setup') return this.reject(480, reason)
    if (this.state === 'ended') return
    this.#waitsToHangUp = !this.#isAcknowledged
    if (this.#isAcknowledged) this.sendBye()
    this.end(reason, { isForgotten: false })
  }

  cancelled(): void {
    if (this.state !== 'setup') return
    this.#respond(487)
    this.#end({ kind: 'cancelled' })
  }

  /** A peer that hangs up instead of acknowledging needs no more copies of the 200. */
  protected override end(reason: EndReason, options?: { readonly isForgotten?: boolean }): void {
    if (reason.kind === 'hung_up_by_peer') this.#invite.acknowledge()
    super.end(reason, options)
  }

  protected abandoned(): void {
    this.cancelled()
  }

  protected answerAcknowledged(ack: SipRequest): void {
    if (this.#isAcknowledged || cseqOf(ack).number !== cseqOf(this.invite).number) return
    this.#isAcknowledged = true
    this.#invite.acknowledge()
    if (this.#waitsToHangUp) return this.sendBye()
    if (this.invite.body !== '' || this.state !== 'confirmed') return
    // The INVITE had no offer, so the ACK contains the answer to ours.
    if (this.media.acceptAnswer(ack.body)) this.mediaChanged()
    else this.hangUp({ kind: 'no_common_codec' })
  }

  /** Prepares our SDP, or ends the call with 488. */
  #negotiate(): boolean {
    this.#answer ??=
      this.invite.body === '' ? this.media.makeOffer() : this.media.answerOffer(this.invite.body)
    if (this.#answer !== null) return true
    this.reject(488, { kind: 'no_common_codec' })
    return false
  }

  #unacknowledged(): void {
    this.#isAcknowledged = true
    if (this.#waitsToHangUp) this.sendBye()
    else this.hangUp({ kind: 'unacknowledged' })
  }

  #respond(status: number, headers: readonly Header[] = [], body = ''): void {
    const contact = status < 300 ? [this.context.contact()] : []
    this.#invite.respond(status, { toTag: this.#localTag, headers: [...contact, ...headers], body })
  }

  #end(reason: EndReason): void {
    this.#cancelLimit()
    this.end(reason)
  }
}
