import { v7 as uuid } from 'uuid'
import type { ApprovalRecord } from '../../../ports/approval-store.js'
import type { Timers } from '../../../ports/timers.js'
import type { ToolCalls } from '../../tools/calls/tool-calls.js'
import { objectField, type ProviderEvent, textField } from '../protocol/provider-frame.js'
import { type CallNews, CallReader } from './call-reader.js'
import type { CallRegistry } from './call-registry.js'
import { idleSequencer, isAsking, type SequencerEvent, stepSequencer } from './response-sequencer.js'

const ownEventPrefix = 'svc_'
const patienceMilliseconds = 1000
/** A request that got neither a response nor a refusal for so long is taken for lost. */
const lostMilliseconds = 30_000
const alreadyActive = 'conversation_already_has_active_response'
/** Calls that a former session left belong to no response of this one. */
const formerResponse = 'former'

const echoes = new Set(['conversation.item.added', 'conversation.item.created', 'conversation.item.done'])

/**
 * The tool calls of a session as the provider sees them: each is taken to the tools or left to the client, each of ours
 * gets its one output, and the sequencer says when to ask for the answer to them.
 */
export class BackendCalls {
  readonly #calls: ToolCalls
  readonly #registry: CallRegistry
  readonly #timers: Timers
  readonly #send: (event: object) => void
  readonly #reader = new CallReader()
  #sequencer = idleSequencer
  /** The last response came in writing, as its asker wanted it; what follows its calls is part of the same answer. */
  #isInWriting = false
  #createEventId: string | null = null
  #cancelPatience: () => void = () => undefined
  #cancelLoss: () => void = () => undefined

  constructor(
    calls: ToolCalls,
    registry: CallRegistry,
    timers: Timers,
    /** Sends an event to the provider; does nothing once the session is over. */
    send: (event: object) => void,
  ) {
    this.#calls = calls
    this.#registry = registry
    this.#timers = timers
    this.#send = send
  }

  /** Whether a tool runs, or waits for a person. */
  get hasOpenCall(): boolean {
    return this.#calls.hasOpenCall
  }

  observe(event: ProviderEvent): void {
    if (event.type === 'response.created') this.#created(objectField(event, 'response'))
    for (const news of this.#reader.read(event)) this.#take(news)
    if (event.type === 'response.done') this.#done(objectField(event, 'response'))
    if (echoes.has(event.type)) this.#echoed(objectField(event, 'item'))
    if (event.type === 'error') this.#refused(objectField(event, 'error'))
  }

  /** The client asks for a response itself. */
  clientCreates(): void {
    this.#step({ type: 'clientCreate' })
  }

  /** Goes on with calls that a former session left; the provider has been told of them. */
  adopt(approvals: readonly ApprovalRecord[]): void {
    for (const approval of approvals) {
      const { callId } = approval
      this.#registry.learn(callId, approval.tool)
      this.#step({ type: 'backendCall', responseId: formerResponse, callId })
      void this.#calls.adopt(approval).then((output) => this.#post(callId, output))
    }
  }

  end(): void {
    this.#cancelPatience()
    this.#cancelLoss()
    this.#calls.end()
  }

  /** Settles when nothing runs any more. */
  settled(): Promise<void> {
    return this.#calls.settled()
  }

  #take({ responseId, callId, name, news, argumentsText }: CallNews): void {
    const { owner, isNew } = this.#registry.learn(callId, name)
    if (owner === 'client') {
      if (isNew) this.#step({ type: 'clientCall', responseId })
      if (news === 'cut-off' && this.#registry.close(callId))
        this.#step({ type: 'clientCallCutOff', responseId })
      return
    }
    if (isNew) this.#step({ type: 'backendCall', responseId, callId })
    if (news === 'named' || this.#calls.knows(callId)) return
    const output =
      news === 'complete'
        ? this.#calls.call(callId, name, argumentsText)
        : this.#calls.interrupted(callId, name, argumentsText)
    void output.then((text) => this.#post(callId, text))
  }

  #post(callId: string, output: string): void {
    const item = { type: 'function_call_output', call_id: callId, output }
    this.#send({ type: 'conversation.item.create', event_id: `${ownEventPrefix}${uuid()}`, item })
    this.#step({ type: 'outputPosted', callId })
  }

  #created(response: Readonly<Record<string, unknown>> | undefined): void {
    // Out of band: it neither reads the conversation nor stands in its way.
    if (response && 'conversation_id' in response && response.conversation_id === null) return
    this.#isInWriting = isInWriting(response)
    this.#step({ type: 'responseCreated', responseId: textField(response, 'id') ?? '' })
  }

  #done(response: Readonly<Record<string, unknown>> | undefined): void {
    const responseId = textField(response, 'id') ?? ''
    const isCancelled = textField(response, 'status') === 'cancelled'
    this.#step({ type: 'responseDone', responseId, isCancelled })
  }

  #echoed(item: Readonly<Record<string, unknown>> | undefined): void {
    const isOutput = textField(item, 'type') === 'function_call_output'
    const callId = textField(item, 'call_id')
    this.#step(isOutput && callId !== undefined ? { type: 'outputEchoed', callId } : { type: 'itemEchoed' })
  }

  /**
   * Providers often leave out which request an error answers: then it is ours, if we have one under way and the error
   * can only be about such a request. Every other error may have been the answer to the client's, which must not be
   * waited for in vain; should it be still under way, ours comes behind it and is refused.
   */
  #refused(error: Readonly<Record<string, unknown>> | undefined): void {
    const answers = textField(error, 'event_id') || null
    const isOurs =
      isAsking(this.#sequencer) &&
      (answers === null ? textField(error, 'code') === alreadyActive : answers === this.#createEventId)
    if (isOurs || !answers?.startsWith(ownEventPrefix)) this.#step({ type: 'createRefused', isOurs })
  }

  #lost(eventId: string): void {
    if (eventId === this.#createEventId && isAsking(this.#sequencer))
      this.#step({ type: 'createRefused', isOurs: true })
  }

  #step(event: SequencerEvent): void {
    const { state, create } = stepSequencer(this.#sequencer, event)
    const hasToWait = state.isWaitingOut && !this.#sequencer.isWaitingOut
    this.#sequencer = state
    if (!isAsking(state)) this.#cancelLoss()
    if (hasToWait)
      this.#cancelPatience = this.#timers.after(patienceMilliseconds, () => this.#step({ type: 'patience' }))
    if (!create) return
    const eventId = `${ownEventPrefix}${uuid()}`
    this.#createEventId = eventId
    const response = this.#isInWriting ? { response: { output_modalities: ['text'] } } : {}
    this.#send({ type: 'response.create', event_id: eventId, ...response })
    this.#cancelLoss()
    this.#cancelLoss = this.#timers.after(lostMilliseconds, () => this.#lost(eventId))
  }
}

function isInWriting(response: Readonly<Record<string, unknown>> | undefined): boolean {
  const modalities = response?.output_modalities
  return Array.isArray(modalities) && modalities.length === 1 && modalities[0] === 'text'
}
