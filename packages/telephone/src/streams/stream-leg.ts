import type { Cleared, EndReason, Leg, LegListener, TransferOutcome } from '../leg.js'
import type { Timers } from '../time.js'
import { AudioQueue } from './audio-queue.js'
import type { Carrier } from './carrier.js'
import { CarrierError } from './carrier-api.js'
import {
  MalformedMessage,
  type StreamEvent,
  type StreamFrame,
  type StreamProtocol,
  type StreamStart,
} from './stream-protocol.js'
import type { StreamSocket } from './stream-socket.js'
import { toneAudio } from './tone-audio.js'

export interface StreamLegOptions {
  readonly socket: StreamSocket
  readonly protocol: StreamProtocol
  /** Commands that the socket does not have. Null if there is no API, as with Asterisk. */
  readonly carrier: Pick<Carrier, 'hangUp' | 'transfer' | 'sendDigits'> | null
  readonly timers: Timers
  /** Called with the carrier's ID of the call if the request to hang up fails. */
  readonly hangUpFailed: (callId: string) => void
}

/** The call to which the service admits a stream. */
export interface AdmittedCall {
  readonly direction: 'in' | 'out'
  readonly from: string
  readonly to: string
  /** The ID for commands, if the start of the stream does not name it. */
  readonly callId?: string
}

/** Why a socket never became a call. Names a field, and contains no content. */
export class StreamFailure extends Error {
  constructor(detail: string) {
    super(detail)
    this.name = 'StreamFailure'
  }
}

const maxFrameBytes = 65_536
/** A socket that is not admitted within this time is closed. */
const startMilliseconds = 10_000
/** Carriers send audio all the time, even if the caller is silent. */
const silenceMilliseconds = 30_000
const maxWaitingMilliseconds = 900_000
const maxBufferedBytes = 16_777_216

const closeNormal = 1000
const closeGoingAway = 1001
const closeMalformed = 1002
const closeWithoutCode = 1005
const closeRefused = 1008
const closeTooBig = 1009

const gone: Cleared = { passage: null, playedMilliseconds: 0 }

/**
 * A call over a media socket of a carrier.
 *
 *     waiting ──start──► started ──admit──► admitted ──accept──► up ──► ended
 *        └─────────────────┴──── time limit, refuse, malformed message, close ──┘
 *
 * Before `admit` nothing that the socket says has an effect, because its sender is unauthenticated.
 */
export class StreamLeg implements Leg {
  /** Resolves with the first message that names the call. Rejects with `StreamFailure` if there is none. */
  readonly started: Promise<StreamStart>
  readonly #socket: StreamSocket
  readonly #protocol: StreamProtocol
  readonly #carrier: StreamLegOptions['carrier']
  readonly #timers: Timers
  readonly #hangUpFailed: StreamLegOptions['hangUpFailed']
  readonly #audio: AudioQueue
  #state: 'waiting' | 'started' | 'admitted' | 'up' | 'ended' = 'waiting'
  #start: StreamStart | null = null
  #call: AdmittedCall | null = null
  #listener: LegListener | null = null
  #settle: { resolve(start: StreamStart): void; reject(failure: StreamFailure): void }
  #cancelTimer: () => void
  #heardAt = 0
  #isHeld = false
  #isTransferred = false

  constructor({ socket, protocol, carrier, timers, hangUpFailed }: StreamLegOptions) {
    this.#socket = socket
    this.#protocol = protocol
    this.#carrier = carrier
    this.#timers = timers
    this.#hangUpFailed = hangUpFailed
    this.#audio = new AudioQueue(protocol, timers, (frame) => this.#send(frame))
    const { promise, resolve, reject } = withResolvers<StreamStart>()
    this.started = promise
    // A server that refuses the socket earlier does not wait for the start.
    promise.catch(() => undefined)
    this.#settle = { resolve, reject }
    this.#cancelTimer = timers.after(startMilliseconds, () =>
      this.#fail(
        this.#state === 'waiting'
          ? 'The stream sent no start in time.'
          : 'The stream was not admitted in time.',
        closeRefused,
      ),
    )
    socket.listen({
      frame: (data, isBinary) => this.#receive(data, isBinary),
      pong: () => undefined,
      tooBig: () => this.#fail('A frame is too large.', closeTooBig),
      closed: (code) => this.#closed(code),
    })
  }

  get id(): string {
    return this.#start?.callId || this.#call?.callId || ''
  }

  get direction(): 'in' | 'out' {
    return this.#call?.direction ?? 'in'
  }

  get from(): string {
    return this.#call?.from ?? ''
  }

  get to(): string {
    return this.#call?.to ?? ''
  }

  get codec() {
    return this.#protocol.codec
  }

  /** Connects the stream to a call. The caller has checked the token and the call ID of `started`. */
  admit(call: AdmittedCall, listener: LegListener): void {
    if (this.#state !== 'started') {
      listener.ended({ kind: 'hung_up_by_peer' })
      return
    }
    this.#state = 'admitted'
    this.#call = call
    this.#listener = listener
    this.#heardAt = this.#timers.monotonic()
    this.#watchSilence()
  }

  /** Closes an unauthenticated socket. The call that it named is not touched. */
  refuse(): void {
    if (this.#state === 'waiting' || this.#state === 'started') {
      this.#fail('The stream was refused.', closeRefused)
    }
  }

  /** Does nothing: the carrier lets it ring until the webhook is answered. */
  ring(): void {}

  accept(): void {
    if (this.#state !== 'admitted') return
    this.#state = 'up'
    if (this.#protocol.answer) this.#send(this.#protocol.answer())
    this.#listener?.answered()
  }

  reject(status = 486): void {
    if (this.#state !== 'admitted') return
    this.#end({ kind: 'rejected', status }, null)
    this.#hangUpAtCarrier()
  }

  play(audio: Uint8Array, passage = ''): void {
    if (this.#state !== 'up') return
    this.#audio.add(audio, passage)
    if (
      this.#audio.waitingMilliseconds > maxWaitingMilliseconds ||
      this.#socket.bufferedBytes > maxBufferedBytes
    ) {
      this.#fail('The carrier does not take the audio.', closeNormal)
    }
  }

  async clear(): Promise<Cleared> {
    if (this.#state !== 'up') return gone
    return this.#audio.clear()
  }

  digits(digits: string): void {
    if (this.#state !== 'up' || !/^[0-9*#A-D]{1,32}$/.test(digits)) return
    if (this.#protocol.digits) this.#send(this.#protocol.digits(digits))
    else if (this.#carrier?.sendDigits) {
      this.#carrier.sendDigits(this.id, digits).catch(() => undefined)
    } else this.play(toneAudio(digits), 'digits')
  }

  async transfer(to: string): Promise<TransferOutcome> {
    if (this.#state !== 'up' || !this.#carrier) return { kind: 'refused', status: 501 }
    if (this.id === '') return { kind: 'refused', status: 409 }
    const ownNumber = this.direction === 'out' ? this.from : this.to
    // The carrier keeps the caller's number for calls that came in.
    const from = this.direction === 'out' ? ownNumber : null
    this.#isTransferred = true
    try {
      await this.#carrier.transfer(this.id, { to, from, ownNumber })
    } catch (error) {
      this.#isTransferred = false
      return { kind: 'refused', status: (error instanceof CarrierError && error.status) || 503 }
    }
    this.#end({ kind: 'transferred' }, closeNormal)
    return { kind: 'accepted' }
  }

  /** Carriers have no hold. The audio of a held caller is dropped. */
  hold(isHeld: boolean): void {
    this.#isHeld = isHeld
  }

  hangUp(): void {
    if (this.#state === 'admitted' || this.#state === 'up') {
      this.#end({ kind: this.#state === 'up' ? 'hung_up' : 'cancelled' }, null)
      this.#hangUpAtCarrier()
    } else this.refuse()
  }

  #send(frame: StreamFrame): void {
    this.#socket.send(frame, Buffer.isBuffer(frame))
  }

  #receive(data: Buffer, isBinary: boolean): void {
    if (this.#state === 'ended') return
    if (data.length > maxFrameBytes) {
      this.#fail('A frame is too large.', closeTooBig)
      return
    }
    this.#heardAt = this.#timers.monotonic()
    let events: readonly StreamEvent[]
    try {
      events = this.#protocol.read(data, isBinary)
    } catch (error) {
      if (!(error instanceof MalformedMessage)) throw error
      this.#fail(error.message, closeMalformed)
      return
    }
    for (const event of events) this.#handle(event)
  }

  #handle(event: StreamEvent): void {
    if (event.kind === 'started') this.#begin(event.start)
    else if (event.kind === 'stopped') this.#end(this.#endByPeer(), closeNormal)
    else if (event.kind === 'failed') this.#fail(event.detail, closeNormal)
    else if (this.#state === 'up') this.#handleOfCall(event)
  }

  #handleOfCall(event: Exclude<StreamEvent, { kind: 'started' | 'stopped' | 'failed' }>): void {
    if (event.kind === 'flow') this.#audio.pause(event.isPaused)
    else if (event.kind === 'digit') this.#listener?.digit(event.digit)
    else if (event.kind === 'audio') {
      if (!this.#isHeld) this.#listener?.audio(event.audio)
    } else {
      for (const { passage, milliseconds } of this.#audio.acknowledge(event.name)) {
        // The listener may have ended the call.
        if (this.#state === 'up') this.#listener?.played(passage, Math.round(milliseconds))
      }
    }
  }

  #begin(start: StreamStart): void {
    if (this.#state !== 'waiting') return
    this.#state = 'started'
    this.#start = start
    this.#settle.resolve(start)
  }

  /** Ends a call whose carrier is gone without a close. */
  #watchSilence(): void {
    this.#cancelTimer()
    const silent = this.#timers.monotonic() - this.#heardAt
    if (silent >= silenceMilliseconds) {
      this.#end({ kind: 'audio_lost' }, closeGoingAway)
      this.#hangUpAtCarrier()
    } else {
      this.#cancelTimer = this.#timers.after(silenceMilliseconds - silent, () => this.#watchSilence())
    }
  }

  #closed(code: number): void {
    const isOrderly = [closeNormal, closeGoingAway, closeWithoutCode].includes(code)
    if (this.#state === 'waiting' || this.#state === 'started') {
      this.#fail('The stream was closed before the call was admitted.', null)
    } else this.#end(isOrderly ? this.#endByPeer() : { kind: 'audio_lost' }, null)
  }

  #endByPeer(): EndReason {
    return { kind: this.#isTransferred ? 'transferred' : 'hung_up_by_peer' }
  }

  #fail(detail: string, closeCode: number | null): void {
    if (this.#state === 'ended') return
    const isAdmitted = this.#state === 'admitted' || this.#state === 'up'
    this.#settle.reject(new StreamFailure(detail))
    this.#end({ kind: 'failed', detail }, closeCode)
    // Some carriers keep the call when its stream ends.
    if (isAdmitted) this.#hangUpAtCarrier()
  }

  /** Ends the leg. Closes the socket unless the code is null. */
  #end(reason: EndReason, closeCode: number | null): void {
    if (this.#state === 'ended') return
    this.#state = 'ended'
    this.#cancelTimer()
    this.#audio.end()
    this.#settle.reject(new StreamFailure('The stream ended before the call was admitted.'))
    if (closeCode !== null) this.#socket.close(closeCode, '')
    this.#listener?.ended(reason)
  }

  #hangUpAtCarrier(): void {
    if (this.#protocol.hangUp) this.#send(this.#protocol.hangUp())
    // Without an ID, the end of the stream ends the call at most carriers.
    const request = (this.id !== '' && this.#carrier?.hangUp(this.id)) || Promise.resolve()
    request.catch(() => this.#hangUpFailed(this.id)).finally(() => this.#socket.close(closeNormal, ''))
  }
}

/** `Promise.withResolvers` of newer Nodes. */
function withResolvers<T>() {
  let resolve: (value: T) => void = () => undefined
  let reject: (error: Error) => void = () => undefined
  const promise = new Promise<T>((fulfil, refuse) => {
    resolve = fulfil
    reject = refuse
  })
  return { promise, resolve, reject }
}
