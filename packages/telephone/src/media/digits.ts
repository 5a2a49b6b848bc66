import { frameBytes } from './frame.js'

/** The digits in the order of their event numbers: RFC 4733 section 3.2. */
const alphabet = '0123456789*#ABCD'
const toneFrames = 6
const gapFrames = 3
const endRepeats = 3
const maxWaiting = 128
/** -10 dBm0, the usual volume. */
const volume = 10

function isDigit(text: string): boolean {
  return text.length === 1 && alphabet.includes(text)
}

/** One telephone event packet. All packets of a digit have the timestamp of its start. */
export interface EventPacket {
  readonly payload: Buffer
  readonly isFirst: boolean
}

/** Sends digits: 120 ms each, three end packets, and a pause of 60 ms. */
export class DigitSender {
  #waiting: string[] = []
  #frame = 0

  add(digits: string): void {
    const known = [...digits.toUpperCase()].filter(isDigit)
    this.#waiting.push(...known.slice(0, maxWaiting - this.#waiting.length))
  }

  get isSending(): boolean {
    return this.#waiting.length > 0
  }

  /** Whether the next frame starts a digit. */
  get isAtStart(): boolean {
    return this.#frame === 0
  }

  /** Returns the packets of the next 20 ms. Empty in the pause after a digit. */
  frame(): readonly EventPacket[] {
    const [digit = '0'] = this.#waiting
    this.#frame += 1
    const frame = this.#frame
    if (frame > toneFrames) {
      if (frame < toneFrames + gapFrames) return []
      this.#waiting.shift()
      this.#frame = 0
      return []
    }
    const isEnd = frame === toneFrames
    const payload = Buffer.from([alphabet.indexOf(digit), (isEnd ? 0x80 : 0) | volume, 0, 0])
    payload.writeUInt16BE(frame * frameBytes, 2)
    return Array.from({ length: isEnd ? endRepeats : 1 }, () => ({ payload, isFirst: frame === 1 }))
  }
}

/** Recognizes digits. Reports each once, even if some of its packets are lost, repeated or late. */
export class DigitReceiver {
  #last: number | null = null

  /** Returns the digit that starts with this packet, or null. */
  receive(payload: Buffer, timestamp: number): string | null {
    if (payload.length < 4) return null
    const isNewer = this.#last === null || isAfter(timestamp, this.#last)
    if (!isNewer) return null
    this.#last = timestamp
    return alphabet[payload[0] ?? 16] ?? null
  }
}

function isAfter(timestamp: number, other: number): boolean {
  const distance = (timestamp - other) >>> 0
  return distance > 0 && distance < 0x8000_0000
}
