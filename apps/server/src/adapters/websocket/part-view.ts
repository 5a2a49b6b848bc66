import { Buffer } from 'node:buffer'

const nothing = Buffer.alloc(0)

/**
 * A part of some memory. It is made anew only where it is another than the last one: audio frames are mostly as long as the
 * one before, and to make a view costs more than to copy what is in it.
 */
export class PartView {
  #source: Buffer | null = null
  #from = 0
  #part: Buffer = nothing

  of(source: Buffer, from: number, to: number): Buffer {
    if (source !== this.#source || from !== this.#from || to - from !== this.#part.length) {
      this.#source = source
      this.#from = from
      this.#part = source.subarray(from, to)
    }
    return this.#part
  }
}
