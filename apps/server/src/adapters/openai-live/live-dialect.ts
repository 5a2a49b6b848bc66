import type { ProviderOpening } from '../../ports/realtime-provider.js'
import { ConversationItems } from '../realtime-dialects/conversation-items.js'
import { Deadlines } from '../realtime-dialects/deadlines.js'
import type { DialectOutput, FarDialect, SocketLoss } from '../realtime-dialects/far-dialect.js'
import { type Fields, fieldsOf, textOf } from '../realtime-dialects/json-fields.js'
import { ProviderAudio } from '../realtime-dialects/provider-audio.js'
import { type ResponseEnd, ResponseWriter } from '../realtime-dialects/response-writer.js'
import { errorEvent, makeId, unsupportedEvent } from '../realtime-dialects/server-event.js'
import { UserTurnWriter } from '../realtime-dialects/user-turn-writer.js'
import { ClientMessages } from './client-messages.js'
import { closeDetails } from './close-details.js'
import { DelegatedCalls, withId } from './delegated-calls.js'
import { InputClock } from './input-clock.js'
import { LiveUserTurns } from './live-user-turns.js'
import { hear } from './loudness.js'
import { delegated, readSession, startMessage } from './session-start.js'

/** The provider's silence has a little noise. Louder audio is speech of the model. */
const speechLoudness = 0.0006
/** An utterance ends after this much silence, and earlier if the user speaks over it. */
const quietMilliseconds = 800
const interruptedQuietMilliseconds = 400
/** Words follow their sound. */
const lateWordsMilliseconds = 300
/** Words whose sound does not follow. */
const soundlessMilliseconds = 1500
/** An utterance ends without further audio, and a response with calls without further events. */
const stalledMilliseconds = 3000

/** How long the voice may take to say what the text model has answered. */
const voicedMilliseconds = 10_000

const maxSessionSeconds = 7200
/** The session ends between two turns if it is this near to its end. */
const endingMilliseconds = 60_000

const normalClosure = 1000
const internalError = 1011

type Deadline = 'quiet' | 'settle' | 'calls' | 'end'

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
export class LiveDialect implements FarDialect {
  readonly heldBytes = 0
  readonly #parts: LiveDialectParts
  readonly #output: DialectOutput
  readonly #items: ConversationItems
  readonly #responses: ResponseWriter
  readonly #turns: LiveUserTurns
  readonly #calls: DelegatedCalls
  readonly #messages: ClientMessages
  readonly #clock: InputClock
  readonly #deadlines = new Deadlines<Deadline>()
  readonly #wireType: string
  /** Null if the client takes the audio unchanged. */
  readonly #audio: ProviderAudio | null
  #session: Fields
  #phase: 'quiet' | 'worded' | 'speaking' | 'settling' = 'quiet'
  #isStarted = false
  #isEnding = false
  /** Set after `response.cancel`: the model speaks on unheard, until it was quiet for this long. */
  #mutedUntilQuiet: number | null = null
  #quietMilliseconds = 0
  #seconds = 0

  constructor(parts: LiveDialectParts) {
    const { output, opening } = parts
    const { session, voice, inputType, outputType, wireType } = readSession(opening.update)
    const { emit } = output
    this.#parts = parts
    this.#output = output
    this.#session = session
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
    if (!this.#isStarted) return null
    const times = [
      ...[this.#deadlines.next, this.#turns.nextTickAt],
      ...[this.#clock.silenceAt, this.#calls.overdueAt],
    ]
    return Math.min(...times.filter((at) => at !== null))
  }

  opened(): void {
    const { opening, backendModel } = this.#parts
    this.#output.send(startMessage(opening.update, opening.items, backendModel))
  }

  receiveAudio(base64: string, now: number): void {
    if (!this.#isStarted) return
    const { audio, loudness } = this.#clock.take(base64, now)
    this.#turns.hear(loudness, now)
    this.#output.send({ type: 'session.input_audio.append', audio })
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
        return this.#messages.request(event, this.#responses.isActive)
      case 'response.cancel':
        return this.#cancel(event, now)
      case 'session.update':
        return this.#update(event)
      default:
        this.#output.emit(unsupportedEvent(event, `GPT-Live has no ${textOf(event.type)}.`))
    }
  }

  handle(message: Fields, now: number): void {
    switch (message.type) {
      case 'session.started':
        return this.#start(fieldsOf(message.session), now)
      case 'session.updated':
        return this.#output.emit({ type: 'session.updated', session: this.#session })
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
        return this.#reportSeconds(fieldsOf(message.usage).seconds)
      case 'session.closed':
        return this.#closed(message, now)
      case 'error':
        return this.#fail(fieldsOf(message.error))
    }
  }

  tick(now: number): void {
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

  #act(name: Deadline, now: number): void {
    switch (name) {
      case 'quiet':
        return this.#finishUtterance(now)
      case 'settle':
        return this.#endUtterance(now)
      case 'calls':
        return this.#endCalls({ status: 'completed' })
      case 'end':
        this.#isEnding = true
        this.#endIfIdle(now)
    }
  }

  #start(session: Fields, now: number): void {
    const { emit } = this.#output
    this.#isStarted = true
    this.#turns.start(now)
    this.#clock.start(now)
    const { expires_at: expiresAt } = session
    const seconds =
      typeof expiresAt === 'number' ? expiresAt - this.#parts.wallTime() / 1000 : maxSessionSeconds
    this.#deadlines.set('end', now + Math.max(0, seconds * 1000 - endingMilliseconds))
    const id = textOf(session.id) || makeId('sess')
    this.#session = { ...this.#session, object: 'realtime.session', id, expires_at: expiresAt ?? null }
    emit({ type: 'session.created', session: this.#session })
    emit({ type: 'session.updated', session: this.#session })
    for (const event of this.#parts.opening.items) this.#items.create(fieldsOf(event))
    this.#output.confirm()
  }

  #hearModel(delta: string, now: number): void {
    const { milliseconds, loudness } = hear(delta, this.#wireType)
    const isLoud = loudness >= speechLoudness
    this.#quietMilliseconds = isLoud ? 0 : this.#quietMilliseconds + milliseconds
    if (this.#mutedUntilQuiet !== null) return this.#unmute(isLoud)
    if (this.#phase !== 'speaking') {
      if (!isLoud) return
      this.#beginUtterance(now)
    }
    this.#responses.addAudio(this.#audio === null ? delta : this.#audio.convert(delta))
    const isInterrupted =
      this.#turns.isTalkingOver(now) && this.#quietMilliseconds >= interruptedQuietMilliseconds
    if (isInterrupted || this.#quietMilliseconds >= quietMilliseconds) this.#finishUtterance(now)
    else this.#deadlines.set('quiet', now + stalledMilliseconds)
  }

  /** A cancelled answer that has begun ends with silence. One that was only announced may begin yet. */
  #unmute(isLoud: boolean): void {
    if (isLoud) this.#mutedUntilQuiet = quietMilliseconds
    else if (this.#quietMilliseconds >= (this.#mutedUntilQuiet ?? 0)) this.#mutedUntilQuiet = null
  }

  #beginUtterance(now: number): void {
    if (this.#phase === 'settling') this.#endUtterance(now)
    this.#turns.commit(now)
    this.#deadlines.clear('settle')
    this.#deadlines.clear('calls')
    this.#responses.begin()
    this.#phase = 'speaking'
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
    if (this.#mutedUntilQuiet !== null || words === '') return
    if (this.#phase === 'quiet') {
      this.#turns.commit(now)
      this.#phase = 'worded'
      this.#deadlines.set('settle', now + soundlessMilliseconds)
    } else if (this.#phase === 'settling') this.#deadlines.set('settle', now + lateWordsMilliseconds)
    this.#responses.addWords(words)
  }

  #handleBackend(event: Fields, delegationId: string, now: number): void {
    const isCall = event.type === 'response.output_item.done' && fieldsOf(event.item).type === 'function_call'
    if (isCall && this.#phase === 'quiet') this.#turns.commit(now)
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
    if (this.#phase !== 'quiet' || this.#mutedUntilQuiet !== null) return
    this.#turns.commit(now)
    this.#responses.begin()
  }

  /** Ends a response that has only calls. */
  #endCalls(end: Omit<ResponseEnd, 'usage'>): void {
    this.#deadlines.clear('calls')
    if (this.#phase !== 'quiet' || !this.#responses.isActive) return
    this.#responses.end({ ...end, usage: this.#calls.takeUsage() })
  }

  #cancel(event: Fields, now: number): void {
    if (!this.#responses.isActive) {
      const message = 'No response is active.'
      return this.#output.emit(errorEvent(event, 'response_cancel_not_active', message))
    }
    this.#quietMilliseconds = 0
    if (this.#phase === 'worded') this.#mutedUntilQuiet = soundlessMilliseconds
    if (this.#phase === 'speaking') this.#mutedUntilQuiet = quietMilliseconds
    this.#phase = 'quiet'
    this.#deadlines.clear('quiet')
    this.#deadlines.clear('settle')
    const usage = this.#calls.takeUsage()
    this.#responses.end({ status: 'cancelled', reason: 'client_cancelled', usage })
    this.#turns.startOverlap(now)
  }

  #update(event: Fields): void {
    const session = fieldsOf(event.session)
    const fixed = Object.keys(session).find((name) => !changeable.has(name))
    if (fixed !== undefined)
      return this.#output.emit(
        unsupportedEvent(event, `GPT-Live cannot change ${fixed} after the session has started.`),
      )
    this.#session = { ...this.#session, ...session }
    const delegation = { type: 'responses', responses: delegated(session) }
    this.#output.send({ type: 'session.update', ...withId(event.event_id), session: { delegation } })
  }

  #reportSeconds(seconds: unknown): void {
    if (typeof seconds !== 'number' || seconds <= this.#seconds) return
    this.#seconds = seconds
    this.#output.emit({ type: 'session.usage.updated', usage: { seconds } })
  }

  #closed(message: Fields, now: number): void {
    const reason = textOf(message.reason)
    this.#reportSeconds(fieldsOf(message.usage).seconds)
    const detail = closeDetails[reason] ?? 'The provider closed the session.'
    this.#endAll(detail, now)
    const isRequested = reason === 'close_requested'
    if (!isRequested) this.#output.emit(errorEvent({}, `session_${reason}`, detail))
    this.#output.close(isRequested ? normalClosure : internalError, detail)
  }

  /** Errors do not end a session, except before it has started. */
  #fail(error: Fields): void {
    const { code, param, client_event_id } = error
    const message = textOf(error.message)
    if (this.#isStarted) {
      const param_ = typeof param === 'string' ? param : null
      const event = errorEvent({ event_id: client_event_id }, textOf(code), message, param_)
      return this.#output.emit(event)
    }
    const isBusy = /rate_limit|quota|capacity/.test(textOf(code))
    this.#output.refuse(
      isBusy ? 'busy' : 'misconfigured',
      `The provider rejected the configuration of the session: ${message || 'no reason given'}`,
    )
  }

  /** Ends a session that is about to expire, between two turns. */
  #endIfIdle(now: number): void {
    const isIdle = this.#phase === 'quiet' && !this.#turns.isSpeaking && !this.#calls.isWorking
    if (!this.#isEnding || !isIdle) return
    this.#endAll(closeDetails.expired ?? '', now)
    this.#output.emit(errorEvent({}, 'session_expired', closeDetails.expired ?? ''))
    this.#output.close(normalClosure, closeDetails.expired ?? '')
  }

  /** Closes everything that is open. */
  #endAll(message: string, now: number): void {
    const error = { code: 'provider_closed', message }
    // Tokens are counted with a response.
    if (this.#calls.hasUsage) this.#responses.begin()
    this.#responses.end({ status: 'failed', error, usage: this.#calls.takeUsage() })
    this.#phase = 'quiet'
    this.#turns.end(now)
  }
}

/** The parts of a session that belong to the text model. */
const changeable: ReadonlySet<string> = new Set(['type', 'instructions', 'tools', 'tool_choice'])

const positionOf = (milliseconds: unknown) => (typeof milliseconds === 'number' ? milliseconds : 0)
