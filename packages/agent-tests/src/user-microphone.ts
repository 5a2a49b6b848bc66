import { setTimeout as wait } from 'node:timers/promises'

/** Samples a second on the wire: one channel, 16 bit. */
const wireRate = 24_000
const chunkMilliseconds = 20
const chunkSamples = (wireRate * chunkMilliseconds) / 1000
const silence = new Int16Array(chunkSamples)
/** Samples that are not as loud are taken for the quiet of a room. */
const quietestSpeech = 500
/** A moment of quiet before the first word, as with every real microphone. */
const leadInChunks = 200 / chunkMilliseconds

/** Words to sound, 24 000 samples a second. */
export interface SpeakingVoice {
  speak(text: string, voice: string): Promise<Int16Array>
}

interface Utterance {
  readonly chunks: readonly Int16Array[]
  /** How many there are up to the last that is loud enough to be speech. */
  readonly spokenChunks: number
  readonly onStart: () => void
  readonly onEnd: () => void
}

/**
 * What is said goes out in real time, with silence before and after it until the answer is there. In between nothing is sent: so
 * one run sends as much as another, however long whoever speaks takes to begin.
 */
export class UserMicrophone {
  readonly #send: (samples: Int16Array) => void
  readonly #off = new AbortController()
  #utterance: (Utterance & { index: number }) | null = null
  #isOpen = false

  constructor(send: (samples: Int16Array) => void) {
    this.#send = send
    void this.#run()
  }

  /** Resolves when the last word has gone out. */
  say(sound: Int16Array, onStart: () => void): Promise<void> {
    const chunks = [...Array.from({ length: leadInChunks }, () => silence), ...cutIntoChunks(sound)]
    const last = chunks.findLastIndex((chunk) => chunk.some((sample) => Math.abs(sample) >= quietestSpeech))
    return new Promise((resolve) => {
      const spokenChunks = Math.max(last + 1, leadInChunks + 1)
      this.#utterance = { chunks, spokenChunks, onStart, onEnd: resolve, index: 0 }
      this.#isOpen = true
    })
  }

  /** Until the next words. */
  rest(): void {
    this.#isOpen = false
  }

  close(): void {
    this.#off.abort()
  }

  async #run(): Promise<void> {
    const startedAt = performance.now()
    for (let tick = 0; !this.#off.signal.aborted; tick += 1) {
      const dueInMilliseconds = startedAt + tick * chunkMilliseconds - performance.now()
      if (dueInMilliseconds > 0) await wait(dueInMilliseconds)
      if (this.#isOpen && !this.#off.signal.aborted) this.#send(this.#nextChunk())
    }
  }

  #nextChunk(): Int16Array {
    const utterance = this.#utterance
    if (utterance === null) return silence
    const { chunks, spokenChunks, index } = utterance
    utterance.index += 1
    if (index === leadInChunks) utterance.onStart()
    if (index === spokenChunks) utterance.onEnd()
    if (utterance.index > Math.max(chunks.length, spokenChunks)) this.#utterance = null
    return chunks[index] ?? silence
  }
}

function cutIntoChunks(sound: Int16Array): Int16Array[] {
  return Array.from({ length: Math.ceil(sound.length / chunkSamples) }, (_, index) =>
    sound.subarray(index * chunkSamples, (index + 1) * chunkSamples),
  )
}
