// Named, since the global one is looked up through a getter, for every frame.
import { Buffer } from 'node:buffer'
import { keyBytes } from './frame-header.js'
import { copyUnmasked } from './unmask.js'

/** Memory that frames are copied into, one behind the other. It is used again only where nobody keeps anything of a frame. */
class Slab {
  readonly bytes: Buffer
  readonly words: Int32Array
  #used = 0
  /** Where the last bytes begin that were taken; -1 where they were given back. */
  #lastAt = -1

  constructor(byteCount: number) {
    this.bytes = Buffer.allocUnsafeSlow(wholeWords(byteCount))
    this.words = new Int32Array(this.bytes.buffer)
  }

  hasRoomFor(byteCount: number): boolean {
    return this.#used + byteCount <= this.bytes.length
  }

  /** Returns where the bytes begin, which is where a word does. */
  take(byteCount: number): number {
    const at = this.#used
    this.#used = wholeWords(at + byteCount)
    this.#lastAt = at
    return at
  }

  /** Takes back the bytes that end there, if they are the last that were taken. */
  giveBack(end: number): void {
    if (this.#lastAt < 0 || this.#used !== wholeWords(end)) return
    this.#used = this.#lastAt
    this.#lastAt = -1
  }
}

const wholeWords = (byteCount: number) => (byteCount + 3) & ~3

/** Who keeps a frame keeps its slab: so one holds but a few frames, or is small. */
const sizes = { slab: 64 * 1024, mostInSlab: 16 * 1024, small: 8 * 1024, mostInSmall: 1024 } as const

let slab = new Slab(sizes.slab)
let smallSlab = new Slab(sizes.small)

function slabFor(byteCount: number): Slab {
  if (byteCount > sizes.mostInSlab) return new Slab(byteCount)
  if (byteCount > sizes.mostInSmall) {
    if (!slab.hasRoomFor(byteCount)) slab = new Slab(sizes.slab)
    return slab
  }
  if (!smallSlab.hasRoomFor(byteCount)) smallSlab = new Slab(sizes.small)
  return smallSlab
}

/** Where a frame lies in what was read. */
export interface FramePlace {
  readonly at: number
  /** Where its payload begins. */
  readonly from: number
  readonly end: number
  readonly isMasked: boolean
}

export interface CutFrame {
  /** Behind its header in memory, in which the key, where there is one, is zeros: it can be sent on as it lies there. */
  readonly payload: Buffer
  /** Whether it is known to be ASCII without control characters. */
  readonly isPlain: boolean
}

/** Copies a frame out of what was read, and takes its mask off on the way. */
export function cutFrame(source: Buffer, { at, from, end, isMasked }: FramePlace): CutFrame {
  // It begins as far behind the beginning of a word as it did, so that words can be copied as they are.
  const shift = (source.byteOffset + at) & 3
  const target = slabFor(end - at + shift)
  const start = target.take(end - at + shift) + shift
  const payloadAt = start + from - at
  const payload = Buffer.from(target.bytes.buffer, payloadAt, end - from)
  if (!isMasked) {
    source.copy(target.bytes, start, at, end)
    return { payload, isPlain: false }
  }
  const keyAt = payloadAt - keyBytes
  for (let place = start; place < keyAt; place += 1)
    target.bytes[place] = source[at + place - start] as number
  for (let place = keyAt; place < payloadAt; place += 1) target.bytes[place] = 0
  return { payload, isPlain: copyUnmasked({ source, from, to: end, target, at: payloadAt }) }
}

/**
 * Nobody keeps anything of this frame: the next one is copied to where it lies, which the processor has in its cache. Does
 * nothing where another was cut since, or where it did not come from here.
 */
export function giveBack({ buffer, byteOffset, length }: Buffer): void {
  const owner = buffer === slab.bytes.buffer ? slab : smallSlab
  if (buffer === owner.bytes.buffer) owner.giveBack(byteOffset + length)
}
