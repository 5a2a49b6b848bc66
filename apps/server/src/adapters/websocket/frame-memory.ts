// Named, since the global one is looked up through a getter, for every frame.
import { Buffer } from 'node:buffer'
import { copyInto } from './copy-into.js'
import { PartView } from './part-view.js'
import { bringToUnmask, takeMaskOff, unmaskMemory } from './unmask.js'

/** Memory that frames are copied into, one behind the other. */
class Slab {
  readonly bytes: Buffer
  #used = 0

  constructor(byteCount: number) {
    this.bytes = Buffer.allocUnsafeSlow(byteCount)
  }

  hasRoomFor(byteCount: number): boolean {
    return this.#used + byteCount <= this.bytes.length
  }

  /** Returns where the bytes begin. */
  take(byteCount: number): number {
    const at = this.#used
    this.#used += byteCount
    return at
  }
}

const nothing = Buffer.alloc(0)

/** Who keeps a frame keeps its slab: so one holds but a few frames, or is small. */
const sizes = { slab: 64 * 1024, mostInSlab: 16 * 1024, small: 8 * 1024, mostInSmall: 1024 } as const

/** Where a frame lies in what was read. */
export interface FramePlace {
  readonly at: number
  /** Where its payload begins. */
  readonly from: number
  readonly end: number
}

export interface CutFrame {
  /** Behind its header in memory, in which the key, where there is one, is zeros: it can be sent on as it lies there. */
  readonly payload: Buffer
  /** Whether it is known to be ASCII without control characters and backslashes. */
  readonly isPlain: boolean
}

/** The frame that was cut last, and where it was put. */
interface LaidFrame {
  readonly slab: Slab
  readonly start: number
  readonly whole: Buffer
  readonly payload: Buffer
}

/** The memory for what comes from peers of one kind, whose frames are masked or are not. */
export class FrameMemory {
  readonly #isMasked: boolean
  readonly #read = new PartView()
  #slab = new Slab(sizes.slab)
  #smallSlab = new Slab(sizes.small)
  #last: LaidFrame

  constructor(isMasked: boolean) {
    this.#isMasked = isMasked
    this.#last = { slab: this.#slab, start: 0, whole: nothing, payload: nothing }
  }

  /** Takes the mask off a frame in what was read, where it has one, and copies the frame out of there. */
  cut(source: Buffer, { at, from, end }: FramePlace): CutFrame {
    const frameBytes = end - at
    const headerBytes = from - at
    const { slab, start, payload } = this.#lay(frameBytes, headerBytes)
    if (!this.#isMasked) {
      copyInto(slab.bytes, this.#read.of(source, at, end), start)
      return { payload, isPlain: false }
    }
    const here = bringToUnmask(source, at, end)
    const isPlain = takeMaskOff(here + headerBytes, here + frameBytes)
    copyInto(slab.bytes, this.#read.of(unmaskMemory, here, here + frameBytes), start)
    return { payload, isPlain }
  }

  /** The payload with so many bytes before it; null where there are less. */
  withHeader(payload: Buffer, headerBytes: number): Buffer | null {
    const { whole, payload: last } = this.#last
    if (payload === last && whole.length === payload.length + headerBytes) return whole
    const start = payload.byteOffset - headerBytes
    return start < 0 ? null : Buffer.from(payload.buffer, start, payload.length + headerBytes)
  }

  #lay(frameBytes: number, headerBytes: number): LaidFrame {
    const slab = this.#slabFor(frameBytes)
    const start = slab.take(frameBytes)
    const last = this.#last
    // At the same place only where the last one was given back: its views are this one's as well.
    const isSame =
      last.slab === slab &&
      last.start === start &&
      last.whole.length === frameBytes &&
      last.payload.length === frameBytes - headerBytes
    if (!isSame) {
      const whole = slab.bytes.subarray(start, start + frameBytes)
      this.#last = { slab, start, whole, payload: whole.subarray(headerBytes) }
    }
    return this.#last
  }

  #slabFor(byteCount: number): Slab {
    if (byteCount > sizes.mostInSlab) return new Slab(byteCount)
    if (byteCount > sizes.mostInSmall) {
      if (!this.#slab.hasRoomFor(byteCount)) this.#slab = new Slab(sizes.slab)
      return this.#slab
    }
    if (!this.#smallSlab.hasRoomFor(byteCount)) this.#smallSlab = new Slab(sizes.small)
    return this.#smallSlab
  }
}

/** Of all clients, and of all servers, since one is read after the other. */
const [ofClients, ofServers] = [new FrameMemory(true), new FrameMemory(false)]

/** Not by the name of a property: V8 looks one up at every use that is not always the same. */
export const framesFrom = (peer: 'client' | 'server') => (peer === 'client' ? ofClients : ofServers)
