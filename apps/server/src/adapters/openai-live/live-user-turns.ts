import { Deadlines } from '../realtime-dialects/deadlines.js'
import type { UserTurnWriter } from '../realtime-dialects/user-turn-writer.js'

/** A turn ends after a pause between words, if the input is quiet too. */
const wordGapMilliseconds = 800
const quietInputMilliseconds = 500
const maxWaitMilliseconds = 10_000
const voiceLoudness = 0.01
/** Words follow their sound. Speech that is older than this, and has no words, was noise. */
const recentVoiceMilliseconds = 3000
/** The last words of a turn may come after its end, one by one. */
const lateWordsMilliseconds = 1000

/** Transcripts are part of the seconds of a session. */
const noTranscriptionUsage = { type: 'duration', seconds: 0 }

/**
 * Cuts the turns of a user out of continuous words. Words that come while the model speaks wait until it is quiet, because it
 * may continue in spite of them.
 */
export class LiveUserTurns {
  readonly #turns: UserTurnWriter
  readonly #deadlines = new Deadlines<'commit' | 'finish'>()
  #startedAt = 0
  /** Words during an utterance of the model. */
  #overlap = ''
  #overlapStart = 0
  #lastWordsAt = Number.NEGATIVE_INFINITY
  #lastVoiceAt = Number.NEGATIVE_INFINITY
  /** The position on the session's timeline at which the last turn was committed. */
  #committedPosition = 0
  /** Whether a turn has begun since the last answer. */
  #hasUnanswered = false
  /** The time at which the client has sent speech since the last answer. */
  #voiceReceivedAt = Number.NEGATIVE_INFINITY

  constructor(turns: UserTurnWriter) {
    this.#turns = turns
  }

  get nextTickAt(): number | null {
    return this.#deadlines.next
  }

  get isSpeaking(): boolean {
    return this.#turns.isSpeaking
  }

  start(now: number): void {
    this.#startedAt = now
  }

  /** Whether the user has said something that the model has not answered. Its words may not be known yet. */
  isUnanswered(now: number): boolean {
    return this.#hasUnanswered || now - this.#voiceReceivedAt < recentVoiceMilliseconds
  }

  /** Notes how loud audio is that the model hears later. */
  noteReceived(loudness: number, now: number): void {
    if (loudness >= voiceLoudness) this.#voiceReceivedAt = now
  }

  /** The model begins to answer. */
  answer(now: number): void {
    this.commit(now)
    this.#hasUnanswered = false
    this.#voiceReceivedAt = Number.NEGATIVE_INFINITY
  }

  /** Notes how loud the input is. */
  hear(loudness: number, now: number): void {
    if (loudness >= voiceLoudness) this.#lastVoiceAt = now
  }

  /** Adds words that were heard at this position of the session's timeline. */
  addWords(
    words: string,
    at: { readonly position: number; readonly now: number },
    isModelSpeaking: boolean,
  ): void {
    if (words === '') return
    const { position, now } = at
    this.#lastWordsAt = now
    // Words are later than their sound, so they may belong to a turn that has ended.
    const isLate = !this.#turns.isSpeaking && this.#turns.isOpen && position < this.#committedPosition
    if (isLate) {
      this.#deadlines.set('finish', now + lateWordsMilliseconds)
      return this.#turns.addWords(words)
    }
    if (isModelSpeaking) {
      if (this.#overlap === '') this.#overlapStart = position
      this.#overlap += words
      return
    }
    this.#begin(position, words)
    this.#deadlines.set('commit', now + wordGapMilliseconds)
  }

  /** Whether the user has spoken over the model, and not long ago. */
  isTalkingOver(now: number): boolean {
    return this.#overlap !== '' && now - this.#lastWordsAt < 2 * wordGapMilliseconds
  }

  /** The model is quiet, so words that waited become a turn. */
  startOverlap(now: number): void {
    if (this.#overlap === '') return
    this.#begin(this.#overlapStart, this.#overlap)
    this.#overlap = ''
    this.#deadlines.set('commit', Math.max(now, this.#lastWordsAt + wordGapMilliseconds))
  }

  commit(now: number): void {
    this.#deadlines.clear('commit')
    if (!this.#turns.isSpeaking) return
    this.#committedPosition = now - this.#startedAt
    this.#turns.commit(this.#committedPosition)
    this.#deadlines.set('finish', now + lateWordsMilliseconds)
  }

  tick(now: number): void {
    for (const name of this.#deadlines.takeDue(now))
      if (name === 'commit') this.#commitWhenQuiet(now)
      else this.#turns.finish(noTranscriptionUsage)
  }

  /** Ends everything that is open. */
  end(now: number): void {
    this.startOverlap(now)
    this.commit(now)
    this.#turns.finish(noTranscriptionUsage)
  }

  #begin(position: number, words: string): void {
    this.#turns.start(position)
    this.#turns.addWords(words)
    this.#hasUnanswered = true
  }

  #commitWhenQuiet(now: number): void {
    const quietAt = Math.max(
      this.#lastWordsAt + wordGapMilliseconds,
      Math.min(this.#lastVoiceAt + quietInputMilliseconds, this.#lastWordsAt + maxWaitMilliseconds),
    )
    if (quietAt > now) this.#deadlines.set('commit', quietAt)
    else this.commit(now)
  }
}
