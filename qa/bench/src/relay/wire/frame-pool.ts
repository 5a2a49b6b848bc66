import { type StampedFrame, stampFromEnd } from '@parley/stage/load/frames'
import { stampDigits, writeStamp } from '@parley/stage/load/stamp'
import { makeFrame, mask, opcodes } from './frame.js'

/** Reuses the frames of the load after they are sent. Client frames are masked. */
export class FramePool {
  readonly of: StampedFrame
  readonly #isMasked: boolean
  readonly #payloadAt: number
  readonly #template: Buffer
  readonly #free: Buffer[] = []

  constructor(of: StampedFrame, isMasked: boolean) {
    const { bytes, payloadAt } = makeFrame(opcodes.text, of.template, isMasked)
    this.of = of
    this.#isMasked = isMasked
    this.#payloadAt = payloadAt
    this.#template = bytes
  }

  /** Returns a frame with the current time. */
  take(): Buffer {
    const frame = this.#free.pop() ?? Buffer.from(this.#template)
    const stampAt = frame.length - stampFromEnd
    writeStamp(frame, stampAt)
    if (this.#isMasked) mask(frame, this.#payloadAt, stampAt, stampAt + stampDigits)
    return frame
  }

  giveBack(frame: Buffer): void {
    this.#free.push(frame)
  }
}
