import { wireRate } from './pcm.js'
import { Resampler } from './resampler.js'

/** A part of an answer. */
export interface SpeechPart {
  readonly itemId: string
  readonly contentIndex: number
}

export interface PlayedSamples extends SpeechPart {
  readonly playedSamples: number
}

interface Segment extends SpeechPart {
  readonly samples: Int16Array
}

const samplesPer = (milliseconds: number) => (wireRate * milliseconds) / 1000

/** How much audio is buffered before playback starts, at first and after a gap. Every gap increases it. */
const firstTarget = samplesPer(100)
const targetStep = samplesPer(50)
const longestTarget = samplesPer(300)
/** Audio starts and ends with a ramp. A step would be audible as a click. */
const rampSamples = samplesPer(3)

/**
 * The playback buffer between network and speaker. It runs on the audio rendering thread and counts there: samples that left
 * the queue were heard, regardless of clocks and networks.
 */
export class PlaybackQueue {
  readonly #resampler: Resampler
  readonly #samplesPerFrame: number
  readonly #segments: Segment[] = []
  /** The position within the first segment. */
  #offset = 0
  #queued = 0
  /** The part that was heard last, and how much of it. Nothing is allocated per sample, because garbage collection is audible. */
  #heard: SpeechPart | null = null
  #played = 0
  #isRunning = false
  /** Whether no more audio will follow what is queued. */
  #isWhole = false
  #target = firstTarget
  #waited = 0
  #gain = 0

  constructor(deviceRate: number) {
    this.#resampler = new Resampler(wireRate, deviceRate)
    this.#samplesPerFrame = wireRate / deviceRate
  }

  get isPlaying(): boolean {
    return this.#isRunning
  }

  push(part: SpeechPart, samples: Int16Array): void {
    if (samples.length === 0) return
    this.#segments.push({ ...part, samples })
    this.#queued += samples.length
    this.#isWhole = false
  }

  /** Marks an item as complete. */
  finish(itemId: string): void {
    if (this.#segments.at(-1)?.itemId === itemId || this.#heard?.itemId === itemId) this.#isWhole = true
  }

  /** Clears the queue except for the ramp. Returns the parts that were queued, with the played length of each. */
  cut(): PlayedSamples[] {
    const parts: PlayedSamples[] = []
    for (const { itemId, contentIndex } of this.#segments) {
      if (parts.some((part) => isSame(part, { itemId, contentIndex }))) continue
      const isHeard = this.#heard !== null && isSame(this.#heard, { itemId, contentIndex })
      parts.push({ itemId, contentIndex, playedSamples: isHeard ? this.#played : 0 })
    }
    this.#keep(this.#isRunning ? rampSamples : 0)
    this.#isWhole = true
    return parts
  }

  render(output: Float32Array): void {
    if (!this.#isRunning) this.#begin(output.length)
    for (let frame = 0; frame < output.length; frame += 1) output[frame] = this.#resampler.pull(this.#take)
  }

  #begin(frames: number): void {
    if (this.#queued === 0) return
    this.#waited += frames * this.#samplesPerFrame
    // If a short rest gets no addition, it is played after the time that a full buffer would have taken.
    if (this.#queued < this.#target && this.#waited < this.#target && !this.#isWhole) return
    this.#isRunning = true
    this.#waited = 0
  }

  readonly #take = (): number => {
    if (!this.#isRunning) return 0
    const segment = this.#segments[0]
    if (segment === undefined) {
      this.#stop()
      return 0
    }
    const sample = segment.samples[this.#offset] ?? 0
    this.#count(segment)
    this.#queued -= 1
    this.#offset += 1
    if (this.#offset === segment.samples.length) {
      this.#segments.shift()
      this.#offset = 0
    }
    const wanted = Math.min(1, this.#queued / rampSamples)
    const step = 1 / rampSamples
    this.#gain += Math.max(-step, Math.min(step, wanted - this.#gain))
    return (sample / 32_768) * this.#gain
  }

  #count(segment: Segment): void {
    if (this.#heard !== segment) {
      if (this.#heard === null || !isSame(this.#heard, segment)) this.#played = 0
      this.#heard = segment
    }
    this.#played += 1
  }

  #stop(): void {
    this.#isRunning = false
    this.#gain = 0
    if (!this.#isWhole) this.#target = Math.min(longestTarget, this.#target + targetStep)
    this.#isWhole = false
  }

  /** Keeps this number of samples from the front. */
  #keep(count: number): void {
    const [segment] = this.#segments
    const kept = segment?.samples.subarray(this.#offset, this.#offset + count)
    this.#segments.length = 0
    this.#offset = 0
    this.#queued = kept?.length ?? 0
    if (segment !== undefined && kept !== undefined && kept.length > 0)
      this.#segments.push({ itemId: segment.itemId, contentIndex: segment.contentIndex, samples: kept })
  }
}

function isSame(one: SpeechPart, other: SpeechPart): boolean {
  return one.itemId === other.itemId && one.contentIndex === other.contentIndex
}
