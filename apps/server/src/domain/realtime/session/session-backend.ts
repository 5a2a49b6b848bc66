import type { EndReason } from '@parley/contract'
import type { Database } from '../../../ports/database.js'
import type { Log } from '../../../ports/log.js'
import type { SessionModel, SessionSetup } from '../../../ports/realtime-stores.js'
import type { Timers } from '../../../ports/time.js'
import { MessagePositions } from '../../conversations/message-positions.js'
import { ToolCalls, type ToolCallsDependencies } from '../../tools/calls/tool-calls.js'
import type { UseDependencies } from '../../usage/count-use.js'
import { BackendCalls, callContext } from '../calls/backend-calls.js'
import { CallRegistry, clientToolNames } from '../calls/call-reader.js'
import type { AcceptedSession, ProviderCandidate } from '../opening/accept-session.js'
import { configurationProblem } from '../opening/configuration-problem.js'
import type { ProviderErrorEvent, ProviderEvent } from '../protocol/provider-event.js'
import { decodeProviderFrame } from '../protocol/provider-frame.js'
import { newServiceEventId } from '../protocol/service-frames.js'
import type { SessionListener } from '../session-listener.js'
import { Transcript } from '../transcript/transcript.js'
import { SessionLog, TimelineRecorder, TranscriptRecorder } from './session-log.js'
import type { SessionTrace } from './session-trace.js'
import { SessionUses } from './session-uses.js'
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
  #isConfigured = false
  #isUserSpeaking = false

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
    this.#transcript = new TranscriptRecorder(session, log, new Transcript(nextPosition, replayedItemIds))
    this.#timeline = new TimelineRecorder({ timers, log, startedAt, replayedItemIds })
    const [{ models }] = candidates
    this.#uses = new SessionUses(dependencies, { session, models, dayLimit, log, listener })
    const recorders = { log, timeline: this.#timeline, uses: this.#uses.counter }
    this.#calls = new BackendCalls({
      toolCalls: new ToolCalls(tools, callContext(session, { ...recorders, nextPosition, listener })),
      registry: this.registry,
      timeline: this.#timeline,
      activity: traffic,
      ...{ timers, listener },
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

  /** Whether the user speaks, the agent answers or a tool runs. A call that waits for approval does not count. */
  get isTalking(): boolean {
    const { hasActiveResponse, hasOpenCall, isOnlyWaiting } = this.#calls
    const isCalling = this.registry.openClientCallCount > 0 || (hasOpenCall && !isOnlyWaiting)
    return this.#isUserSpeaking || hasActiveResponse || isCalling
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
   * Called when the client or the first message requests a response. Requests by tool calls are not reported
   * here.
   */
  noteRequest(): void {
    this.#parts.traffic.noteAnswerDue()
    this.#calls.noteRequest()
  }

  /** Called when the client has answered a call. */
  noteClientOutput(callId: string): void {
    this.registry.close(callId)
    this.#timeline.endCall(callId)
  }

  end(reason: EndReason): void {
    this.#calls.end()
    this.#transcript.end()
    this.#timeline.end()
    this.#uses.end()
    this.#log.end(reason)
  }

  /** Settles when everything is stored, including the outputs of tools that are still running. */
  async settled(): Promise<void> {
    await this.#log.settled()
    await this.#calls.settled()
    await this.#log.settled()
  }

  #observe(event: ProviderEvent): void {
    const { trace, traffic } = this.#parts
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
