import type { Socket } from 'node:dgram'
import { receiveDatagrams, sendDatagram } from './datagrams.js'
import type { Cleared, Codec, EndReason, Leg, LegListener, TransferOutcome } from './leg.js'
import type { LineOptions, lineDefaults } from './line-options.js'
import { MediaSession } from './media/media-session.js'
import type { PacingClock } from './media/pacing-clock.js'
import { openRtpSocket } from './media/rtp-socket.js'
import { type Agreement, RtpStream } from './media/rtp-stream.js'
import { isPublicAddress } from './private-addresses.js'
import type { Call } from './sip/call.js'
import type { CallListener } from './sip/call-context.js'
import type { IncomingCall } from './sip/incoming-call.js'
import { parseSipUri } from './sip/uri.js'
import type { Timers } from './time.js'

export interface SipLegOptions {
  readonly id: string
  readonly direction: 'in' | 'out'
  readonly from: string
  readonly to: string
  readonly line: LineOptions & typeof lineDefaults
  /** The address of the RTP socket, and the one that the peer uses. */
  readonly bindAddress: string
  readonly publicAddress: string
  readonly timers: Timers
  readonly clock: PacingClock
  /** Returns whether an address is one of the line's server. */
  isServer(address: string): boolean
  /** Returns the URI of a number or URI. */
  addressOf(to: string): string
  /** Called once, when the leg has ended. */
  removed(leg: SipLeg): void
}

/** A leg over SIP and RTP. Runs where its packets are: in the worker thread. */
export class SipLeg implements Leg {
  readonly id: string
  readonly direction: 'in' | 'out'
  readonly from: string
  readonly to: string
  readonly media: MediaSession
  readonly #options: SipLegOptions
  readonly #stream: RtpStream
  #listener: LegListener | null = null
  #call: Call | null = null
  #incoming: IncomingCall | null = null
  #socket: Socket | null = null
  #codec: Codec
  #hasEnded = false

  constructor(options: SipLegOptions) {
    this.#options = options
    const { line, publicAddress, timers } = options
    this.id = options.id
    this.direction = options.direction
    this.from = options.from
    this.to = options.to
    this.#codec = line.codecs[0] ?? 'g711_ulaw'
    this.media = new MediaSession({
      address: publicAddress,
      port: () => this.#socket?.address().port ?? 9,
      codecs: line.codecs,
      srtp: line.srtp,
      sessionId: Math.floor(Math.random() * 2 ** 31),
      agreed: (agreement) => this.#agreed(agreement),
    })
    this.#stream = new RtpStream({
      timers,
      limitMilliseconds: line.audioLossSeconds * 1000,
      isServer: options.isServer,
      send: (packet, to) => this.#socket && sendDatagram(this.#socket, packet, to),
      listener: {
        audio: (audio) => this.#listener?.audio(audio),
        digit: (digit) => this.#listener?.digit(digit),
        played: (passage, milliseconds) => this.#listener?.played(passage, milliseconds),
        silent: () => this.#call?.hangUp({ kind: 'audio_lost' }),
      },
    })
  }

  /** Opens the RTP port. Returns false if none is free. Closes it again if the leg has ended. */
  async open(): Promise<boolean> {
    const { bindAddress, line } = this.#options
    const socket = await openRtpSocket(bindAddress, line.rtpPorts)
    if (socket === null) return false
    if (this.#hasEnded) {
      socket.close()
      return true
    }
    receiveDatagrams(socket, (packet, from) => this.#stream.receive(packet, from))
    this.#socket = socket
    return true
  }

  get hasEnded(): boolean {
    return this.#hasEnded
  }

  get codec(): Codec {
    return this.#codec
  }

  listen(listener: LegListener): void {
    this.#listener = listener
  }

  /** Notes the codec of the caller's offer, which is needed before the call is answered. */
  expect(codec: Codec): void {
    this.#codec = codec
  }

  attach(call: Call, incoming: IncomingCall | null): void {
    this.#call = call
    this.#incoming = incoming
  }

  /** The events of the call. */
  readonly callListener: CallListener = {
    ringing: () => this.#listener?.ringing(),
    answered: () => {
      this.#stream.watch()
      this.#listener?.answered()
    },
    held: (isHeld) => this.#listener?.held(isHeld),
    digit: (digit) => this.#listener?.digit(digit),
    ended: (reason) => this.end(reason),
  }

  ring(): void {
    this.#incoming?.ring()
  }

  accept(): void {
    this.#incoming?.accept()
  }

  reject(status = 486): void {
    this.#incoming?.reject(status >= 400 && status < 700 ? status : 486)
  }

  play(audio: Uint8Array, passage = ''): void {
    if (!this.#hasEnded) this.#stream.play(audio, passage)
  }

  async clear(): Promise<Cleared> {
    return this.#stream.clear()
  }

  digits(digits: string): void {
    if (this.#hasEnded) return
    if (this.#stream.hasTelephoneEvents) this.#stream.sendDigits(digits)
    else for (const digit of digits.slice(0, 32)) this.#call?.sendInfo(digit)
  }

  async transfer(to: string): Promise<TransferOutcome> {
    const address = this.#options.addressOf(to)
    if (parseSipUri(address) === null) return { kind: 'refused', status: 400 }
    return this.#call?.transfer(address) ?? { kind: 'refused', status: 481 }
  }

  hold(isHeld: boolean): void {
    this.#call?.hold(isHeld)
  }

  hangUp(): void {
    if (this.#call) this.#call.hangUp()
    else this.end({ kind: 'hung_up' })
  }

  end(reason: EndReason): void {
    if (this.#hasEnded) return
    this.#hasEnded = true
    this.#options.clock.remove(this.#stream)
    this.#socket?.close()
    this.#socket = null
    this.#options.removed(this)
    this.#listener?.ended(reason)
  }

  #agreed(agreement: Agreement): void {
    if (this.#hasEnded) return
    this.#codec = agreement.codec
    const { avoidsPrivateAddresses } = this.#options.line
    const { remote } = agreement
    const isHidden = avoidsPrivateAddresses && remote !== null && !isPublicAddress(remote.address)
    this.#stream.agree(isHidden ? { ...agreement, remote: null } : agreement)
    this.#options.clock.add(this.#stream)
  }
}
