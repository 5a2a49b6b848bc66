import type { ConnectionFailure, ProviderOpening } from '../../ports/realtime-provider.js'
import { ClientAudio } from '../realtime-dialects/client-audio.js'
import { ConversationItems } from '../realtime-dialects/conversation-items.js'
import { Deadlines } from '../realtime-dialects/deadlines.js'
import { type Fields, fieldsOf, isFields, textOf } from '../realtime-dialects/json-fields.js'
import { ProviderAudio } from '../realtime-dialects/provider-audio.js'
import { ProviderCalls } from '../realtime-dialects/provider-calls.js'
import { ResponseWriter } from '../realtime-dialects/response-writer.js'
import { makeId } from '../realtime-dialects/server-event.js'
import type {
  DialectOutput,
  SocketLoss,
  TranslatingDialect,
} from '../realtime-dialects/translating-dialect.js'
import { UserTurnWriter } from '../realtime-dialects/user-turn-writer.js'
import { ClientEvents } from './client-events.js'
import { resourceName, takesContentAnytime } from './gemini-model.js'
import { ModelTurns, type OpenCall, type TurnDeadline } from './model-turns.js'
import { readSession, setupMessage, turnsOf } from './setup.js'

const inputRate = 16_000
const outputRate = 24_000

/** Messages that wait for a new socket. The oldest ones, six seconds of audio, are dropped beyond this. */
const maxHeldBytes = 240 * 1024
/** A session moves this long before its connection ends, even if it is busy. */
const leaveEarlyMilliseconds = 3000
const defaultLeaveMilliseconds = 30_000
/** The limit for a new socket with its setup. */
const resumeMilliseconds = 10_000
/** A connection that lasted this long was good. Failures before that count together. */
const stableMilliseconds = 60_000
const maxAttempts = 4

const abnormalClosure = 1006

type Deadline = TurnDeadline | 'leave' | 'retry' | 'resume'

/*
 * Translates between OpenAI's realtime protocol and Gemini Live. A session outlives its connections:
 *
 *   setup ──setupComplete──► ready ──goAway, if idle──► setup with the handle
 *     │                        └──────socket lost──────► setup with the handle
 *     └──lost with a handle──► setup without it, with the history as text
 *
 * During a change, a few seconds of audio are kept. The calls of the old connection cannot be answered on the new one, so their
 * outputs become texts. After four failures in a row, or if the first setup fails, the session ends.
 */
export class GeminiDialect implements TranslatingDialect {
  readonly #output: DialectOutput
  readonly #opening: ProviderOpening
  readonly #session: Fields
  readonly #nameOf: (model: string) => string
  readonly #inputAudio: ClientAudio
  readonly #items: ConversationItems
  readonly #calls = new ProviderCalls<OpenCall>()
  readonly #deadlines = new Deadlines<Deadline>()
  readonly #turns: ModelTurns
  readonly #clientEvents: ClientEvents
  #state: 'first setup' | 'setup' | 'ready' = 'first setup'
  #handle: string | null = null
  /** Whether the handle includes everything that has happened. */
  #isResumable = false
  /** Whether the current setup resumes a session. */
  #isResuming = false
  #isLeaving = false
  /** What the former connection owed the user. */
  #owed: ReturnType<ModelTurns['cutOff']> = null
  #held: string[] = []
  #heldBytes = 0
  #attempts = 0
  #readyAt = 0

  /** `nameOf` returns the resource name of a model. */
  constructor(
    output: DialectOutput,
    opening: ProviderOpening,
    startedAt: number,
    nameOf: (model: string) => string = resourceName,
  ) {
    const { session, model, voice, inputFormat, outputFormat } = readSession(opening.update)
    this.#output = output
    this.#opening = opening
    this.#session = session
    this.#nameOf = nameOf
    this.#inputAudio = new ClientAudio(inputFormat, inputRate)
    this.#items = new ConversationItems(output.emit)
    const users = new UserTurnWriter(output.emit, this.#items)
    const responses = new ResponseWriter(output.emit, this.#items, voice)
    const audio = new ProviderAudio(outputFormat, outputRate)
    const shared = { emit: output.emit, calls: this.#calls, deadlines: this.#deadlines }
    this.#turns = new ModelTurns({ ...shared, users, responses, audio, startedAt })
    this.#clientEvents = new ClientEvents({
      emit: output.emit,
      items: this.#items,
      calls: this.#calls,
      turns: this.#turns,
      takesContent: takesContentAnytime(model),
      send: (message) => this.#send(JSON.stringify(message)),
      isReady: () => this.#state === 'ready',
    })
  }

  get heldBytes(): number {
    return this.#heldBytes
  }

  get nextTickAt(): number | null {
    return this.#deadlines.next
  }

  opened(): void {
    this.#isResuming = this.#handle !== null
    const items = this.#state === 'first setup' ? this.#openingItems : this.#items.all
    this.#output.send(setupMessage(this.#session, { items, handle: this.#handle, nameOf: this.#nameOf }))
  }

  receiveAudio(base64: string): void {
    this.#turns.noteAudio()
    const data = this.#inputAudio.convert(base64)
    this.#send(`{"realtimeInput":{"audio":{"data":"${data}","mimeType":"audio/pcm;rate=${inputRate}"}}}`)
  }

  receive(event: Fields, now: number): void {
    if (event.type === 'input_audio_buffer.append') this.receiveAudio(textOf(event.audio))
    else this.#clientEvents.receive(event, now)
  }

  handle(message: Fields, now: number): void {
    if (isFields(message.setupComplete)) this.#beReady(now)
    this.#readResumption(fieldsOf(message.sessionResumptionUpdate))
    if (isFields(message.goAway)) this.#prepareToLeave(message.goAway, now)
    this.#turns.read(message, now)
    const { ids } = fieldsOf(message.toolCallCancellation)
    if (Array.isArray(ids)) this.#clientEvents.cancelCalls(ids.map(String), now)
    this.#leaveIfIdle(now)
  }

  tick(now: number): void {
    for (const deadline of this.#deadlines.takeDue(now)) {
      if (deadline === 'leave') this.#leave(now)
      else if (deadline === 'retry') this.#reconnect(now)
      else if (deadline === 'resume') this.#giveUp()
      else this.#turns.act(deadline, now)
    }
    this.#leaveIfIdle(now)
  }

  lost({ code, reason }: SocketLoss, now: number): void {
    if (this.#state === 'first setup') {
      const detail = `The provider refused the session (${code}${reason && `: ${reason}`}).`
      this.#output.refuse(refusalOf(code, reason), detail)
      return this.#output.close(code, reason)
    }
    const wasReady = this.#state === 'ready'
    if (wasReady && now - this.#readyAt >= stableMilliseconds) this.#attempts = 0
    this.#attempts += 1
    if (this.#attempts > maxAttempts) return this.#output.close(code, reason)
    // A handle that was refused once is refused always.
    if (!wasReady && this.#isResuming) this.#handle = null
    this.#endConnection()
    if (this.#attempts === 1) this.#reconnect(now)
    else this.#deadlines.set('retry', now + 500 * this.#attempts)
  }

  get #openingItems(): readonly Fields[] {
    return this.#opening.items.map((event) => fieldsOf(fieldsOf(event).item))
  }

  #beReady(now: number): void {
    const isFirst = this.#state === 'first setup'
    this.#state = 'ready'
    this.#readyAt = now
    this.#deadlines.clear('resume')
    if (isFirst) {
      this.#confirm()
      this.#sendHistory(false)
    }
    const owed = this.#owed
    this.#owed = null
    const isAsked = !isFirst && !this.#isResuming && this.#sendHistory(owed !== null)
    if (isAsked) this.#turns.awaitAnswer('text', now)
    const held = this.#held
    this.#held = []
    this.#heldBytes = 0
    for (const message of held) this.#output.send(message)
    if (owed !== null && !isAsked) this.#clientEvents.nudge(owed, now)
    this.#clientEvents.flush(now)
  }

  #confirm(): void {
    const { emit } = this.#output
    const session = { ...this.#session, object: 'realtime.session', id: makeId('sess') }
    emit({ type: 'session.created', session })
    emit({ type: 'session.updated', session })
    for (const event of this.#opening.items) this.#items.create(fieldsOf(event))
    this.#output.confirm()
  }

  /** Without the end of a turn, the model only remembers the history. Returns whether it answers. */
  #sendHistory(mustAnswer: boolean): boolean {
    const waiting = this.#clientEvents.waitingItemIds
    const turns = turnsOf(this.#items.all.filter(({ id }) => !waiting.has(id)))
    if (turns.length === 0) return false
    const turnComplete = mustAnswer && turns.at(-1)?.role === 'user'
    this.#output.send({ clientContent: { turns, turnComplete } })
    return turnComplete
  }

  #readResumption({ newHandle, resumable }: Fields): void {
    if (resumable === false) this.#isResumable = false
    if (typeof newHandle !== 'string' || newHandle === '') return
    this.#handle = newHandle
    this.#isResumable = resumable === true
  }

  #prepareToLeave({ timeLeft }: Fields, now: number): void {
    this.#isLeaving = true
    const left = timeLeft === undefined ? defaultLeaveMilliseconds : durationOf(timeLeft)
    this.#deadlines.set('leave', now + Math.max(0, left - leaveEarlyMilliseconds))
  }

  #leaveIfIdle(now: number): void {
    const isIdle = this.#turns.isIdle && this.#calls.size === 0
    if (this.#isLeaving && this.#isResumable && isIdle && this.#state === 'ready') this.#leave(now)
  }

  #leave(now: number): void {
    if (this.#state !== 'ready') return
    this.#endConnection()
    this.#reconnect(now)
  }

  #endConnection(): void {
    this.#state = 'setup'
    this.#isLeaving = false
    this.#deadlines.clear('leave')
    this.#owed = this.#turns.cutOff() ?? this.#owed
    this.#clientEvents.forgetCalls()
  }

  #reconnect(now: number): void {
    this.#deadlines.set('resume', now + resumeMilliseconds)
    this.#output.reconnect()
  }

  #giveUp(): void {
    this.#output.close(abnormalClosure, 'The provider did not resume the session.')
  }

  #send(message: string): void {
    if (this.#state === 'ready') return this.#output.send(message)
    this.#held.push(message)
    this.#heldBytes += message.length
    while (this.#heldBytes > maxHeldBytes) this.#heldBytes -= this.#held.shift()?.length ?? 0
  }
}

/** Returns the milliseconds of a duration such as `9.5s`. */
function durationOf(duration: unknown): number {
  const seconds = Number.parseFloat(String(duration))
  return Number.isFinite(seconds) ? seconds * 1000 : defaultLeaveMilliseconds
}

function refusalOf(code: number, reason: string): ConnectionFailure {
  if (/quota|exhausted|rate limit/i.test(reason)) return 'busy'
  return code === 1007 || code === 1008 ? 'misconfigured' : 'refused'
}
