import type { Codec } from '../leg.js'
import type { CallMedia } from '../sip/call-context.js'
import { type Agreement, makeMasterKey } from './rtp-stream.js'
import {
  type AudioDescription,
  type AudioPayload,
  answerDirection,
  type CryptoKey,
  type Direction,
  type MediaSection,
  parseSdp,
  writeSdp,
} from './sdp.js'

/**
 * Encryption by keys in the description (SDES). Off: never. Offered: if the peer does too. Required: a call without is
 * refused.
 */
export type SrtpPolicy = 'off' | 'offered' | 'required'

export interface MediaSessionOptions {
  /** Our address and port, as the peer reaches them. */
  readonly address: string
  readonly port: () => number
  /** The allowed codecs, the preferred one first. */
  readonly codecs: readonly Codec[]
  readonly srtp: SrtpPolicy
  readonly sessionId: number
  /** Called when an offer and its answer are complete. */
  agreed(agreement: Agreement): void
}

const payloadTypes: Readonly<Record<Codec, number>> = { g711_ulaw: 0, g711_alaw: 8 }
const offeredEvent = 101

/** The offers and answers of one call. */
export class MediaSession implements CallMedia {
  readonly #options: MediaSessionOptions
  readonly #master = makeMasterKey()
  #version = 0
  /** The description without its version, which rises only if something else changes. */
  #lastSections = ''
  #offer: AudioDescription | null = null
  #isHeld = false
  #peerDirection: Direction = 'sendrecv'
  /** The agreed part of the description, which later offers repeat. */
  #agreed: AudioDescription | null = null

  constructor(options: MediaSessionOptions) {
    this.#options = options
  }

  get isHeldByPeer(): boolean {
    return this.#peerDirection === 'sendonly' || this.#peerDirection === 'inactive'
  }

  setHeld(isHeld: boolean): void {
    this.#isHeld = isHeld
  }

  /** Returns the codec with which an offer would be answered, or null if nothing fits. Changes nothing. */
  codecFor(offer: string): Codec | null {
    return this.#choose(parseSdp(offer) ?? [])?.payload.codec ?? null
  }

  makeOffer(): string {
    const { codecs, srtp } = this.#options
    const direction = this.#isHeld ? 'sendonly' : 'sendrecv'
    this.#offer = this.#agreed
      ? { ...this.#agreed, direction }
      : {
          // Encryption that is only offered uses the plain profile, which all peers can answer.
          profile: srtp === 'required' ? 'RTP/SAVP' : 'RTP/AVP',
          payloads: codecs.map((codec) => ({ type: payloadTypes[codec], codec })),
          telephoneEvent: offeredEvent,
          key: srtp === 'off' ? null : { tag: '1', master: this.#master },
          direction,
        }
    return this.#write([this.#offer])
  }

  acceptAnswer(answer: string): boolean {
    const offer = this.#offer
    const section = parseSdp(answer)?.[0]
    if (offer === null || section === undefined || section.kind !== 'audio' || section.port === 0)
      return false
    const payload = section.payloads.find(({ codec }) => offer.payloads.some((own) => own.codec === codec))
    const key = section.keys.find(({ tag }) => tag === offer.key?.tag) ?? null
    const mustEncrypt = this.#options.srtp === 'required' || isSecure(section.profile)
    if (payload === undefined || (mustEncrypt && key === null)) return false
    this.#agree({ ...offer, key: key && offer.key }, section, payload, key)
    return true
  }

  answerOffer(text: string): string | null {
    const sections = parseSdp(text)
    if (sections === null) return null
    const chosen = this.#choose(sections)
    if (chosen === null) return null
    const { section, payload, key } = chosen
    const own: AudioDescription = {
      profile: section.profile,
      payloads: [payload],
      telephoneEvent: section.telephoneEvent,
      key: key && { tag: key.tag, master: this.#master },
      direction: answerDirection(section.direction, this.#isHeld),
    }
    this.#agree(own, section, payload, key)
    return this.#write(sections.map((other) => (other === section ? own : other)))
  }

  /** Returns the first section that fits, an encrypted one first, or null. */
  #choose(sections: readonly MediaSection[]) {
    const { srtp, codecs } = this.#options
    const fitting = sections.flatMap((section) => {
      const payload = section.payloads.find(({ codec }) => codecs.includes(codec))
      const key = srtp === 'off' ? null : (section.keys[0] ?? null)
      const isUsable = section.kind === 'audio' && section.port > 0 && isKnownProfile(section.profile)
      const mustEncrypt = srtp === 'required' || isSecure(section.profile)
      return isUsable && payload && (key !== null || !mustEncrypt) ? [{ section, payload, key }] : []
    })
    return fitting.find(({ key }) => key !== null) ?? fitting[0] ?? null
  }

  #agree(own: AudioDescription, peer: MediaSection, payload: AudioPayload, key: CryptoKey | null): void {
    this.#peerDirection = peer.direction
    // Our numbers must be those of the peer from now on.
    this.#agreed = { ...own, payloads: [payload], telephoneEvent: peer.telephoneEvent }
    const direction = answerDirection(peer.direction, this.#isHeld)
    this.#options.agreed({
      remote: peer.address === null ? null : { address: peer.address, port: peer.port },
      codec: payload.codec,
      payloadType: payload.type,
      telephoneEvent: peer.telephoneEvent,
      canSend: direction === 'sendrecv' || direction === 'sendonly',
      canReceive: direction === 'sendrecv' || direction === 'recvonly',
      keys: key && { own: this.#master, peer: key.master },
    })
  }

  #write(sections: readonly (AudioDescription | MediaSection)[]): string {
    const { address, port, sessionId } = this.#options
    const own = { address, port: port(), sessionId, version: 0 }
    const text = writeSdp(own, sections)
    if (text !== this.#lastSections) this.#version += 1
    this.#lastSections = text
    return writeSdp({ ...own, version: this.#version }, sections)
  }
}

function isSecure(profile: string): boolean {
  return /SAVPF?$/.test(profile)
}

function isKnownProfile(profile: string): boolean {
  return /^RTP\/S?AVPF?$/.test(profile)
}
