import { type AudioClip, hearingRate, joinSamples, toFloat } from '../audio/pcm.js'
import { type WireAudioFormat, WireEar } from '../audio/wire-audio.js'
import { makeId } from '../protocol/ids.js'
import { invalidRequest, type ProtocolError } from '../protocol/protocol-error.js'
import type { TurnDetection } from '../protocol/session-config.js'
import { soundsFinished } from '../turns/finished-sentence.js'
import {
  frameMilliseconds,
  judgeFinished,
  quiet,
  stepTurn,
  type TurnEvent,
  type TurnStep,
} from '../turns/turn-detector.js'
import { prefixMilliseconds, turnRules } from '../turns/turn-rules.js'
import { frameSamples, freshMemory, type VoiceActivity } from '../turns/voice-activity.js'
import type { Outcome } from '../workers/outcome.js'
import { InputAudio } from './input-audio.js'
import { speechFailure } from './speech-failure.js'

export type Transcription = Promise<Outcome<string>>

/** A piece of speech that is to become an item. */
export interface HeardTurn {
  readonly itemId: string
  readonly clip: AudioClip
  /** What was made of it while it paused, where that was all of it. */
  readonly guess: Transcription | null
}

export interface HearingParts {
  readonly voiceActivity: VoiceActivity
  /** Listens to speech that may go on. */
  readonly guess: (clip: AudioClip) => Transcription
  /** Whether a guess costs little enough to be made just to be quicker. */
  readonly canGuess: () => boolean
  readonly onStarted: (itemId: string, atMilliseconds: number) => void
  readonly onStopped: (itemId: string, atMilliseconds: number) => void
  readonly onTurn: (turn: HeardTurn) => void
  readonly onTrouble: (error: ProtocolError) => void
}

interface OpenTurn {
  readonly itemId: string
  readonly startMilliseconds: number
  guess: Transcription | null
}

const minCommitMilliseconds = 100
/** What is kept of a stream in which nobody speaks, for a client that commits it all the same. */
const quietKeptMilliseconds = 30_000
const maxHeldMilliseconds = 600_000
/** Sound after the last word: endings are quiet. */
const tailMilliseconds = 192
const maxFramesAtOnce = 32
/** Further behind than this the detector skips: a turn found so late helps nobody. */
const maxBehindFrames = 320

/** Listens to one client: keeps what it sends, finds turns in it, and has a first guess at what was said. */
export class Hearing {
  readonly #parts: HearingParts
  readonly #audio = new InputAudio()
  #format: WireAudioFormat
  #detection: TurnDetection | null
  #ear: WireEar
  #turn: OpenTurn | null = null
  #state = quiet
  #memory = freshMemory()
  /** What the detector has not looked at yet. */
  #unseen: Int16Array[] = []
  #frame = 0
  /** When the detector's first frame was heard. */
  #originMilliseconds = 0
  /** Results of a detector that was set back meanwhile do not count. */
  #epoch = 0
  #isDetecting = false
  #lastTrouble: string | null = null

  constructor(parts: HearingParts, format: WireAudioFormat, detection: TurnDetection | null) {
    this.#parts = parts
    this.#format = format
    this.#detection = detection
    this.#ear = new WireEar(format)
  }

  get isInTurn(): boolean {
    return this.#turn !== null
  }

  get endMilliseconds(): number {
    return this.#audio.endMilliseconds
  }

  configure(format: WireAudioFormat, detection: TurnDetection | null): void {
    if (format.type !== this.#format.type) this.#ear = new WireEar(format)
    if ((detection === null) !== (this.#detection === null)) this.#reset()
    this.#format = format
    this.#detection = detection
  }

  append(bytes: Buffer): void {
    if (this.#audio.heldMilliseconds > maxHeldMilliseconds) {
      this.#complain(
        invalidRequest('input_audio_buffer_full', 'The input audio buffer is full. Commit or clear it.'),
      )
      return
    }
    const samples = this.#ear.hear(bytes)
    this.#audio.append(samples)
    if (this.#detection === null) return
    this.#unseen.push(samples)
    if (this.#turn === null) this.#audio.dropBefore(this.#audio.endMilliseconds - quietKeptMilliseconds)
    void this.#detect()
  }

  clear(): void {
    this.#audio.clear()
    this.#reset()
  }

  /** Everything that is held becomes a turn. */
  commit(): ProtocolError | null {
    const held = this.#audio.heldMilliseconds
    if (held < minCommitMilliseconds)
      return invalidRequest(
        'input_audio_buffer_commit_empty',
        `Error committing input audio buffer: buffer too small. Expected at least 100ms of audio, but buffer only has ${held.toFixed(2)}ms of audio.`,
      )
    const samples = this.#audio.copy(0, this.#audio.endMilliseconds + 1)
    const itemId = this.#turn?.itemId ?? makeId('item')
    this.clear()
    this.#parts.onTurn({ itemId, clip: { samples, rate: hearingRate }, guess: null })
    return null
  }

  #reset(): void {
    this.#epoch += 1
    this.#lastTrouble = null
    this.#turn = null
    this.#state = quiet
    this.#memory = freshMemory()
    this.#unseen = []
    this.#frame = 0
    this.#originMilliseconds = this.#audio.endMilliseconds
  }

  /** One question to the detector at a time; what comes in meanwhile goes with the next. */
  async #detect(): Promise<void> {
    if (this.#isDetecting) return
    this.#isDetecting = true
    try {
      for (;;) {
        const frames = this.#takeFrames()
        if (frames === null || !(await this.#look(frames))) return
      }
    } finally {
      this.#isDetecting = false
    }
  }

  /** Whether to go on. */
  async #look(frames: Int16Array): Promise<boolean> {
    const epoch = this.#epoch
    const result = await this.#parts.voiceActivity.detect({ samples: toFloat(frames), memory: this.#memory })
    if (epoch !== this.#epoch) return true
    if (result.outcome !== 'done') {
      this.#unseen.unshift(frames)
      this.#complain(speechFailure(result))
      return false
    }
    this.#lastTrouble = null
    this.#memory = result.value.memory
    for (const probability of result.value.probabilities) {
      this.#step(probability)
      if (epoch !== this.#epoch) return true
    }
    return true
  }

  #takeFrames(): Int16Array | null {
    const unseen = joinSamples(this.#unseen)
    const behind = Math.floor(unseen.length / frameSamples)
    const skipped = Math.max(0, behind - maxBehindFrames)
    this.#frame += skipped
    const count = Math.min(behind - skipped, maxFramesAtOnce)
    const start = skipped * frameSamples
    const end = start + count * frameSamples
    this.#unseen = [unseen.slice(end)]
    return count === 0 ? null : unseen.slice(start, end)
  }

  #step(probability: number): void {
    if (this.#detection === null) return
    const step = stepTurn(this.#state, probability, this.#frame, turnRules(this.#detection))
    this.#frame += 1
    this.#take(step, this.#detection)
  }

  #take({ state, event }: TurnStep, detection: TurnDetection): void {
    this.#state = state
    if (event !== null) this.#act(event, detection)
  }

  #act(event: TurnEvent, detection: TurnDetection): void {
    switch (event.type) {
      case 'started':
        return this.#begin(this.#originMilliseconds + event.atMilliseconds, detection)
      case 'paused':
        return this.#pause(this.#originMilliseconds + event.atMilliseconds, detection)
      case 'resumed':
        if (this.#turn !== null) this.#turn.guess = null
        return
      case 'stopped':
        return this.#end(this.#originMilliseconds + event.atMilliseconds)
    }
  }

  #begin(atMilliseconds: number, detection: TurnDetection): void {
    const startMilliseconds = Math.max(0, atMilliseconds - prefixMilliseconds(detection))
    this.#turn = { itemId: makeId('item'), startMilliseconds, guess: null }
    this.#parts.onStarted(this.#turn.itemId, startMilliseconds)
  }

  #pause(atMilliseconds: number, detection: TurnDetection): void {
    const turn = this.#turn
    const isJudged = detection.type === 'semantic_vad'
    if (turn === null || !(isJudged || this.#parts.canGuess())) return
    const guess = this.#parts.guess(this.#clip(turn, atMilliseconds))
    turn.guess = guess
    if (!isJudged) return
    void guess.then((result) => {
      // The speaker may have gone on meanwhile, and then it was about something else. Where nobody can judge, silence
      // alone must do.
      if (this.#turn !== turn || turn.guess !== guess) return
      if (result.outcome === 'done' && !soundsFinished(result.value)) return
      this.#take(judgeFinished(this.#state, this.#frame - 1, turnRules(detection)), detection)
    })
  }

  #end(atMilliseconds: number): void {
    const turn = this.#turn
    if (turn === null) return
    const clip = this.#clip(turn, atMilliseconds)
    this.#turn = null
    this.#audio.dropBefore(this.#originMilliseconds + this.#frame * frameMilliseconds)
    this.#parts.onStopped(turn.itemId, atMilliseconds)
    this.#parts.onTurn({ itemId: turn.itemId, clip, guess: turn.guess })
  }

  #clip(turn: OpenTurn, endMilliseconds: number): AudioClip {
    const samples = this.#audio.copy(turn.startMilliseconds, endMilliseconds + tailMilliseconds)
    return { samples, rate: hearingRate }
  }

  /** The same trouble is told once, not for each of the fifty chunks of a second. */
  #complain(error: ProtocolError): void {
    if (this.#lastTrouble === error.code) return
    this.#lastTrouble = error.code
    this.#parts.onTrouble(error)
  }
}
