import { setTimeout as wait } from 'node:timers/promises'

/** The sample rate on the wire: one channel, 16 bit. */
const wireRate = 24_000
const chunkMilliseconds = 20
const chunkSamples = (wireRate * chunkMilliseconds) / 1000
const silence = new Int16Array(chunkSamples)
/** Quieter samples count as silence. */
const quietestSpeech = 500
/** Silence before the first word, as with a real microphone. */
const leadInChunks = 200 / chunkMilliseconds

/** Turns words into audio of 24,000 samples a second. */
export interface SpeakingVoice {
  speak(text: string, voice: string): Promise<Int16Array>
}

interface Utterance {
  readonly chunks: readonly Int16Array[]
  /** The number of chunks up to the last one that is loud enough to be speech. */
  readonly spokenChunks: number
  readonly onStart: () => void
  readonly onEnd: () => void
}

/**
 * Sends speech in real time, followed by silence until the answer is complete. Sends nothing between lines,
 * so that each run sends the same amount of audio however long the next line takes to begin.
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

  /** Resolves when the last word has been sent. */
  say(sound: Int16Array, onStart: () => void): Promise<void> {
    const chunks = [...Array.from({ length: leadInChunks }, () => silence), ...cutIntoChunks(sound)]
    const last = chunks.findLastIndex((chunk) => chunk.some((sample) => Math.abs(sample) >= quietestSpeech))
    return new Promise((resolve) => {
      const spokenChunks = Math.max(last + 1, leadInChunks + 1)
      this.#utterance = { chunks, spokenChunks, onStart, onEnd: resolve, index: 0 }
      this.#isOpen = true
    })
  }

  /** Stops sending until the next line. */
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
