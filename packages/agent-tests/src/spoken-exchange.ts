import { setTimeout as wait } from 'node:timers/promises'
import type { CustomEvent, RawEvent, Voice } from '@parley/sdk/realtime'
import { type Actions, applyEvent, decided, type Exchange, noActions, waitsForPerson } from './exchange.js'
import {
  type AnswerPlayback,
  isAnswered,
  isHeldUp,
  newVoiceTurn,
  stepVoiceTurn,
  type VoiceTurn,
} from './voice-turn.js'

/**
 * An exchange is over after this long without a change, because the service's events follow those of the
 * provider.
 */
const quietMilliseconds = 300
/** How long the agent may take to begin an answer. Its models may have to be loaded first. */
const noticingMilliseconds = 45_000
/** How long the agent may keep talking after the user has interrupted it. */
const courtesyMilliseconds = 1000

/** One line of the user by voice, and its outcome. */
export class SpokenExchange {
  /** Resolves when the session fails before the answer is complete. */
  readonly ended: Promise<void>
  readonly #user: string
  readonly #voice: Voice
  readonly #playback: AnswerPlayback
  /** The ids of earlier transcript entries. */
  readonly #earlier: ReadonlySet<string>
  #turn: VoiceTurn = newVoiceTurn
  #actions: Actions = noActions
  #failure: string | null = null
  #speech: 'before' | 'during' | 'after' = 'before'
  #speechEndedAt = 0
  #firstSoundAt: number | null = null
  /** Whether this is the answer to the current line, and not the rest of the previous one. */
  #isOwnResponse = false
  #isAgentInterrupted = false
  #isUserInterrupted = false
  #changedAt = performance.now()
  #wake: () => void = () => undefined
  #end: () => void = () => undefined

  constructor(user: string, voice: Voice, playback: AnswerPlayback) {
    this.#user = user
    this.#voice = voice
    this.#playback = playback
    this.#earlier = new Set(voice.getState().transcript.map(({ id }) => id))
    this.ended = new Promise((resolve) => {
      this.#end = resolve
    })
  }

  /** Called when the first word is sent. */
  begin(): void {
    this.#speech = 'during'
  }

  /**
   * Called when the last word is sent. An answer to the words before a pause does not count as the answer to
   * the whole line.
   */
  endSpeech(): void {
    this.#speech = 'after'
    this.#speechEndedAt = performance.now()
    this.#change()
  }

  handle(event: RawEvent): void {
    this.#turn = stepVoiceTurn(this.#turn, event)
    if (event.type === 'response.created' && this.#speech !== 'before') this.#isOwnResponse = true
    if (isCustom(event)) this.#actions = applyEvent(this.#actions, event)
    this.#change()
  }

  /** Called when audio of the agent arrives. */
  hear(now: number): void {
    if (!this.#isOwnResponse) return
    if (this.#speech === 'during') this.#isUserInterrupted = true
    this.#firstSoundAt ??= now
    this.#change()
  }

  noteInterruption(): void {
    this.#isAgentInterrupted = true
  }

  decide(): void {
    this.#actions = decided(this.#actions)
  }

  fail(reason: string): void {
    this.#failure = reason
    this.#end()
    this.#change()
  }

  /** Waits until the answer is complete, or until only a person's decision is missing. */
  async settled(): Promise<Exchange> {
    const isOverlapping = this.#playback.isPlaying(performance.now())
    if (isOverlapping) await this.#heedCourtesy()
    for (;;) {
      const now = performance.now()
      if (this.#failure !== null) return this.#exchange('failed', this.#failure)
      const quietFor = now - this.#changedAt
      if (this.#isOver() && quietFor >= quietMilliseconds) {
        const { result, failure } = this.#turn
        if (waitsForPerson(this.#actions)) return this.#exchange('waiting', null)
        return result === 'failed' ? this.#exchange('failed', failure) : this.#exchange('answered', null)
      }
      if (this.#isUnheard() && quietFor >= noticingMilliseconds)
        return this.#exchange('failed', `No answer came within ${noticingMilliseconds / 1000} s.`)
      await this.#nextChange(this.#isOver() ? quietMilliseconds - quietFor : noticingMilliseconds - quietFor)
    }
  }

  /** Waits until the answer has been heard for this long, before the next line interrupts it. */
  async listenFor(milliseconds: number): Promise<Exchange> {
    while (this.#firstSoundAt === null) {
      const quietFor = performance.now() - this.#changedAt
      if (this.#failure !== null) return this.#exchange('failed', this.#failure)
      if (quietFor >= noticingMilliseconds)
        return this.#exchange('failed', 'The agent gave no answer to interrupt.')
      await this.#nextChange(noticingMilliseconds - quietFor)
    }
    await Promise.race([wait(this.#firstSoundAt + milliseconds - performance.now()), this.ended])
    return this.#exchange('interrupted', this.#failure)
  }

  /**
   * An agent that continues the previous answer for a while after the user's last word has talked over the
   * user.
   */
  async #heedCourtesy(): Promise<void> {
    await Promise.race([wait(courtesyMilliseconds), this.ended])
    if (
      !this.#isAgentInterrupted &&
      this.#playback.isPlaying(performance.now()) &&
      this.#firstSoundAt === null
    )
      this.#isUserInterrupted = true
  }

  #isOver(): boolean {
    if (this.#speech !== 'after') return false
    if (waitsForPerson(this.#actions)) {
      const waiting = this.#actions.calls.filter(({ status }) => status === 'waiting')
      return isHeldUp(this.#turn, new Set(waiting.map(({ callId }) => callId)))
    }
    // The end of the previous answer does not end the answer to this line.
    return (
      this.#isOwnResponse &&
      isAnswered(this.#turn) &&
      this.#actions.calls.every(({ status }) => status !== 'running')
    )
  }

  #isUnheard(): boolean {
    return !this.#turn.isResponding && this.#actions.calls.every(({ status }) => status !== 'running')
  }

  #exchange(state: Exchange['state'], failure: string | null): Exchange {
    const firstMs = this.#firstSoundAt === null ? null : Math.max(0, this.#firstSoundAt - this.#speechEndedAt)
    const said = this.#voice
      .getState()
      .transcript.filter(({ id, role }) => role === 'assistant' && !this.#earlier.has(id))
    return {
      ...this.#actions,
      user: this.#user,
      words: said.map(({ text }) => text).join('\n'),
      firstMs,
      state,
      failure,
      interrupted: this.#isUserInterrupted ? 'user' : this.#isAgentInterrupted ? 'agent' : 'nobody',
    }
  }

  #change(): void {
    this.#changedAt = performance.now()
    this.#wake()
  }

  async #nextChange(milliseconds: number): Promise<void> {
    const changed = new Promise<void>((resolve) => {
      this.#wake = resolve
    })
    const timer = new AbortController()
    await Promise.race([
      changed,
      wait(Math.max(1, milliseconds), undefined, { signal: timer.signal }).catch(() => undefined),
    ])
    timer.abort()
  }
}

const customTypes: readonly string[] = [
  'response.function_invocation.start',
  'response.function_invocation.done',
  'approval.approved',
  'subagent.start',
] satisfies readonly CustomEvent['type'][]

/** The service validates its own events before it sends them, so the type is enough. */
function isCustom(event: RawEvent): event is RawEvent & CustomEvent {
  return typeof event.type === 'string' && customTypes.includes(event.type) && typeof event.data === 'object'
}
