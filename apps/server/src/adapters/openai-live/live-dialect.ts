import type { ProviderOpening } from '../../ports/realtime-provider.js'
import { ConversationItems } from '../realtime-dialects/conversation-items.js'
import { Deadlines } from '../realtime-dialects/deadlines.js'
import { type Fields, fieldsOf, textOf } from '../realtime-dialects/json-fields.js'
import { ProviderAudio } from '../realtime-dialects/provider-audio.js'
import { type ResponseEnd, ResponseWriter } from '../realtime-dialects/response-writer.js'
import { errorEvent, unsupportedEvent } from '../realtime-dialects/server-event.js'
import type {
  DialectOutput,
  SocketLoss,
  TranslatingDialect,
} from '../realtime-dialects/translating-dialect.js'
import { UserTurnWriter } from '../realtime-dialects/user-turn-writer.js'
import { ClientMessages } from './client-messages.js'
import { DelegatedCalls } from './delegated-calls.js'
import { InputClock, maxWaitingMilliseconds } from './input-clock.js'
import { closeDetail, LiveSession } from './live-session.js'
import { LiveUserTurns } from './live-user-turns.js'
import { hear } from './loudness.js'
import { ModelSilence } from './model-silence.js'
import { readSession, startMessage } from './session-start.js'

/** An utterance ends after this much silence, and earlier if the user speaks over it. */
const quietMilliseconds = 800
const interruptedQuietMilliseconds = 400
/** Words follow their sound. */
const lateWordsMilliseconds = 300
/** A response with words but no audio ends after this time. */
const soundlessMilliseconds = 1500
/** An utterance ends without further audio, and a response with calls without further events. */
const stalledMilliseconds = 3000

/** How long the voice may take to say what the text model has answered. */
const voicedMilliseconds = 10_000

/** How often the service checks whether the model answers speech that an answer was requested for. */
const answerCheckMilliseconds = 3000

const maxSessionSeconds = 7200
/** The session ends between two turns if it is this near to its end. */
const endingMilliseconds = 60_000

const normalClosure = 1000
const internalError = 1011

type Deadline = 'quiet' | 'settle' | 'calls' | 'answer' | 'end'

export interface LiveDialectParts {
  readonly opening: ProviderOpening
  /** The text model that answers and calls tools. */
  readonly backendModel: string
  readonly output: DialectOutput
  /** Milliseconds since 1970, for the end of the session. */
  readonly wallTime: () => number
}

/*
 * OpenAI's GPT-Live, which listens and speaks all the time. It has no turns, so they are cut here:
 *
 *   quiet ──loud audio──► speaking ──800 ms of silence──► settling ──300 ms for late words──► quiet
 *     └──words of the model──► worded ──loud audio──┘
 *
 * A response is active except in `quiet`, where calls of the text model may have one of their own. Words of the user that come
 * while the model speaks wait until it is quiet, because it may continue in spite of them.
 */
export class LiveDialect implements TranslatingDialect {
  readonly heldBytes = 0
  readonly #parts: LiveDialectParts
  readonly #output: DialectOutput
  readonly #items: ConversationItems
  readonly #responses: ResponseWriter
  readonly #turns: LiveUserTurns
  readonly #calls: DelegatedCalls
  readonly #messages: ClientMessages
  readonly #clock: InputClock
  readonly #silence = new ModelSilence()
  readonly #deadlines = new Deadlines<Deadline>()
  readonly #wireType: string
  /** Null if the client takes the audio unchanged. */
  readonly #audio: ProviderAudio | null
  readonly #session: LiveSession
  #phase: 'quiet' | 'worded' | 'speaking' | 'settling' = 'quiet'
  #isEnding = false
  /** Whether a requested answer did not come for a while after the user has spoken. */
  #hasWaited = false

  constructor(parts: LiveDialectParts) {
    const { output, opening } = parts
    const { session, voice, inputType, outputType, wireType } = readSession(opening.update)
    const { emit } = output
    this.#parts = parts
    this.#output = output
    this.#session = new LiveSession(output, session)
    this.#wireType = wireType
    this.#audio = inputType === outputType ? null : new ProviderAudio(outputType, 24_000)
    this.#items = new ConversationItems(emit)
    this.#responses = new ResponseWriter(emit, this.#items, voice)
    this.#turns = new LiveUserTurns(new UserTurnWriter(emit, this.#items))
    this.#calls = new DelegatedCalls({
      responses: this.#responses,
      send: (message) => output.send(message),
    })
    this.#messages = new ClientMessages({ output, items: this.#items, calls: this.#calls })
    this.#clock = new InputClock(inputType, wireType)
  }

  get nextTickAt(): number | null {
    if (!this.#session.isStarted) return null
    const times = [
      ...[this.#deadlines.next, this.#turns.nextTickAt],
      ...[this.#clock.nextAt, this.#calls.overdueAt],
    ]
    return Math.min(...times.filter((at) => at !== null))
  }

  opened(): void {
    const { opening, backendModel } = this.#parts
    this.#output.send(startMessage(opening.update, opening.items, backendModel))
  }

  receiveAudio(base64: string, now: number): void {
    if (!this.#session.isStarted) return
    const { loudness, isFirstDrop } = this.#clock.add(base64)
    if (isFirstDrop) this.#output.emit(errorEvent({}, 'input_audio_too_fast', tooFast))
    this.#turns.noteReceived(loudness, now)
    this.#sendAudio(now)
  }

  receive(event: Fields, now: number): void {
    switch (event.type) {
      case 'input_audio_buffer.append':
        return this.receiveAudio(textOf(event.audio), now)
      case 'conversation.item.create':
        return this.#messages.create(event, now)
      case 'conversation.item.retrieve':
        return this.#items.retrieve(event)
      case 'conversation.item.truncate':
        return this.#items.truncate(event)
      case 'response.create':
        return this.#request(event, now)
      case 'response.cancel':
        return this.#cancel(event, now)
      case 'session.update':
        return this.#session.update(event)
      default:
        this.#output.emit(unsupportedEvent(event, `GPT-Live has no ${textOf(event.type)}.`))
    }
  }

  handle(message: Fields, now: number): void {
    switch (message.type) {
      case 'session.started':
        return this.#start(fieldsOf(message.session), now)
      case 'session.updated':
        return this.#session.reportUpdate()
      case 'session.output_audio.delta':
        return this.#hearModel(textOf(message.delta), now)
      case 'session.output_transcript.delta':
        return this.#addModelWords(textOf(message.delta), now)
      case 'session.input_transcript.delta':
        return this.#turns.addWords(
          textOf(message.delta),
          { position: positionOf(message.start_ms), now },
          this.#phase !== 'quiet',
        )
      case 'response.event':
        return this.#handleBackend(fieldsOf(message.event), textOf(message.delegation_id), now)
      case 'session.usage.updated':
        return this.#session.reportSeconds(fieldsOf(message.usage).seconds)
      case 'session.closed':
        return this.#closed(message, now)
      case 'error':
        return this.#session.fail(fieldsOf(message.error))
    }
  }

  tick(now: number): void {
    this.#sendAudio(now)
    const silence = this.#clock.takeSilence(now)
    if (silence !== null) this.#output.send({ type: 'session.input_audio.append', audio: silence })
    this.#calls.tick(now)
    this.#turns.tick(now)
    for (const name of this.#deadlines.takeDue(now)) this.#act(name, now)
  }

  lost({ code, reason }: SocketLoss, now: number): void {
    this.#endAll(reason || 'The provider closed the connection.', now)
    this.#output.close(code, reason)
  }

  ending(): void {
    this.#output.send({ type: 'session.close' })
  }

  #sendAudio(now: number): void {
    for (const { audio, loudness } of this.#clock.takeDue(now)) {
      this.#turns.hear(loudness, now)
      this.#output.send({ type: 'session.input_audio.append', audio })
    }
  }

  #act(name: Deadline, now: number): void {
    switch (name) {
      case 'quiet':
        return this.#finishUtterance(now)
      case 'settle':
        return this.#endUtterance(now)
      case 'calls':
        return this.#endCalls({ status: 'completed' })
      case 'answer':
        return this.#checkAnswer(now)
      case 'end':
        this.#isEnding = true
        this.#endIfIdle(now)
    }
  }

  #start(session: Fields, now: number): void {
    this.#turns.start(now)
    this.#clock.start(now)
    const { expires_at: expiresAt } = session
    const seconds =
      typeof expiresAt === 'number' ? expiresAt - this.#parts.wallTime() / 1000 : maxSessionSeconds
    this.#deadlines.set('end', now + Math.max(0, seconds * 1000 - endingMilliseconds))
    this.#session.start(session)
    for (const event of this.#parts.opening.items) this.#items.create(fieldsOf(event))
    this.#output.confirm()
  }

  #hearModel(delta: string, now: number): void {
    const isLoud = this.#silence.note(hear(delta, this.#wireType))
    if (this.#silence.isMuted) return this.#silence.unmute(isLoud, quietMilliseconds)
    if (this.#phase !== 'speaking') {
      if (!isLoud) return
      this.#beginUtterance(now)
    }
    this.#responses.addAudio(this.#audio === null ? delta : this.#audio.convert(delta))
    const isInterrupted =
      this.#turns.isTalkingOver(now) && this.#silence.milliseconds >= interruptedQuietMilliseconds
    if (isInterrupted || this.#silence.milliseconds >= quietMilliseconds) this.#finishUtterance(now)
    else this.#deadlines.set('quiet', now + stalledMilliseconds)
  }

  #beginUtterance(now: number): void {
    if (this.#phase === 'settling') this.#endUtterance(now)
    this.#noteAnswer(now)
    this.#deadlines.clear('settle')
    this.#deadlines.clear('calls')
    this.#responses.begin()
    this.#phase = 'speaking'
  }

  /** The model answers speech of its own accord. A request for the same answer only makes sure that it comes. */
  #request(event: Fields, now: number): void {
    const mayWait = !this.#responses.isActive && this.#turns.isUnanswered(now)
    if (!this.#messages.request(event, { isAnswering: this.#responses.isActive, mayWait })) return
    this.#hasWaited = false
    this.#deadlines.set('answer', now + answerCheckMilliseconds)
  }

  /** Asks for an answer that does not come, after the user has spoken. */
  #checkAnswer(now: number): void {
    const isHearing = this.#clock.isWaiting || this.#turns.isSpeaking
    if (!isHearing && this.#hasWaited) return this.#messages.ask(null)
    this.#hasWaited = !isHearing
    // Shows that the request is not lost.
    this.#output.emit({ type: 'rate_limits.updated', rate_limits: [] })
    this.#deadlines.set('answer', now + answerCheckMilliseconds)
  }

  /** The model begins to answer, so the user's turn is over. */
  #noteAnswer(now: number): void {
    this.#deadlines.clear('answer')
    this.#turns.answer(now)
  }

  /** The model is quiet. Its last words may still come. */
  #finishUtterance(now: number): void {
    this.#deadlines.clear('quiet')
    this.#responses.finishAudio()
    this.#phase = 'settling'
    this.#deadlines.set('settle', now + lateWordsMilliseconds)
  }

  #endUtterance(now: number): void {
    const isInterrupted = this.#turns.isTalkingOver(now)
    this.#deadlines.clear('settle')
    this.#deadlines.clear('quiet')
    this.#phase = 'quiet'
    this.#responses.end({
      ...(isInterrupted ? { status: 'cancelled', reason: 'turn_detected' } : { status: 'completed' }),
      usage: this.#calls.takeUsage(),
    })
    this.#turns.startOverlap(now)
    this.#endIfIdle(now)
  }

  #addModelWords(words: string, now: number): void {
    if (this.#silence.isMuted || words === '') return
    if (this.#phase === 'quiet') {
      this.#noteAnswer(now)
      this.#phase = 'worded'
      this.#deadlines.set('settle', now + soundlessMilliseconds)
    } else if (this.#phase === 'settling') this.#deadlines.set('settle', now + lateWordsMilliseconds)
    this.#responses.addWords(words)
  }

  #handleBackend(event: Fields, delegationId: string, now: number): void {
    const isCall = event.type === 'response.output_item.done' && fieldsOf(event.item).type === 'function_call'
    if (isCall && this.#phase === 'quiet') this.#noteAnswer(now)
    const isEnd = this.#calls.handle(event, delegationId, now)
    if (event.type === 'response.created' && this.#calls.takeRequest()) this.#beginRequested(now)
    if (this.#phase !== 'quiet' || !this.#responses.isActive) return
    if (!isEnd || this.#calls.isRunning) return this.#deadlines.set('calls', now + stalledMilliseconds)
    // The voice is going to say what the text model has answered.
    if (!this.#responses.hasOutput && event.type === 'response.completed')
      return this.#deadlines.set('calls', now + voicedMilliseconds)
    const isFailed = event.type === 'response.failed'
    const message = textOf(fieldsOf(fieldsOf(event.response).error).message) || 'The text model failed.'
    this.#endCalls(
      isFailed
        ? { status: 'failed', error: { code: 'delegated_response_failed', message } }
        : { status: 'completed' },
    )
  }

  /** The text model has begun to answer a request. The service waits for a response to it. */
  #beginRequested(now: number): void {
    if (this.#phase !== 'quiet' || this.#silence.isMuted) return
    this.#noteAnswer(now)
    this.#responses.begin()
  }

  /** Ends a response that has only calls. */
  #endCalls(end: Omit<ResponseEnd, 'usage'>): void {
    this.#deadlines.clear('calls')
    if (this.#phase !== 'quiet' || !this.#responses.isActive) return
    this.#responses.end({ ...end, usage: this.#calls.takeUsage() })
  }

  #cancel(event: Fields, now: number): void {
    this.#deadlines.clear('answer')
    if (!this.#responses.isActive) {
      const message = 'No response is active.'
      return this.#output.emit(errorEvent(event, 'response_cancel_not_active', message))
    }
    if (this.#phase === 'worded') this.#silence.mute(soundlessMilliseconds)
    if (this.#phase === 'speaking') this.#silence.mute(quietMilliseconds)
    this.#phase = 'quiet'
    this.#deadlines.clear('quiet')
    this.#deadlines.clear('settle')
    const usage = this.#calls.takeUsage()
    this.#responses.end({ status: 'cancelled', reason: 'client_cancelled', usage })
    this.#turns.startOverlap(now)
  }

  #closed(message: Fields, now: number): void {
    const reason = textOf(message.reason)
    this.#session.reportSeconds(fieldsOf(message.usage).seconds)
    const detail = closeDetail(reason)
    this.#endAll(detail, now)
    const isRequested = reason === 'close_requested'
    if (!isRequested) this.#output.emit(errorEvent({}, `session_${reason}`, detail))
    this.#output.close(isRequested ? normalClosure : internalError, detail)
  }

  /** Ends a session that is about to expire, between two turns. */
  #endIfIdle(now: number): void {
    const isIdle = this.#phase === 'quiet' && !this.#turns.isSpeaking && !this.#calls.isWorking
    if (!this.#isEnding || !isIdle) return
    const detail = closeDetail('expired')
    this.#endAll(detail, now)
    this.#output.emit(errorEvent({}, 'session_expired', detail))
    this.#output.close(normalClosure, detail)
  }

  /** Closes everything that is open. */
  #endAll(message: string, now: number): void {
    const error = { code: 'provider_closed', message }
    // Tokens are counted with a response.
    if (this.#calls.hasUsage) this.#responses.begin()
    const end: Omit<ResponseEnd, 'usage'> =
      this.#phase === 'settling' ? { status: 'completed' } : { status: 'failed', error }
    this.#responses.end({ ...end, usage: this.#calls.takeUsage() })
    this.#phase = 'quiet'
    this.#turns.end(now)
  }
}

const tooFast = `GPT-Live hears audio in real time. Audio that was ${maxWaitingMilliseconds / 1000} seconds ahead was dropped.`

const positionOf = (milliseconds: unknown) => (typeof milliseconds === 'number' ? milliseconds : 0)
