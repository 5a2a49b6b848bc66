import type { EndReason, TransferOutcome } from '../leg.js'
import { AuthenticatedRequest } from './authenticated-request.js'
import {
  allowedMethods,
  type CallContext,
  type CallListener,
  type CallMedia,
  type DialogReceiver,
} from './call-context.js'
import type { ClientListener } from './client-transaction.js'
import type { Dialog } from './dialog.js'
import { digitOfInfo } from './info-digit.js'
import { type Header, headerOf, type SipMessage, type SipRequest } from './message.js'
import { Renegotiation } from './renegotiation.js'
import type { ServerTransaction } from './server-transaction.js'
import { SessionTimer } from './session-timer.js'
import { Transfer } from './transfer.js'

/**
 * A call, seen from one end. `IncomingCall` and `OutgoingCall` set it up.
 *
 *     setup ──200 and ACK──► confirmed ──BYE, lost peer──► ended
 *       └──CANCEL, refusal, timeout──► ended
 */
export abstract class Call implements DialogReceiver {
  protected readonly context: CallContext
  protected readonly media: CallMedia
  protected readonly listener: CallListener
  protected state: 'setup' | 'confirmed' | 'ended' = 'setup'
  #dialog: Dialog | null = null
  readonly #sessionTimer: SessionTimer
  readonly #renegotiation: Renegotiation
  readonly #transfer: Transfer
  #isHeldByPeer = false

  constructor(context: CallContext, media: CallMedia, listener: CallListener) {
    this.context = context
    this.media = media
    this.listener = listener
    this.#sessionTimer = new SessionTimer(context.timers, {
      refresh: () => this.#renegotiation.refresh(),
      expired: () => this.hangUp({ kind: 'session_expired' }),
    })
    this.#renegotiation = new Renegotiation(this, context, media, this.#sessionTimer)
    this.#transfer = new Transfer(this, context)
  }

  get dialog(): Dialog | null {
    return this.#dialog
  }

  get isConfirmed(): boolean {
    return this.state === 'confirmed'
  }

  get hasEnded(): boolean {
    return this.state === 'ended'
  }

  /** Cancels, rejects or ends the call, depending on its state. */
  abstract hangUp(reason?: EndReason): void
  abstract cancelled(): void
  /** Called for the ACK of the 200 that answered the call. */
  protected abstract answerAcknowledged(ack: SipRequest): void
  /** Called when the peer ends an unanswered call with BYE. */
  protected abstract abandoned(): void

  hold(isHeld: boolean): void {
    if (this.isConfirmed) this.#renegotiation.hold(isHeld)
  }

  transfer(to: string): Promise<TransferOutcome> {
    return this.isConfirmed ? this.#transfer.start(to) : Promise.resolve({ kind: 'refused', status: 481 })
  }

  /** Sends a digit as INFO, for peers without telephone events. */
  sendInfo(digit: string): void {
    const type: Header = ['content-type', 'application/dtmf-relay']
    this.request('INFO', [type], `Signal=${digit}\r\nDuration=160\r\n`, {
      responded: () => {},
      failed: () => {},
    })
  }

  /** Sends a request in the dialog. */
  request(method: string, headers: readonly Header[], body: string, listener: ClientListener): void {
    const dialog = this.#dialog
    if (dialog === null) return
    const own: Header[] = method === 'BYE' ? [] : [this.context.contact()]
    new AuthenticatedRequest(this.context.transactions, this.context.credentials, {
      target: dialog.target,
      isInDialog: true,
      build: () => dialog.makeRequest(method, [...own, ...headers], body),
      listener,
    })
  }

  requested(transaction: ServerTransaction): void {
    const { request } = transaction
    if (!this.#dialog?.accepts(request)) return transaction.respond(500)
    if (this.hasEnded) return transaction.respond(request.method === 'BYE' ? 200 : 481)
    switch (request.method) {
      case 'BYE':
        transaction.respond(200)
        if (this.state === 'setup') this.abandoned()
        else {
          this.#transfer.callEnded()
          this.end({ kind: 'hung_up_by_peer' })
        }
        return
      case 'INVITE':
      case 'UPDATE':
        return this.#renegotiation.requested(transaction)
      case 'INFO': {
        transaction.respond(200)
        const digit = digitOfInfo(headerOf(request, 'content-type'), request.body)
        if (digit !== null) this.listener.digit(digit)
        return
      }
      case 'NOTIFY':
        return transaction.respond(this.#transfer.notified(request.body) ? 200 : 481)
      case 'OPTIONS':
        return transaction.respond(200, { headers: [['allow', allowedMethods]] })
      // A caller could otherwise make this side dial expensive numbers.
      case 'REFER':
        return transaction.respond(603)
      default:
        return transaction.respond(405, { headers: [['allow', allowedMethods]] })
    }
  }

  acknowledged(ack: SipRequest): void {
    if (!this.#renegotiation.acknowledged(ack)) this.answerAcknowledged(ack)
  }

  /** Called after each offer and answer. */
  mediaChanged(): void {
    if (this.#isHeldByPeer === this.media.isHeldByPeer || !this.isConfirmed) return
    this.#isHeldByPeer = this.media.isHeldByPeer
    this.listener.held(this.#isHeldByPeer)
  }

  protected useDialog(dialog: Dialog): void {
    this.#dialog = dialog
    this.context.addDialog(dialog, this)
  }

  /** Notes what the peer can do, from its INVITE or its 200. */
  protected learn(message: SipMessage): void {
    this.#renegotiation.learn(message)
  }

  /** Called when the call is answered, with the interval of its session. */
  protected confirm(interval: { readonly seconds: number; readonly isRefresher: boolean } | null): void {
    this.state = 'confirmed'
    if (interval) this.#sessionTimer.start(interval.seconds, interval.isRefresher)
    this.listener.answered()
    this.mediaChanged()
  }

  protected sendBye(): void {
    const done = () => this.forget()
    this.request('BYE', [], '', { responded: (response) => response.status >= 200 && done(), failed: done })
  }

  /** Ends the call for its listener. Requests on the way are finished after that. */
  protected end(reason: EndReason, options: { readonly isForgotten?: boolean } = {}): void {
    if (this.hasEnded) return
    this.state = 'ended'
    this.#sessionTimer.stop()
    this.#renegotiation.stop()
    this.#transfer.callEnded()
    if (options.isForgotten ?? true) this.forget()
    this.listener.ended(reason)
  }

  protected forget(): void {
    if (this.#dialog) this.context.removeDialog(this.#dialog)
    this.context.removed(this)
  }
}
