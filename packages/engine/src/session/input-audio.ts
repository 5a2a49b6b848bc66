import { joinSamples, recognitionRate } from '../audio/pcm.js'

const samplesPerMillisecond = recognitionRate / 1000

/**
 * The received audio that is not part of an item yet. Time counts from the first sample of the session and continues
 * across commits and clears.
 */
export class InputAudio {
  #chunks: Int16Array[] = []
  /** The number of dropped samples before the first chunk. */
  #droppedSamples = 0
  #heldSamples = 0

  get endMilliseconds(): number {
    return Math.floor((this.#droppedSamples + this.#heldSamples) / samplesPerMillisecond)
  }

  get heldMilliseconds(): number {
    return this.#heldSamples / samplesPerMillisecond
  }

  append(samples: Int16Array): void {
    if (samples.length === 0) return
    this.#chunks.push(samples)
    this.#heldSamples += samples.length
  }

  /** Copies the audio between two times, if it is still buffered. */
  copy(fromMilliseconds: number, toMilliseconds: number): Int16Array {
    const whole = joinSamples(this.#chunks)
    const start = Math.max(0, Math.round(fromMilliseconds * samplesPerMillisecond) - this.#droppedSamples)
    const end = Math.max(start, Math.round(toMilliseconds * samplesPerMillisecond) - this.#droppedSamples)
    return whole.slice(start, end)
  }

  /** Drops the audio before a time. */
  dropBefore(milliseconds: number): void {
    let excess = Math.round(milliseconds * samplesPerMillisecond) - this.#droppedSamples
    while (excess > 0) {
      const first = this.#chunks[0]
      if (first === undefined) return
      const count = Math.min(excess, first.length)
      if (count === first.length) this.#chunks.shift()
      else this.#chunks[0] = first.subarray(count)
      this.#droppedSamples += count
      this.#heldSamples -= count
      excess -= count
    }
  }

  clear(): void {
    this.dropBefore(Number.MAX_SAFE_INTEGER / recognitionRate)
  }
}
