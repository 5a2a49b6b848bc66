import type { EndReason } from '../leg.js'
import type { CallContext, CallMedia } from './call-context.js'
import type { ClientListener } from './client-transaction.js'
import type { Dialog } from './dialog.js'
import { cseqOf, type Header, hasWord, type SipMessage, type SipResponse, secondsIn } from './message.js'
import type { ServerTransaction } from './server-transaction.js'
import { chooseInterval, type SessionTimer, sessionHeader, sessionIntervalOf } from './session-timer.js'

/** The call whose session changes. */
interface RenegotiatedCall {
  readonly dialog: Dialog | null
  readonly hasEnded: boolean
  request(method: string, headers: readonly Header[], body: string, listener: ClientListener): void
  mediaChanged(): void
  hangUp(reason?: EndReason): void
}

const sdpType: Header = ['content-type', 'application/sdp']

/** Hold, resume and refresh of an answered call, from both sides: RFC 3261 section 14 and RFC 3311. */
export class Renegotiation {
  readonly #call: RenegotiatedCall
  readonly #context: CallContext
  readonly #media: CallMedia
  readonly #sessionTimer: SessionTimer
  /** Whether our own INVITE is on its way. Another one must wait, and the peer's is answered with 491. */
  #isPending = false
  #isHeld = false
  #isPeerAbleToUpdate = false
  #wanted: boolean | null = null
  #cancelRetry = () => {}
  /** The peer's INVITE without an offer, whose ACK contains the answer. */
  #awaitsAnswer: number | null = null
  #lastInvite: ServerTransaction | null = null

  constructor(call: RenegotiatedCall, context: CallContext, media: CallMedia, sessionTimer: SessionTimer) {
    this.#call = call
    this.#context = context
    this.#media = media
    this.#sessionTimer = sessionTimer
  }

  /** Notes what the peer can do. Called with its INVITE or its 200. */
  learn(message: SipMessage): void {
    this.#isPeerAbleToUpdate = hasWord(message, 'allow', 'UPDATE')
  }

  hold(isHeld: boolean): void {
    if (this.#isPending) {
      this.#wanted = isHeld
      return
    }
    if (isHeld === this.#isHeld) return
    this.#wanted = isHeld
    this.#offer()
  }

  /** Refreshes the session: RFC 4028 section 7.4. */
  refresh(): void {
    if (this.#isPending) return
    if (!this.#isPeerAbleToUpdate) return this.#offer()
    const { seconds } = this.#sessionTimer
    const headers: Header[] = [['supported', 'timer'], sessionHeader({ seconds, refresher: 'uac' })]
    this.#call.request('UPDATE', headers, '', {
      responded: (response) => {
        if (response.status === 405 || response.status === 501) this.#refreshByInvite()
        else if (response.status >= 300) this.#refused(response.status)
        else if (response.status >= 200) this.#restartTimer(response)
      },
      failed: () => this.#call.hangUp({ kind: 'session_expired' }),
    })
  }

  #refreshByInvite(): void {
    this.#isPeerAbleToUpdate = false
    this.refresh()
  }

  /** Answers the peer's INVITE or UPDATE. */
  requested(transaction: ServerTransaction): void {
    const { request } = transaction
    const { contact, settings } = this.#context
    if (this.#isPending) return transaction.respond(491)
    const asked = secondsIn(request, 'session-expires')
    if (asked !== null && asked < settings.minimumSessionSeconds) {
      const headers: Header[] = [['min-se', String(settings.minimumSessionSeconds)]]
      return transaction.respond(422, { headers })
    }
    const answer = this.#answer(transaction)
    if (answer === null) return transaction.respond(488)
    this.#call.dialog?.updateTarget(request)
    const interval = chooseInterval(request, this.#sessionTimer.seconds)
    const headers: Header[] = [contact(), ['supported', 'timer']]
    if (interval) {
      headers.push(sessionHeader(interval))
      if (interval.refresher === 'uac') headers.push(['require', 'timer'])
      this.#sessionTimer.start(interval.seconds, interval.refresher === 'uas')
    } else this.#sessionTimer.stop()
    if (answer !== '') headers.push(sdpType)
    transaction.respond(200, { headers, body: answer })
    if (request.method === 'INVITE')
      transaction.onUnacknowledged(() => this.#call.hangUp({ kind: 'unacknowledged' }))
    this.#lastInvite = request.method === 'INVITE' ? transaction : this.#lastInvite
    this.#call.mediaChanged()
  }

  /** Called for an ACK in the dialog. Returns whether it belongs to a renegotiation. */
  acknowledged(ack: SipMessage): boolean {
    const invite = this.#lastInvite
    if (invite === null || cseqOf(invite.request).number !== cseqOf(ack).number) return false
    invite.acknowledge()
    if (this.#awaitsAnswer === cseqOf(ack).number && ack.body !== '') {
      this.#media.acceptAnswer(ack.body)
      this.#call.mediaChanged()
    }
    return true
  }

  stop(): void {
    this.#cancelRetry()
  }

  /** Returns our SDP, an empty text if none is needed, or null if the offer does not fit. */
  #answer({ request }: ServerTransaction): string | null {
    if (request.body !== '') return this.#media.answerOffer(request.body)
    if (request.method !== 'INVITE') return ''
    this.#awaitsAnswer = cseqOf(request).number
    return this.#media.makeOffer()
  }

  #offer(): void {
    this.#isPending = true
    this.#cancelRetry()
    const isHeld = this.#wanted ?? this.#isHeld
    this.#media.setHeld(isHeld)
    const { seconds } = this.#sessionTimer
    const timed: Header[] = seconds > 0 ? [sessionHeader({ seconds, refresher: 'uac' })] : []
    const headers: Header[] = [['supported', 'timer'], ...timed, sdpType]
    this.#call.request('INVITE', headers, this.#media.makeOffer(), {
      responded: (response) => {
        if (response.status >= 300) this.#offerRefused(response)
        else if (response.status >= 200) this.#offerAccepted(response, isHeld)
      },
      failed: () => this.#call.hangUp({ kind: 'session_expired' }),
    })
  }

  /** Called again for each repeated 200, which needs another ACK. */
  #offerAccepted(response: SipResponse, isHeld: boolean): void {
    const { dialog } = this.#call
    if (dialog === null) return
    this.#context.transactions.send(dialog.makeAck(cseqOf(response).number), dialog.target)
    if (!this.#isPending) return
    this.#isPending = false
    dialog.updateTarget(response)
    this.#isHeld = isHeld
    if (response.body !== '') this.#media.acceptAnswer(response.body)
    this.#restartTimer(response)
    this.#call.mediaChanged()
    this.#continue()
  }

  #offerRefused({ status }: SipResponse): void {
    this.#isPending = false
    this.#media.setHeld(this.#isHeld)
    if (status === 491) {
      // RFC 3261 section 14.1: the owner of the Call-ID waits longer. A random wait decides as well.
      const wait = 500 + Math.random() * 2000
      this.#cancelRetry = this.#context.timers.after(wait, () => this.#offer())
    } else {
      this.#wanted = null
      this.#refused(status)
    }
  }

  #refused(status: number): void {
    if (status === 408 || status === 481) this.#call.hangUp({ kind: 'session_expired' })
    // The peer understood, but wants nothing changed. The session goes on until its interval ends.
    else if (this.#sessionTimer.seconds > 0) this.#sessionTimer.start(this.#sessionTimer.seconds, false)
  }

  #restartTimer(response: SipResponse): void {
    const interval = sessionIntervalOf(response)
    if (interval) this.#sessionTimer.start(interval.seconds, interval.refresher !== 'uas')
  }

  /** A change that was asked for during the last one follows now. */
  #continue(): void {
    const wanted = this.#wanted
    this.#wanted = null
    if (wanted !== null && wanted !== this.#isHeld && !this.#call.hasEnded) this.hold(wanted)
  }
}
