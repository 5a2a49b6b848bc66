import type { EndReason } from '@parley/contract'
import type { Database } from '../../../ports/database.js'
import type { Log } from '../../../ports/log.js'
import type { SessionModel, SessionSetup } from '../../../ports/realtime-stores.js'
import type { Timers } from '../../../ports/time.js'
import { MessagePositions } from '../../conversations/message-positions.js'
import { ToolCalls, type ToolCallsDependencies } from '../../tools/calls/tool-calls.js'
import type { UseDependencies } from '../../usage/count-use.js'
import { BackendCalls, callContext } from '../calls/backend-calls.js'
import { CallRegistry, clientToolNames, type MadeCall } from '../calls/call-reader.js'
import type { PendingRequests } from '../calls/response-requests.js'
import type { AcceptedSession, ProviderCandidate } from '../opening/accept-session.js'
import { configurationProblem } from '../opening/configuration-problem.js'
import { cutOffNotice } from '../opening/history.js'
import { lostResponse, lostResponseEvent, lostSpeechEvent } from '../protocol/lost-provider.js'
import type { ProviderErrorEvent, ProviderEvent } from '../protocol/provider-event.js'
import { decodeProviderFrame } from '../protocol/provider-frame.js'
import { newServiceEventId, responseRequest } from '../protocol/service-frames.js'
import type { SessionListener } from '../session-listener.js'
import { Transcript } from '../transcript/transcript.js'
import { KnownItems } from './known-items.js'
import type { OwedByProvider } from './open-provider.js'
import { SessionLog, TimelineRecorder, TranscriptRecorder } from './session-log.js'
import type { SessionTrace } from './session-trace.js'
import { SessionUses } from './session-uses.js'
import type { UnansweredInput } from './unanswered-input.js'
import type { Traffic } from './watchdog.js'

export interface BackendDependencies extends UseDependencies {
  readonly database: Database
  readonly timers: Timers
  readonly log: Log
  readonly tools: ToolCallsDependencies
}

/** The parts of a session that are created before its backend. */
export interface BackendParts {
  readonly trace: SessionTrace
  /** Null if the session cannot move to another provider. */
  readonly unanswered: UnansweredInput | null
  readonly traffic: Traffic
  readonly listener: SessionListener
}

/**
 * The part of a session behind the relay: tool calls, transcript, timeline, usage and log. It receives each
 * provider event after the event was forwarded, and passes it to the parts that handle it.
 */
export class SessionBackend {
  /** Remembers the calls of the session, and which of them the client runs. */
  readonly registry: CallRegistry
  /** The id of the event that configures the session at the provider. */
  readonly updateEventId = newServiceEventId()
  readonly #parts: BackendParts
  readonly #setup: SessionSetup
  readonly #log: SessionLog
  readonly #calls: BackendCalls
  readonly #transcript: TranscriptRecorder
  readonly #timeline: TimelineRecorder
  readonly #uses: SessionUses
  readonly #newTranscript: (replayedItemIds: readonly string[]) => Transcript
  /** The items of the provider, and of its predecessors. Only a session that can move knows them. */
  readonly #itemIds = new KnownItems()
  #isConfigured = false
  #isUserSpeaking = false
  /** The requests that the last provider has not answered. */
  #lostRequests: PendingRequests = { isAny: false, isOfClient: false }

  constructor(dependencies: BackendDependencies, accepted: AcceptedSession, parts: BackendParts) {
    const { timers, tools } = dependencies
    const { session, candidates, dayLimit, startMicroseconds, startedAt, history } = accepted
    const { traffic, listener } = parts
    this.#parts = parts
    this.#setup = session.setup
    this.registry = new CallRegistry(clientToolNames(session.setup))
    const positions = new MessagePositions({ startMicroseconds, startedAt, timers })
    const nextPosition = () => positions.next()
    const replayedItemIds = history.map(({ itemId }) => itemId)
    const log = new SessionLog(dependencies, session, listener)
    this.#log = log
    this.#newTranscript = (itemIds) => new Transcript(nextPosition, itemIds)
    this.#transcript = new TranscriptRecorder(session, log, this.#newTranscript(replayedItemIds))
    this.#timeline = new TimelineRecorder({ timers, log, startedAt, replayedItemIds })
    const [{ models }] = candidates
    this.#uses = new SessionUses(dependencies, { session, models, dayLimit, log, listener })
    const recorders = { log, timeline: this.#timeline, uses: this.#uses.counter }
    this.#calls = new BackendCalls({
      toolCalls: new ToolCalls(tools, callContext(session, { ...recorders, nextPosition, listener })),
      registry: this.registry,
      timeline: this.#timeline,
      activity: traffic,
      timers,
      listener,
    })
  }

  get waitingWrites(): number {
    return this.#log.waitingWrites
  }

  /** Whether the session is busy: it has an active response, a running tool or a pending approval. */
  get isBusy(): boolean {
    const { hasActiveResponse, hasOpenCall } = this.#calls
    return hasActiveResponse || this.registry.openClientCallCount > 0 || hasOpenCall
  }

  /** Whether the user speaks, the agent answers or is asked to, or a tool runs. Calls that wait for approval do not count. */
  get isTalking(): boolean {
    const { hasActiveResponse, hasOpenCall, isOnlyWaiting } = this.#calls
    const isCalling = this.registry.openClientCallCount > 0 || (hasOpenCall && !isOnlyWaiting)
    const isAnswering = hasActiveResponse || this.#calls.pendingRequests.isAny
    return this.#isUserSpeaking || isAnswering || isCalling
  }

  /** Called when a model has answered, or when the session ends before that. */
  start({ models }: ProviderCandidate): void {
    this.#uses.start(models)
  }

  /** Stores the model of the session, if it is not the agent's own one. */
  saveModel(model: SessionModel): void {
    this.#log.saveSetup({ ...this.#setup, ...model })
  }

  /** Resumes the waiting calls of earlier sessions. */
  adopt(calls: AcceptedSession['adopted']): void {
    this.#calls.adopt(calls)
  }

  /** Handles a text frame of the provider. Frames that are plainly audio can be skipped. */
  observeFrame(data: Buffer): void {
    const event = decodeProviderFrame(data)
    if (event !== null) this.#observe(event)
  }

  observeFirstAudio(at: number): void {
    this.#timeline.observeAudio(at)
  }

  /**
   * Called when the client, the first message or a move requests a response. Requests by tool calls are not reported
   * here.
   */
  noteRequest(): void {
    this.#parts.traffic.noteAnswerDue()
    this.#calls.noteRequest()
  }

  /**
   * Requests a response for the client by calling `forward`. After a move, the service may have requested the answer that
   * the lost provider owed. The client's request then waits for its end. It is dropped if that answer covers it, because
   * the client has sent no input since then. `isPlain`: whether the request asks for nothing but a response.
   */
  requestForClient(frame: Buffer, isPlain: boolean, forward: () => void): void {
    const { unanswered } = this.#parts
    if (this.#calls.isHolding && isPlain && unanswered?.hasNewInput === false) return
    const send = () => {
      unanswered?.noteRequest(frame)
      forward()
      this.noteRequest()
    }
    if (this.#calls.isHolding) this.#calls.hold(send)
    else send()
  }

  /** Called when the client cancels the response that it has requested. */
  dropHeldRequest(): void {
    this.#calls.dropHeldRequest()
  }

  /** Requests the first message, if there is one. */
  greet(greeting: object | null): void {
    if (greeting !== null) this.request(greeting)
  }

  /** Sends a response request of the service that tool calls have not caused. */
  request(request: object): void {
    this.#parts.listener.sendToProvider(request)
    this.noteRequest()
  }

  /** Called when the client has answered a call. */
  noteClientOutput(callId: string, frame: Buffer): void {
    this.registry.close(callId)
    if (this.#parts.unanswered !== null) this.#calls.noteClientOutput(callId, frame)
    this.#parts.unanswered?.noteOutput()
    this.#timeline.endCall(callId)
  }

  /** Returns whether only a former provider of the session knows the item. */
  isFormerItem(itemId: string): boolean {
    return this.#itemIds.isFormer(itemId)
  }

  get hasFormerItems(): boolean {
    return this.#itemIds.hasFormer
  }

  /** The calls that the next provider must know, because their outputs follow. */
  get madeCalls(): readonly MadeCall[] {
    return this.#calls.madeCalls
  }

  get owed(): OwedByProvider {
    const { unanswered } = this.#parts
    if (this.#calls.pendingRequests.isAny) return 'request'
    if (unanswered?.isAnswering === true) return 'response'
    return unanswered?.isWaiting === true ? 'reaction' : 'nothing'
  }

  /**
   * Called when the provider is lost. Stores the words so far, and returns the events that end what is open for the client.
   * The tools continue to run.
   */
  leaveProvider(): readonly object[] {
    const kept = this.#parts.unanswered?.keptItemIds ?? new Set()
    const speech = this.#transcript.openSpeech
    const responses = this.#calls.activeResponses.map((responseId) => ({
      responseId,
      wholeItemIds: this.#transcript.wholeItemsOf(responseId),
    }))
    for (const lost of responses) {
      const done = lostResponse(lost)
      this.#calls.observe(done)
      this.#timeline.observe(done)
      this.#transcript.observe(done)
    }
    this.#transcript.leave(kept)
    this.#uses.end()
    this.#parts.trace.endResponses('the provider was lost')
    this.#calls.releaseHeldRequest()
    this.#lostRequests = this.#calls.pendingRequests
    this.#calls.leave()
    this.#itemIds.leave()
    this.#isUserSpeaking = false
    return [...speech.flatMap(lostSpeechEvent), ...responses.map(lostResponseEvent)]
  }

  /** Called when another provider has joined that has these items in its conversation. */
  joinProvider({ models }: ProviderCandidate, replayedItemIds: readonly string[]): void {
    this.#parts.trace.answeredBy(models)
    this.#uses.join(models)
    this.#timeline.noteReplayed(replayedItemIds)
    this.#transcript.join(this.#newTranscript(replayedItemIds))
    this.#isConfigured = false
    this.#calls.join()
  }

  /**
   * Sends the next provider the input that its predecessor has not answered, after it knows the history. `greeting` requests
   * the first message, if nothing was said yet.
   */
  sendUnanswered(forward: (frame: Buffer) => void, greeting: object | null): void {
    const { unanswered, listener } = this.#parts
    if (unanswered === null) return
    const { isUserSpeaking, clientRequest } = unanswered
    const { turns, typed, heard, isAnswerDue, isCutOff } = unanswered.take()
    const requests = this.#lostRequests
    for (const frame of [...this.#calls.clientOutputs, ...typed]) forward(frame)
    for (const { frames } of turns) {
      for (const frame of frames) forward(frame)
      listener.sendToProvider({ type: 'input_audio_buffer.commit', event_id: newServiceEventId() })
    }
    this.#calls.sendHeld()
    const mustRequest =
      (isAnswerDue || requests.isAny) && !isUserSpeaking && !this.#calls.pendingRequests.isAny
    if (mustRequest && requests.isOfClient && clientRequest !== null) {
      this.requestForClient(clientRequest, false, () => forward(clientRequest))
    } else if (mustRequest) {
      if (isCutOff && typed.length === 0) listener.sendToProvider(cutOffNotice.event)
      const isGreeting = greeting !== null && turns.length + typed.length === 0
      this.request(isGreeting ? greeting : responseRequest(newServiceEventId(), this.#calls.isTextOnly))
      this.#calls.holdRequests()
    }
    for (const frame of heard) forward(frame)
  }

  end(reason: EndReason): void {
    this.#calls.end()
    this.#transcript.end()
    this.#timeline.end()
    this.#uses.end()
    this.#log.end(reason)
  }

  /** Settles when everything so far is stored. */
  stored(): Promise<void> {
    return this.#log.settled()
  }

  /** Settles when everything is stored, including the outputs of tools that are still running. */
  async settled(): Promise<void> {
    await this.#log.settled()
    await this.#calls.settled()
    await this.#log.settled()
  }

  #observe(event: ProviderEvent): void {
    const { trace, traffic, unanswered } = this.#parts
    if (unanswered !== null) {
      this.#itemIds.observe(event)
      unanswered.observe(event, this.#calls.pendingRequests.isAny)
    }
    this.#calls.observe(event)
    // The event is handled after the calls, because calls in the event that ends a response belong to the
    // same exchange.
    this.#timeline.observe(event)
    this.#transcript.observe(event)
    this.#uses.observe(event)
    trace.observe(event)
    switch (event.type) {
      case 'audio.delta':
        traffic.noteAudio()
        break
      case 'speech.started':
        this.#isUserSpeaking = true
        traffic.noteInterruption()
        break
      case 'response.created':
        this.#isUserSpeaking = false
        traffic.noteResponseCreated()
        break
      case 'speech.committed':
        this.#isUserSpeaking = false
        traffic.noteAnswerDue()
        break
      case 'session.updated':
        this.#isConfigured = true
        break
      case 'error':
        this.#observeError(event)
    }
  }

  #observeError(event: ProviderErrorEvent): void {
    const { updateEventId } = this
    const problem = configurationProblem(event, { updateEventId, isConfigured: this.#isConfigured })
    if (problem !== null) this.#parts.listener.end('provider_unavailable', problem)
  }
}
