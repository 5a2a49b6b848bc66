import { randomBytes } from 'node:crypto'
import type { Cleared, Codec } from '../leg.js'
import type { NetworkAddress } from '../network-address.js'
import type { Timers } from '../time.js'
import { DigitReceiver, DigitSender } from './digits.js'
import { frameBytes, makeSilence } from './frame.js'
import { PeerAddress } from './peer-address.js'
import { PlayQueue } from './play-queue.js'
import { ReceiveLimit } from './receive-limit.js'
import { ReceivedOrder } from './received-order.js'
import { isRtcp, parseRtp, type RtpPacket, writeRtp } from './rtp.js'
import { masterKeyBytes, SrtpReceiver, SrtpSender } from './srtp.js'

/** The result of an offer and its answer. */
export interface Agreement {
  /** Null if the peer gave a host name. Its first packet then tells the address. */
  readonly remote: NetworkAddress | null
  readonly codec: Codec
  readonly payloadType: number
  readonly telephoneEvent: number | null
  readonly canSend: boolean
  readonly canReceive: boolean
  readonly keys: { readonly own: Buffer; readonly peer: Buffer } | null
}

export interface StreamListener {
  audio(audio: Uint8Array): void
  digit(digit: string): void
  played(passage: string, milliseconds: number): void
  /** Called once if nothing was received for the time limit. */
  silent(): void
}

/** After this time without a packet, silence takes its place. Some peers send nothing during silence. */
const fillAfterMilliseconds = 200
/** 200 ms. Larger payloads are not telephone audio. */
const maxPayloadBytes = 1600
/** The share of the receive limit that a digit uses: it lasts 40 ms or longer. */
const digitBytes = 320

/**
 * The RTP of one call, both ways.
 *
 * Audio goes to the described address or, if the peer is behind a NAT, to the one that `PeerAddress` chooses. A packet whose
 * encryption proves its sender may move it at any time.
 */
export class RtpStream {
  readonly #timers: Timers
  readonly #listener: StreamListener
  readonly #send: (packet: Buffer, to: NetworkAddress) => void
  readonly #limitMilliseconds: number
  readonly #queue: PlayQueue
  readonly #digits = new DigitSender()
  readonly #digitReceiver = new DigitReceiver()
  readonly #order: ReceivedOrder
  readonly #source = randomBytes(4).readUInt32BE()
  /** Below the middle, so that the first rollover is far: RFC 3711 section 3.3.1. */
  #sequence = randomBytes(2).readUInt16BE() & 0x7fff
  #timestamp = randomBytes(4).readUInt32BE()
  #digitTimestamp = 0
  #isMarked = true
  #agreement: Agreement | null = null
  readonly #peer: PeerAddress
  readonly #limit: ReceiveLimit
  #encryption: { readonly sender: SrtpSender; readonly master: Buffer } | null = null
  #decryption: { readonly receiver: SrtpReceiver; readonly master: Buffer } | null = null
  #silence = makeSilence('g711_ulaw')
  #receivedAt: number
  #isWatching = false

  constructor(options: {
    readonly timers: Timers
    readonly listener: StreamListener
    readonly send: (packet: Buffer, to: NetworkAddress) => void
    /** The time without a packet after which the peer counts as gone. 0 means never. */
    readonly limitMilliseconds: number
    /** Returns whether an address is one of the line's server, from which audio may come too. */
    readonly isServer: (address: string) => boolean
  }) {
    this.#timers = options.timers
    this.#listener = options.listener
    this.#send = options.send
    this.#limitMilliseconds = options.limitMilliseconds
    this.#peer = new PeerAddress(options.isServer)
    this.#limit = new ReceiveLimit(options.timers)
    this.#receivedAt = options.timers.monotonic()
    this.#queue = new PlayQueue((passage, milliseconds) => this.#listener.played(passage, milliseconds))
    this.#order = new ReceivedOrder({
      ordered: (payload) => this.#hear(payload),
      lost: () => this.#hear(this.#silence),
    })
  }

  /** Applies a new agreement. Unchanged parts continue without a break. */
  agree(agreement: Agreement): void {
    const before = this.#agreement
    this.#peer.describe(agreement.remote)
    if (!before?.canReceive && agreement.canReceive) this.#receivedAt = this.#timers.monotonic()
    this.#agreement = agreement
    this.#silence = makeSilence(agreement.codec)
    const { keys } = agreement
    if (keys === null) {
      this.#encryption = null
      this.#decryption = null
      return
    }
    // An unchanged key keeps its counters: a repeated answer must not reset them.
    if (!this.#encryption?.master.equals(keys.own))
      this.#encryption = { sender: new SrtpSender(keys.own), master: keys.own }
    if (!this.#decryption?.master.equals(keys.peer))
      this.#decryption = { receiver: new SrtpReceiver(keys.peer), master: keys.peer }
  }

  get hasTelephoneEvents(): boolean {
    return this.#agreement?.telephoneEvent !== null
  }

  /** Starts to watch whether the peer sends. Called when the call is answered. */
  watch(): void {
    this.#isWatching = true
    this.#receivedAt = this.#timers.monotonic()
  }

  play(audio: Uint8Array, passage: string): void {
    this.#queue.add(audio, passage)
  }

  clear(): Cleared {
    return this.#queue.clear()
  }

  sendDigits(digits: string): void {
    this.#digits.add(digits)
  }

  /** Sends the next 20 ms: a digit, queued audio, or silence, which keeps a NAT open. */
  frame(): void {
    const { canSend, payloadType = 0 } = this.#agreement ?? {}
    if (canSend) {
      if (this.#digits.isSending && this.hasTelephoneEvents) this.#sendDigit()
      else {
        const payload = Buffer.from(this.#silence)
        this.#queue.fill(payload)
        this.#sendPacket(payloadType, payload, this.#timestamp)
      }
    }
    this.#timestamp = (this.#timestamp + frameBytes) >>> 0
    this.#watchPeer()
  }

  receive(bytes: Buffer, from: NetworkAddress): void {
    const agreement = this.#agreement
    if (agreement === null || isRtcp(bytes)) return
    const plain = this.#decryption ? this.#decryption.receiver.open(bytes) : bytes
    const packet = plain && parseRtp(plain)
    if (!packet || packet.payload.length > maxPayloadBytes || !this.#isFrom(packet, from, agreement)) return
    this.#receivedAt = this.#timers.monotonic()
    if (!agreement.canReceive) return
    const isAudio = packet.payloadType === agreement.payloadType
    this.#order.push(packet.source, packet.sequence, isAudio ? packet.payload : null)
    if (isAudio) return
    const digit = this.#digitReceiver.receive(packet.payload, packet.timestamp)
    if (digit !== null && this.#limit.admits(digitBytes)) this.#listener.digit(digit)
  }

  #hear(audio: Uint8Array): void {
    if (this.#limit.admits(audio.length)) this.#listener.audio(Uint8Array.from(audio))
  }

  /** Decides whether a packet is the peer's, and notes its address. */
  #isFrom({ payloadType, source, sequence }: RtpPacket, from: NetworkAddress, agreement: Agreement): boolean {
    if (payloadType !== agreement.payloadType && payloadType !== agreement.telephoneEvent) return false
    if (this.#decryption === null) return this.#peer.admits(from, source, sequence)
    // An encrypted packet is proven to be the peer's, which may have moved.
    this.#peer.fix(from)
    return true
  }

  #sendDigit(): void {
    if (this.#digits.isAtStart) this.#digitTimestamp = this.#timestamp
    const type = this.#agreement?.telephoneEvent ?? 0
    for (const { payload, isFirst } of this.#digits.frame()) {
      this.#isMarked = isFirst
      this.#sendPacket(type, payload, this.#digitTimestamp)
    }
    this.#isMarked = true
  }

  #sendPacket(payloadType: number, payload: Buffer, timestamp: number): void {
    const to = this.#peer.target
    if (to === null) return
    const packet = { payloadType, sequence: this.#sequence, timestamp, source: this.#source, payload }
    const bytes = writeRtp(packet, this.#isMarked)
    this.#isMarked = false
    this.#sequence = (this.#sequence + 1) & 0xffff
    this.#send(this.#encryption ? this.#encryption.sender.protect(bytes) : bytes, to)
  }

  #watchPeer(): void {
    const { canSend, canReceive } = this.#agreement ?? {}
    // A peer that holds the call, or is held, may send nothing.
    if (!canSend || !canReceive) {
      this.#receivedAt = this.#timers.monotonic()
      return
    }
    const quiet = this.#timers.monotonic() - this.#receivedAt
    if (quiet >= fillAfterMilliseconds && this.#peer.isFixed) this.#hear(this.#silence)
    if (!this.#isWatching || this.#limitMilliseconds === 0 || quiet < this.#limitMilliseconds) return
    this.#isWatching = false
    this.#listener.silent()
  }
}

export function makeMasterKey(): Buffer {
  return randomBytes(masterKeyBytes)
}
