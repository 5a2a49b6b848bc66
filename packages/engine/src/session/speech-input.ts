import { type AudioClip, joinSamples, recognitionRate, toFloat } from '../audio/pcm.js'
import { type WireAudioFormat, WireDecoder } from '../audio/wire-audio.js'
import { makeId } from '../protocol/ids.js'
import { invalidRequest, type ProtocolError } from '../protocol/protocol-error.js'
import type { TurnDetection } from '../protocol/session-schema.js'
import type { Outcome } from '../runtime/outcome.js'
import {
  frameMilliseconds,
  judgeFinished,
  quiet,
  type SpeechEvent,
  type SpeechStep,
  stepSpeech,
} from '../voice-activity/end-of-speech.js'
import { endOfSpeechRules, prefixMilliseconds } from '../voice-activity/end-of-speech-rules.js'
import { soundsFinished } from '../voice-activity/finished-sentence.js'
import { frameSamples, freshMemory, type VoiceActivity } from '../voice-activity/voice-activity.js'
import { InputAudio } from './input-audio.js'
import { speechFailure } from './speech-failure.js'

export type Transcription = Promise<Outcome<string>>

/** Speech that will become an item. */
export interface Utterance {
  readonly itemId: string
  readonly clip: AudioClip
  /** The transcript made during a pause, if the speech ended there. */
  readonly guess: Transcription | null
}

export interface SpeechInputParts {
  readonly voiceActivity: VoiceActivity
  /** Transcribes speech that may continue. */
  readonly guess: (clip: AudioClip) => Transcription
  /** Returns whether an early transcript is cheap enough to make just to save time. */
  readonly canGuess: () => boolean
  readonly onStarted: (itemId: string, atMilliseconds: number) => void
  readonly onStopped: (itemId: string, atMilliseconds: number) => void
  readonly onUtterance: (utterance: Utterance) => void
  readonly onError: (error: ProtocolError) => void
}

interface OpenUtterance {
  readonly itemId: string
  readonly startMilliseconds: number
  guess: Transcription | null
}

const minCommitMilliseconds = 100
/** How much audio is kept of a stream without speech, in case the client commits it anyway. */
const quietKeptMilliseconds = 30_000
const maxHeldMilliseconds = 600_000
/** The duration of audio to keep after the last word, because word endings are quiet. */
const tailMilliseconds = 192
const maxFramesPerBatch = 32
/** The detector skips audio if it falls further behind than this. Speech detected so late is useless. */
const maxBehindFrames = 320

/** The audio input of one client: buffers the audio, detects utterances and makes an early transcript. */
export class SpeechInput {
  readonly #parts: SpeechInputParts
  readonly #audio = new InputAudio()
  #format: WireAudioFormat
  #detection: TurnDetection | null
  #decoder: WireDecoder
  #utterance: OpenUtterance | null = null
  #state = quiet
  #memory = freshMemory()
  /** Audio that the detector has not read yet. */
  #undetected: Int16Array[] = []
  #frame = 0
  /** The position of the detector's first frame in the stream. */
  #originMilliseconds = 0
  /** Results from before a reset of the detector are ignored. */
  #epoch = 0
  #isDetecting = false
  #lastErrorCode: string | null = null

  constructor(parts: SpeechInputParts, format: WireAudioFormat, detection: TurnDetection | null) {
    this.#parts = parts
    this.#format = format
    this.#detection = detection
    this.#decoder = new WireDecoder(format)
  }

  get isSpeaking(): boolean {
    return this.#utterance !== null
  }

  get endMilliseconds(): number {
    return this.#audio.endMilliseconds
  }

  configure(format: WireAudioFormat, detection: TurnDetection | null): void {
    if (format.type !== this.#format.type) this.#decoder = new WireDecoder(format)
    if ((detection === null) !== (this.#detection === null)) this.#reset()
    this.#format = format
    this.#detection = detection
  }

  append(bytes: Buffer): void {
    if (this.#audio.heldMilliseconds > maxHeldMilliseconds) {
      this.#reportError(
        invalidRequest('input_audio_buffer_full', 'The input audio buffer is full. Commit or clear it.'),
      )
      return
    }
    const samples = this.#decoder.decode(bytes)
    this.#audio.append(samples)
    if (this.#detection === null) return
    this.#undetected.push(samples)
    if (this.#utterance === null) this.#audio.dropBefore(this.#audio.endMilliseconds - quietKeptMilliseconds)
    void this.#detect()
  }

  clear(): void {
    this.#audio.clear()
    this.#reset()
  }

  /** Turns all buffered audio into an utterance. */
  commit(): ProtocolError | null {
    const held = this.#audio.heldMilliseconds
    if (held < minCommitMilliseconds)
      return invalidRequest(
        'input_audio_buffer_commit_empty',
        `Error committing input audio buffer: buffer too small. Expected at least 100ms of audio, but buffer only has ${held.toFixed(2)}ms of audio.`,
      )
    const samples = this.#audio.copy(0, this.#audio.endMilliseconds + 1)
    const itemId = this.#utterance?.itemId ?? makeId('item')
    this.clear()
    this.#parts.onUtterance({ itemId, clip: { samples, rate: recognitionRate }, guess: null })
    return null
  }

  #reset(): void {
    this.#epoch += 1
    this.#lastErrorCode = null
    this.#utterance = null
    this.#state = quiet
    this.#memory = freshMemory()
    this.#undetected = []
    this.#frame = 0
    this.#originMilliseconds = this.#audio.endMilliseconds
  }

  /** Runs one detector job at a time. Audio that arrives during a job goes into the next one. */
  async #detect(): Promise<void> {
    if (this.#isDetecting) return
    this.#isDetecting = true
    try {
      for (;;) {
        const frames = this.#takeFrames()
        if (frames === null || !(await this.#runDetector(frames))) return
      }
    } finally {
      this.#isDetecting = false
    }
  }

  /** Returns whether to continue. */
  async #runDetector(frames: Int16Array): Promise<boolean> {
    const epoch = this.#epoch
    const result = await this.#parts.voiceActivity.detect({ samples: toFloat(frames), memory: this.#memory })
    if (epoch !== this.#epoch) return true
    if (!result.ok) {
      this.#undetected.unshift(frames)
      this.#reportError(speechFailure(result))
      return false
    }
    this.#lastErrorCode = null
    this.#memory = result.value.memory
    for (const probability of result.value.probabilities) {
      this.#step(probability)
      if (epoch !== this.#epoch) return true
    }
    return true
  }

  #takeFrames(): Int16Array | null {
    const undetected = joinSamples(this.#undetected)
    const behind = Math.floor(undetected.length / frameSamples)
    const skipped = Math.max(0, behind - maxBehindFrames)
    this.#frame += skipped
    const count = Math.min(behind - skipped, maxFramesPerBatch)
    const start = skipped * frameSamples
    const end = start + count * frameSamples
    this.#undetected = [undetected.slice(end)]
    return count === 0 ? null : undetected.slice(start, end)
  }

  #step(probability: number): void {
    if (this.#detection === null) return
    const step = stepSpeech(this.#state, probability, this.#frame, endOfSpeechRules(this.#detection))
    this.#frame += 1
    this.#apply(step, this.#detection)
  }

  #apply({ state, event }: SpeechStep, detection: TurnDetection): void {
    this.#state = state
    if (event !== null) this.#handle(event, detection)
  }

  #handle(event: SpeechEvent, detection: TurnDetection): void {
    switch (event.type) {
      case 'started':
        return this.#begin(this.#originMilliseconds + event.atMilliseconds, detection)
      case 'paused':
        return this.#pause(this.#originMilliseconds + event.atMilliseconds, detection)
      case 'resumed':
        if (this.#utterance !== null) this.#utterance.guess = null
        return
      case 'stopped':
        return this.#end(this.#originMilliseconds + event.atMilliseconds)
    }
  }

  #begin(atMilliseconds: number, detection: TurnDetection): void {
    const startMilliseconds = Math.max(0, atMilliseconds - prefixMilliseconds(detection))
    this.#utterance = { itemId: makeId('item'), startMilliseconds, guess: null }
    this.#parts.onStarted(this.#utterance.itemId, startMilliseconds)
  }

  #pause(atMilliseconds: number, detection: TurnDetection): void {
    const utterance = this.#utterance
    const isJudged = detection.type === 'semantic_vad'
    if (utterance === null || !(isJudged || this.#parts.canGuess())) return
    const guess = this.#parts.guess(this.#clip(utterance, atMilliseconds))
    utterance.guess = guess
    if (!isJudged) return
    void guess.then((result) => {
      // The speaker may have continued, so the transcript would be incomplete. If transcription
      // failed, the sentence counts as finished and silence alone decides.
      if (this.#utterance !== utterance || utterance.guess !== guess) return
      if (result.ok && !soundsFinished(result.value)) return
      this.#apply(judgeFinished(this.#state, this.#frame - 1, endOfSpeechRules(detection)), detection)
    })
  }

  #end(atMilliseconds: number): void {
    const utterance = this.#utterance
    if (utterance === null) return
    const clip = this.#clip(utterance, atMilliseconds)
    this.#utterance = null
    this.#audio.dropBefore(this.#originMilliseconds + this.#frame * frameMilliseconds)
    this.#parts.onStopped(utterance.itemId, atMilliseconds)
    this.#parts.onUtterance({ itemId: utterance.itemId, clip, guess: utterance.guess })
  }

  #clip(utterance: OpenUtterance, endMilliseconds: number): AudioClip {
    const samples = this.#audio.copy(utterance.startMilliseconds, endMilliseconds + tailMilliseconds)
    return { samples, rate: recognitionRate }
  }

  /** Reports an error once, and not for each of the fifty chunks per second. */
  #reportError(error: ProtocolError): void {
    if (this.#lastErrorCode === error.code) return
    this.#lastErrorCode = error.code
    this.#parts.onError(error)
  }
}
