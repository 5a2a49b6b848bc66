import { createCipheriv, createHmac, timingSafeEqual } from 'node:crypto'
import { rtpHeaderLength } from './rtp.js'

/** The only suite: RFC 4568 and RFC 3711. */
export const srtpSuite = 'AES_CM_128_HMAC_SHA1_80'
/** 16 bytes of key, 14 of salt. */
export const masterKeyBytes = 30

const tagBytes = 10
const replayWindow = 64

export interface SessionKeys {
  readonly cipher: Buffer
  readonly authentication: Buffer
  readonly salt: Buffer
}

/** RFC 3711 section 4.3. The label is added to byte 7 of the padded salt. */
export function deriveSessionKeys(master: Buffer): SessionKeys {
  const key = master.subarray(0, 16)
  const derive = (label: number, length: number) => {
    const iv = Buffer.alloc(16)
    master.copy(iv, 0, 16, masterKeyBytes)
    iv[7] = (iv[7] ?? 0) ^ label
    return createCipheriv('aes-128-ctr', key, iv).update(Buffer.alloc(length))
  }
  return { cipher: derive(0, 16), authentication: derive(1, 20), salt: derive(2, 14) }
}

/** Encrypts or decrypts the payload: RFC 3711 section 4.1.1. */
function applyKeystream(packet: Buffer, start: number, rollovers: number, keys: SessionKeys): Buffer {
  const iv = Buffer.alloc(16)
  keys.salt.copy(iv)
  const index = Buffer.alloc(10)
  packet.copy(index, 0, 8, 12)
  index.writeUInt32BE(rollovers, 4)
  packet.copy(index, 8, 2, 4)
  for (const [at, byte] of index.entries()) iv[4 + at] = (iv[4 + at] ?? 0) ^ byte
  const payload = createCipheriv('aes-128-ctr', keys.cipher, iv).update(packet.subarray(start))
  return Buffer.concat([packet.subarray(0, start), payload])
}

function tagOf(packet: Buffer, rollovers: number, keys: SessionKeys): Buffer {
  const counter = Buffer.alloc(4)
  counter.writeUInt32BE(rollovers)
  const digest = createHmac('sha1', keys.authentication).update(packet).update(counter).digest()
  return digest.subarray(0, tagBytes)
}

/** Protects the packets that this side sends. */
export class SrtpSender {
  readonly #keys: SessionKeys
  #rollovers = 0
  #last = -1

  constructor(master: Buffer) {
    this.#keys = deriveSessionKeys(master)
  }

  protect(packet: Buffer): Buffer {
    const sequence = packet.readUInt16BE(2)
    if (sequence < this.#last) this.#rollovers += 1
    this.#last = sequence
    const encrypted = applyKeystream(packet, rtpHeaderLength(packet) ?? 12, this.#rollovers, this.#keys)
    return Buffer.concat([encrypted, tagOf(encrypted, this.#rollovers, this.#keys)])
  }
}

/**
 * A peer may start again with another source. The last ones are remembered, so that none of their packets can be replayed.
 */
const maxSources = 4

/** The packets of one source. */
interface Received {
  /** The highest index: rollovers × 65536 + sequence. */
  highest: number
  seen: Set<number>
}

/** Checks and decrypts received packets. A packet that arrives twice is rejected: RFC 3711 section 3.3.2. */
export class SrtpReceiver {
  readonly #keys: SessionKeys
  /** By source, the one heard last at the end. */
  readonly #received = new Map<number, Received>()

  constructor(master: Buffer) {
    this.#keys = deriveSessionKeys(master)
  }

  /** Returns the RTP packet, or null if it is forged, repeated, or too old. */
  open(bytes: Buffer): Buffer | null {
    const packet = bytes.subarray(0, -tagBytes)
    const start = rtpHeaderLength(packet)
    if (start === null) return null
    const source = packet.readUInt32BE(8)
    const received = this.#received.get(source) ?? { highest: -1, seen: new Set() }
    const index = guessIndex(packet.readUInt16BE(2), received.highest)
    if (index <= received.highest - replayWindow || received.seen.has(index)) return null
    const rollovers = Math.floor(index / 65_536)
    if (!timingSafeEqual(tagOf(packet, rollovers, this.#keys), bytes.subarray(-tagBytes))) return null
    this.#note(source, received, index)
    return applyKeystream(packet, start, rollovers, this.#keys)
  }

  #note(source: number, received: Received, index: number): void {
    this.#received.delete(source)
    this.#received.set(source, received)
    const [oldest = source] = this.#received.keys()
    if (this.#received.size > maxSources) this.#received.delete(oldest)
    received.seen.add(index)
    if (index <= received.highest) return
    received.highest = index
    if (received.seen.size > 4 * replayWindow)
      received.seen = new Set([...received.seen].filter((seen) => seen > index - replayWindow))
  }
}

/** RFC 3711 appendix A: the index that is nearest to the highest one, which is -1 before the first packet. */
function guessIndex(sequence: number, highest: number): number {
  if (highest < 0) return sequence
  const rollovers = Math.floor(highest / 65_536)
  const last = highest % 65_536
  if (last < 32_768) {
    const isOfBefore = sequence - last > 32_768 && rollovers > 0
    return (rollovers - (isOfBefore ? 1 : 0)) * 65_536 + sequence
  }
  return (rollovers + (last - 32_768 > sequence ? 1 : 0)) * 65_536 + sequence
}
