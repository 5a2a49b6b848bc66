import type {
  Cleared,
  Codec,
  DialOptions,
  EndReason,
  Leg,
  LegListener,
  Line,
  TransferOutcome,
} from '@parley/telephone'
import type { CallLeg } from '../../ports/call-leg.js'

/** The first important event of an outgoing leg. */
export type DialOutcome =
  | { readonly kind: 'answered' }
  | { readonly kind: 'ended'; readonly reason: EndReason }

const nothingCleared: Cleared = { passage: null, playedMilliseconds: 0 }

/** A leg of a SIP line, as calls use it. It is its leg's listener until a call takes it over. */
export class LineLeg implements CallLeg, LegListener {
  /** Settles when the leg is answered or has ended. */
  readonly outcome: Promise<DialOutcome>
  readonly #leg: Leg
  #listener: LegListener | null = null
  #end: EndReason | null = null
  #isHeld = false
  /** The transfer in progress. Some peers hang up before they report its outcome. */
  #transfer: Promise<TransferOutcome> | null = null
  #isTransferred = false
  #settle: (outcome: DialOutcome) => void = () => undefined

  private constructor(connect: (listener: LegListener) => Leg) {
    this.outcome = new Promise((resolve) => {
      this.#settle = resolve
    })
    this.#leg = connect(this)
  }

  /** The leg of a call from outside. */
  static of(leg: Leg): LineLeg {
    return new LineLeg(() => leg)
  }

  static dial(line: Pick<Line, 'dial'>, options: DialOptions): LineLeg {
    return new LineLeg((listener) => line.dial(options, listener))
  }

  get id(): string {
    return this.#leg.id
  }

  get direction(): 'in' | 'out' {
    return this.#leg.direction
  }

  get from(): string {
    return this.#leg.from
  }

  get to(): string {
    return this.#leg.to
  }

  get codec(): Codec {
    return this.#leg.codec
  }

  get hasEnded(): boolean {
    return this.#end !== null
  }

  /** Why the leg ended, or null. */
  get endReason(): EndReason | null {
    return this.#end
  }

  admit(_call: unknown, listener: LegListener): void {
    this.#listener = listener
    const end = this.#end
    if (end !== null) queueMicrotask(() => listener.ended(end))
  }

  refuse(): void {
    this.hangUp()
  }

  ring(): void {
    this.#leg.ring()
  }

  accept(): void {
    this.#leg.accept()
  }

  reject(status?: number): void {
    this.#leg.reject(status)
  }

  play(sound: Uint8Array, passage?: string): void {
    this.#leg.play(sound, passage)
  }

  /** Never rejects: if the telephone has failed, nothing was waiting. */
  clear(): Promise<Cleared> {
    return this.#leg.clear().catch(() => nothingCleared)
  }

  digits(digits: string): void {
    this.#leg.digits(digits)
  }

  /** Never rejects. If the peer accepts and reports no result, this side hangs up. */
  async transfer(to: string): Promise<TransferOutcome> {
    const transfer = this.#leg.transfer(to).catch((): TransferOutcome => ({ kind: 'refused', status: 500 }))
    this.#transfer = transfer
    const outcome = await transfer
    if (this.#transfer === transfer) this.#transfer = null
    if (outcome.kind === 'accepted' && !this.hasEnded) {
      this.#isTransferred = true
      this.#leg.hangUp()
    }
    return outcome
  }

  hold(isHeld: boolean): void {
    this.#leg.hold(isHeld)
  }

  /** Rejects a call that is not answered yet, as not available. */
  hangUp(): void {
    this.#leg.hangUp()
  }

  ringing(): void {
    this.#listener?.ringing()
  }

  answered(): void {
    this.#settle({ kind: 'answered' })
    this.#listener?.answered()
  }

  /** The sound of a held call is music, which the model must not hear. */
  audio(sound: Uint8Array): void {
    if (!this.#isHeld) this.#listener?.audio(sound)
  }

  digit(digit: string): void {
    this.#listener?.digit(digit)
  }

  played(passage: string, milliseconds: number): void {
    this.#listener?.played(passage, milliseconds)
  }

  held(isHeld: boolean): void {
    this.#isHeld = isHeld
    this.#listener?.held(isHeld)
  }

  ended(reason: EndReason): void {
    if (this.#transfer === null || reason.kind !== 'hung_up_by_peer')
      return this.#finish(this.#isTransferred ? { kind: 'transferred' } : reason)
    void this.#transfer.then(({ kind }) =>
      this.#finish(kind === 'refused' ? reason : { kind: 'transferred' }),
    )
  }

  #finish(reason: EndReason): void {
    if (this.#end !== null) return
    this.#end = reason
    this.#settle({ kind: 'ended', reason })
    this.#listener?.ended(reason)
  }
}
