import type { Deadlines } from '../realtime-dialects/deadlines.js'
import { type Fields, fieldsOf, listOf, textOf } from '../realtime-dialects/json-fields.js'
import type { ProviderAudio } from '../realtime-dialects/provider-audio.js'
import type { ProviderCalls } from '../realtime-dialects/provider-calls.js'
import type { ResponseWriter } from '../realtime-dialects/response-writer.js'
import type { Emit } from '../realtime-dialects/server-event.js'
import type { UserTurnWriter } from '../realtime-dialects/user-turn-writer.js'
import { GeminiUsage, noTranscriptionUsage } from './gemini-usage.js'

/** A call that has no output yet. */
export interface OpenCall {
  /** Null if the call has no id, as with some models of Vertex AI. */
  readonly providerId: string | null
  readonly name: string
  /** The number of the message with the call. Outputs of one message are sent together. */
  readonly batch: number
}

/** The input that an answer was requested for. */
type AwaitedInput = 'text' | 'outputs' | 'speech'

export type TurnDeadline = 'words' | 'speech' | 'silence' | 'answer' | 'playback'

/** Late words of the user may follow the end of a turn. The end may come long after the words, as with calls. */
const wordsMilliseconds = 500
const maxWordsMilliseconds = 10_000
/** After this time without words, a user has stopped speaking. */
const speechMilliseconds = 120_000
/** A model that is silent for this long in its answer, or before it, has lost the turn. */
const silenceMilliseconds = 20_000
const answerMilliseconds = 30_000
/** The end of a turn comes after the playback of its sound. */
const playbackMilliseconds = 180_000
/** How often an event shows during the playback that the response is not lost. */
const playbackSignMilliseconds = 4000

export interface ModelTurnsParts {
  readonly emit: Emit
  readonly users: UserTurnWriter
  readonly responses: ResponseWriter
  readonly calls: ProviderCalls<OpenCall>
  readonly deadlines: Pick<Deadlines<TurnDeadline>, 'set' | 'clear'>
  readonly audio: ProviderAudio
  /** The time of the session's first message. */
  readonly startedAt: number
}

/*
 * Reads what Gemini says and hears. The fields of several events may be in one message, and in any order.
 *
 *   idle ──first sound or words──► answering ──turnComplete──► idle
 *    │                              │  │  └──interrupted, cancel──► idle: cancelled. After a cancel, the rest is dropped
 *    └───────────toolCall───────────┴──┴──► idle: completed at once. Later sound is another response
 *
 * A user's turn begins with a sign of speech. It ends with `ACTIVITY_END`, or when the model answers it. Some models report no
 * speech and transcribe it late. Then an answer that nothing else explains begins and ends the turn.
 */
export class ModelTurns {
  readonly #parts: ModelTurnsParts
  readonly #usage = new GeminiUsage()
  /** The cause of the next answer. Null if the user's speech causes it. */
  #awaited: AwaitedInput | null = null
  /** Whether the model has not answered the user's last turn. */
  #isUnanswered = false
  #hasNewAudio = false
  #isTranscribed = false
  /** Whether the model has generated its whole answer. The turn ends after the playback. */
  #isGenerated = false
  /** Set after a cancel, until the model has ended its turn. */
  #isMuted = false
  #batch = 0

  constructor(parts: ModelTurnsParts) {
    this.#parts = parts
  }

  /** Whether a response is active. */
  get isAnswering(): boolean {
    return this.#parts.responses.isActive
  }

  /** Whether the model has read something that it must answer. */
  get isAnswerDue(): boolean {
    return this.#awaited !== null || this.#isUnanswered
  }

  /** Whether the user has spoken since the last answer. Gemini answers that without a request. */
  get isSpeechUnanswered(): boolean {
    return this.#isUnanswered
  }

  get isUserSpeaking(): boolean {
    return this.#parts.users.isSpeaking
  }

  /** Whether neither side speaks, and no answer is due. */
  get isIdle(): boolean {
    return !this.isAnswering && !this.isAnswerDue && !this.#isMuted && !this.#parts.users.isSpeaking
  }

  /** Whether the client has sent audio since the last answer. */
  get hasInput(): boolean {
    return this.#hasNewAudio || this.#parts.users.isSpeaking
  }

  noteAudio(): void {
    this.#hasNewAudio = true
  }

  /** Called when something that the model answers was sent to it. */
  awaitAnswer(what: AwaitedInput, now: number): void {
    this.#awaited = what
    this.#parts.deadlines.set('answer', now + answerMilliseconds)
  }

  /** The client ends its input before the model has heard the end. */
  commit(now: number): void {
    this.#startSpeech(now)
    this.#commit(now)
  }

  read(message: Fields, now: number): void {
    const content = fieldsOf(message.serverContent)
    if (this.isAnswering) this.#awaitMore(now)
    this.#usage.note(fieldsOf(message.usageMetadata))
    this.#readActivity(fieldsOf(message.voiceActivity), now)
    if (content.interrupted === true) this.#interrupt(now)
    this.#readUserWords(fieldsOf(content.inputTranscription), now)
    if (content.interrupted !== true) this.#readAnswer(content, now)
    if (content.generationComplete === true && this.isAnswering) {
      this.#parts.responses.finishAudio()
      this.#isGenerated = true
      this.#awaitMore(now)
      this.#parts.deadlines.set('playback', now + playbackSignMilliseconds)
    }
    this.#readCalls(listOf(fieldsOf(message.toolCall).functionCalls), now)
    if (content.turnComplete === true) this.#endTurn(now)
  }

  /** Ends the response for the client. The model goes on, unheard. */
  cancel(): void {
    const { responses } = this.#parts
    responses.begin()
    this.#end({ status: 'cancelled', reason: 'client_cancelled', usage: null })
    this.#isMuted = true
    this.#awaited = null
    this.#isUnanswered = false
  }

  /** The socket was lost. Returns what the next one owes the user: an answer, the rest of one, or nothing. */
  cutOff(): 'answer' | 'rest' | null {
    const isWhole = this.isAnswering && this.#isGenerated
    const owed = isWhole ? null : this.isAnswering ? 'rest' : this.isAnswerDue ? 'answer' : null
    const usage = this.#usage.take()
    // Another connection does not send the rest of the words.
    if (this.#parts.users.hasWords) this.#parts.users.finish(noTranscriptionUsage)
    this.#end(isWhole ? { status: 'completed', usage } : { status: 'incomplete', error: cutOff, usage })
    this.#isMuted = false
    return owed
  }

  act(deadline: TurnDeadline, now: number): void {
    const { users, responses } = this.#parts
    switch (deadline) {
      case 'words':
        users.finish(noTranscriptionUsage)
        break
      case 'speech':
        this.#commit(now)
        users.finish(noTranscriptionUsage)
        break
      case 'silence':
        if (this.#isGenerated) this.#end({ status: 'completed', usage: this.#usage.take() })
        else this.#end({ status: 'failed', error: lostTurn, usage: this.#usage.take() })
        break
      case 'playback':
        this.#parts.emit({ type: 'rate_limits.updated', rate_limits: [] })
        this.#parts.deadlines.set('playback', now + playbackSignMilliseconds)
        break
      case 'answer':
        if (this.#awaited === null || this.isAnswering) break
        // The model waits until the user has finished.
        if (users.isSpeaking) return this.awaitAnswer(this.#awaited, now)
        this.#awaited = null
        this.#isUnanswered = false
        responses.begin()
        this.#end({ status: 'failed', error: lostTurn, usage: this.#usage.take() })
    }
  }

  #readActivity(activity: Fields, now: number): void {
    const type = textOf(activity.type) || textOf(activity.voiceActivityType)
    if (type === 'ACTIVITY_START') this.#startSpeech(now)
    if (type === 'ACTIVITY_END') this.#commit(now)
  }

  #readUserWords({ text, finished }: Fields, now: number): void {
    const { users, deadlines } = this.#parts
    const words = textOf(text)
    if (words !== '') {
      if (!users.isOpen) this.#startSpeech(now)
      users.addWords(words)
      if (users.isSpeaking) deadlines.set('speech', now + speechMilliseconds)
    }
    if (finished !== true) return
    this.#isTranscribed = users.isSpeaking
    if (!users.isSpeaking) users.finish(noTranscriptionUsage)
  }

  #startSpeech(now: number): void {
    const { users, deadlines } = this.#parts
    if (users.isSpeaking) return
    users.finish(noTranscriptionUsage)
    this.#isTranscribed = false
    users.start(this.#offset(now))
    deadlines.clear('words')
    deadlines.set('speech', now + speechMilliseconds)
  }

  #commit(now: number): void {
    const { users, deadlines } = this.#parts
    if (!users.isSpeaking) return
    users.commit(this.#offset(now))
    deadlines.clear('speech')
    deadlines.set('words', now + maxWordsMilliseconds)
    this.#isUnanswered = true
    if (this.#isTranscribed) users.finish(noTranscriptionUsage)
    this.#isTranscribed = false
  }

  #offset(now: number): number {
    return Math.max(0, now - this.#parts.startedAt)
  }

  /** Clients stop the playback when the user begins to speak. The service's own input can interrupt the model too. */
  #interrupt(now: number): void {
    if (this.isAnswering || this.#awaited === null) this.#startSpeech(now)
    this.#isMuted = false
    this.#end({ status: 'cancelled', reason: 'turn_detected', usage: null })
  }

  #readAnswer(content: Fields, now: number): void {
    if (this.#isMuted) return
    for (const part of listOf(fieldsOf(content.modelTurn).parts)) {
      const { mimeType, data } = fieldsOf(part.inlineData)
      if (part.thought === true || !textOf(mimeType).startsWith('audio/') || textOf(data) === '') continue
      this.#begin(now)
      this.#parts.responses.addAudio(this.#parts.audio.convert(textOf(data)))
    }
    const words = textOf(fieldsOf(content.outputTranscription).text)
    if (words === '') return
    this.#begin(now)
    this.#parts.responses.addWords(words)
  }

  #readCalls(calls: readonly Fields[], now: number): void {
    if (calls.length === 0) return
    this.#isMuted = false
    this.#begin(now)
    this.#batch += 1
    for (const { id, name: given, args } of calls) {
      const name = textOf(given)
      const call = { providerId: textOf(id) || null, name, batch: this.#batch }
      const callId = this.#parts.calls.open(call)
      this.#parts.responses.addCall({ callId, name, argumentsText: JSON.stringify(fieldsOf(args)) })
    }
    this.#end({ status: 'completed', usage: this.#usage.take() })
  }

  #begin(now: number): void {
    const { users, responses, calls, deadlines } = this.#parts
    if (responses.isActive) return
    const isExplained = this.#awaited !== null || this.#isUnanswered || calls.size > 0
    if (users.isSpeaking) this.#commit(now)
    else if (!isExplained && this.#hasNewAudio) this.commit(now)
    this.#awaited = null
    this.#isUnanswered = false
    this.#hasNewAudio = false
    this.#isGenerated = false
    deadlines.clear('answer')
    this.#awaitMore(now)
    responses.begin()
  }

  #awaitMore(now: number): void {
    const milliseconds = this.#isGenerated ? playbackMilliseconds : silenceMilliseconds
    this.#parts.deadlines.set('silence', now + milliseconds)
  }

  #endTurn(now: number): void {
    const { users, deadlines } = this.#parts
    this.#isMuted = false
    if (this.isAnswering) this.#end({ status: 'completed', usage: this.#usage.take() })
    else this.#usage.settle()
    if (users.isOpen && !users.isSpeaking) deadlines.set('words', now + wordsMilliseconds)
  }

  #end(end: Parameters<ResponseWriter['end']>[0]): void {
    this.#parts.responses.end(end)
    this.#parts.deadlines.clear('silence')
    this.#parts.deadlines.clear('playback')
  }
}

/** The code shows the session that the user waits for the rest. */
const cutOff = { code: 'provider_closed', message: 'The connection to the provider was lost.' }
const lostTurn = { code: 'provider_silent', message: 'The provider did not answer.' }
