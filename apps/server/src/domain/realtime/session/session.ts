import { type ClosedReason, type CustomEvent, closeCodes, type EndReason } from '@parley/contract'
import type { Clock } from '../../../ports/clock.js'
import type { Database } from '../../../ports/database.js'
import type { FrameSocket } from '../../../ports/frame-socket.js'
import type { Log } from '../../../ports/log.js'
import type { RealtimeMetrics } from '../../../ports/realtime-metrics.js'
import type { ProviderConnection } from '../../../ports/realtime-provider.js'
import type { Timers } from '../../../ports/timers.js'
import type { Tracing } from '../../../ports/tracing.js'
import type { WorkMetrics } from '../../../ports/work-metrics.js'
import { MessagePositions } from '../../conversations/message-positions.js'
import type { ToolCallsDependencies } from '../../tools/calls/tool-calls.js'
import { callsWithin } from '../../tools/calls/observed-calls.js'
import { BackendCalls } from '../calls/backend-calls.js'
import { CallRegistry, clientToolNames } from '../calls/call-reader.js'
import type { AcceptedSession } from '../opening/accept-session.js'
import { isAudioAppend, isAudioDelta } from '../protocol/audio-frames.js'
import { errorEvent, newServiceEventId, sessionUpdate } from '../protocol/service-event.js'
import { EarlyFrames, makeRelaySide, type RelaySide } from '../relay/relay-side.js'
import { Transcript } from '../transcript/transcript.js'
import { ClientDecisions, ClientFrames } from './client-frames.js'
import { ProviderObserver } from './provider-observer.js'
import { SessionLog, TimelineRecorder, TranscriptRecorder } from './session-log.js'
import { SessionTrace } from './session-trace.js'
import { SessionUses } from './session-uses.js'
import { Traffic, Watchdog, type WatchdogConfig } from './watchdog.js'

/** The part of the config that sessions go by. */
export interface SessionConfig extends WatchdogConfig {
  readonly providerConnectTimeoutSeconds: number
}

export interface SessionDependencies {
  readonly database: Database
  readonly clock: Clock
  readonly timers: Timers
  readonly log: Log
  readonly metrics: RealtimeMetrics
  readonly workMetrics: WorkMetrics
  readonly tracing: Tracing
  readonly config: SessionConfig
  readonly tools: ToolCallsDependencies
}

/** An accepted session with its two ends: the client's socket, and the way to the provider. */
export interface SessionInput extends Omit<AcceptedSession, 'target'> {
  readonly client: FrameSocket
  /** Where the client connects from; null if the connection is gone already. */
  readonly clientAddress: string | null
  readonly connect: (signal: AbortSignal) => Promise<ProviderConnection>
}

/*
 * One realtime session: the shell that owns the sockets and timers. The rules are in the small machines it drives.
 *
 *   connecting ──provider connected──► open ──end(reason)──► ended
 *        │                                                     ▲
 *        └─────────────────────end(reason)─────────────────────┘
 *
 * While connecting, frames of the client are kept. From open on a frame is forwarded first and read afterwards.
 */
type SessionState =
  | { readonly phase: 'connecting' }
  | { readonly phase: 'open'; readonly provider: RelaySide }
  | { readonly phase: 'ended' }

export class RealtimeSession {
  readonly id: string
  readonly organizationId: string
  /** Settles when the session has ended and everything of it is stored. */
  readonly done: Promise<void>
  readonly #updateEventId = newServiceEventId()
  readonly #dependencies: SessionDependencies
  readonly #input: SessionInput
  readonly #connecting = new AbortController()
  readonly #client: RelaySide
  readonly #earlyFrames: EarlyFrames
  readonly #decisions: ClientDecisions
  readonly #clientFrames: ClientFrames
  readonly #calls: BackendCalls
  readonly #transcript: Transcript
  readonly #observer: ProviderObserver
  readonly #log: SessionLog
  readonly #recorder: TranscriptRecorder
  readonly #uses: SessionUses
  readonly #timeline: TimelineRecorder
  readonly #traffic: Traffic
  readonly #trace: SessionTrace
  readonly #watchdog: Watchdog
  readonly #startedAt: number
  #resolveDone: () => void = () => undefined
  #state: SessionState = { phase: 'connecting' }

  constructor(dependencies: SessionDependencies, input: SessionInput) {
    const { timers, metrics } = dependencies
    const { session, startMicroseconds, startedAt, history } = input
    this.id = session.id
    this.organizationId = session.organizationId
    this.#dependencies = dependencies
    this.#input = input
    this.#trace = new SessionTrace(dependencies.tracing, session, input.models)
    const tools = callsWithin(this.#trace.span, dependencies.tools)
    this.#startedAt = timers.monotonic()
    this.done = new Promise((resolve) => {
      this.#resolveDone = resolve
    })
    this.#client = this.#makeSide(input.client, 'client')
    this.#earlyFrames = new EarlyFrames(this.#client.gate)
    this.#traffic = new Traffic(timers, metrics, (at) => this.#timeline.observeAudio(at))
    const positions = new MessagePositions({ startMicroseconds, startedAt, timers })
    const nextPosition = () => positions.next()
    const replayedItemIds = history.map((item) => item.itemId)
    this.#transcript = new Transcript(nextPosition, replayedItemIds)
    const emit = (event: CustomEvent) => this.#emit(event)
    this.#log = new SessionLog(dependencies, {
      organizationId: session.organizationId,
      sessionId: this.id,
      emit,
      onFull: () => this.end('internal', 'The database is away and too much waits for it.'),
    })
    this.#recorder = new TranscriptRecorder(session, this.#log)
    this.#timeline = new TimelineRecorder({ timers, log: this.#log, startedAt, replayedItemIds })
    this.#uses = new SessionUses(dependencies, {
      session,
      models: input.models,
      log: this.#log,
      onUsedUp: (message) => this.end('budget_exceeded', message),
    })
    this.#decisions = new ClientDecisions(session, tools.waitingApprovals)
    const registry = new CallRegistry(clientToolNames(session.setup))
    this.#calls = new BackendCalls({
      tools,
      session,
      log: this.#log,
      nextPosition,
      emit,
      uses: this.#uses.counter,
      registry,
      timeline: this.#timeline,
      timers,
      lastProviderFrameAt: () => this.#traffic.lastProviderFrameAt,
      send: (event) => this.#toProvider(JSON.stringify(event), false),
      onActivity: () => this.#traffic.noteActivity(),
      onTooMany: () =>
        this.end('provider_closed', 'The provider makes more calls at once than this service takes.'),
    })
    this.#clientFrames = new ClientFrames({
      registry,
      decisions: this.#decisions,
      toProvider: (data, isBinary) => this.#toProvider(data, isBinary),
      toClient: (event) => this.#toClient(event, this.#client),
      onResponseRequest: () => {
        this.#traffic.noteAnswerDue()
        this.#calls.noteClientRequest()
      },
      onToolOutput: (callId) => this.#timeline.endCall(callId),
    })
    this.#observer = new ProviderObserver({
      transcript: this.#transcript,
      calls: this.#calls,
      timeline: this.#timeline,
      trace: this.#trace,
      updateEventId: this.#updateEventId,
      onTranscribed: (effects) => this.#recorder.record(effects),
      uses: this.#uses,
      onAudio: () => this.#traffic.noteAudio(),
      onSpeechEnd: () => this.#traffic.noteAnswerDue(),
      onResponseCreated: () => this.#traffic.noteResponseCreated(),
      onConfigurationRefused: (message) =>
        this.end('provider_unavailable', `The provider refused the session's configuration: ${message}`),
    })
    this.#watchdog = new Watchdog({
      timers,
      config: dependencies.config,
      lastActivityAt: () => this.#traffic.lastActivityAt,
      isBusy: () =>
        this.#state.phase === 'connecting' ||
        this.#calls.hasActiveResponse ||
        registry.openClientCallCount > 0 ||
        this.#calls.hasOpenCall,
      end: (reason, message) => this.end(reason, message),
    })
    metrics.sessionStarted()
  }

  /** How many writes wait for the database. */
  get waitingWrites(): number {
    return this.#log.waitingWrites
  }

  start(): void {
    const { socket, gate } = this.#client
    const pong = this.#watchdog.watch({
      socket,
      gate,
      onLost: () => this.end('client_lost', 'The client does not answer.'),
    })
    socket.listen({
      frame: (data, isBinary) => this.#fromClient(data, isBinary),
      pong,
      tooBig: () => this.end('message_too_big', 'The message is larger than this service takes.'),
      closed: (code) =>
        this.end(code === abnormalClosure ? 'client_lost' : 'client_left', 'The client left.'),
    })
    this.#uses.start()
    void this.#connect()
  }

  /** The one way out. Says why, closes both sides, has what is left stored. Only the first call counts. */
  end(reason: EndReason, message: string): void {
    if (this.#state.phase === 'ended') return
    const provider = this.#state.phase === 'open' ? this.#state.provider : null
    if (this.#state.phase === 'connecting') this.#connecting.abort()
    this.#state = { phase: 'ended' }
    const { log, metrics } = this.#dependencies
    this.#watchdog.stop()
    this.#client.pump.stop()
    provider?.pump.stop()
    this.#earlyFrames.clear()
    this.#calls.end()
    this.#recorder.record(this.#transcript.end())
    this.#timeline.end()
    this.#uses.end()
    this.#log.end(reason)
    closeClient(this.#client.socket, reason, message)
    provider?.socket.close(closeCodes.client_left, '')
    metrics.sessionEnded(reason)
    this.#trace.end(reason)
    this.#trace.span.run(() =>
      log.info({ ...this.#logFields(), reason, detail: message }, 'realtime session ended'),
    )
    void this.#settle().then(this.#resolveDone)
  }

  /** Whose session it is, for the log. */
  #logFields(): object {
    const { session, clientAddress: ip } = this.#input
    const { id: sessionId, organizationId, agentId, conversationId, apiKeyId: callerId } = session
    return { sessionId, organizationId, agentId, conversationId, callerId, ip }
  }

  /** What tools that still run put out is stored as well, however long they take. */
  async #settle(): Promise<void> {
    await this.#log.settled()
    await this.#calls.settled()
    await this.#log.settled()
  }

  async #connect(): Promise<void> {
    const { timers, config, metrics } = this.#dependencies
    const seconds = config.providerConnectTimeoutSeconds
    const cancel = timers.after(seconds * 1000, () =>
      this.end('provider_unavailable', `The provider did not answer within ${seconds} seconds.`),
    )
    const connection = await this.#trace.connecting(() =>
      this.#input.connect(this.#connecting.signal).catch(failedConnection),
    )
    cancel()
    if (!connection.ok) return this.end('provider_unavailable', connection.detail)
    if (this.#state.phase !== 'connecting') return connection.socket.close(closeCodes.client_left, '')
    metrics.providerConnected((timers.monotonic() - this.#startedAt) / 1000)
    this.#open(connection.socket)
  }

  #open(socket: FrameSocket): void {
    const { session, history, adopted } = this.#input
    const provider = this.#makeSide(socket, 'provider')
    this.#state = { phase: 'open', provider }
    const pong = this.#watchdog.watch({
      socket,
      gate: provider.gate,
      onLost: () => this.end('provider_closed', 'The provider does not answer.'),
    })
    socket.send(JSON.stringify(sessionUpdate(session.setup, this.#updateEventId)), false)
    for (const item of history) socket.send(JSON.stringify(item.event), false)
    this.#traffic.noteActivity()
    this.#calls.adopt(adopted)
    this.#earlyFrames.release((data, isBinary) => this.#fromClient(data, isBinary))
    socket.listen({
      frame: (data, isBinary) => this.#fromProvider(provider, data, isBinary),
      pong,
      tooBig: () =>
        this.end('provider_closed', 'The provider sent a message larger than this service takes.'),
      closed: (code, reason) =>
        this.end(
          'provider_closed',
          `The provider closed the connection (${code}${reason && `: ${reason}`}).`,
        ),
    })
  }

  #fromClient(data: Buffer, isBinary: boolean): void {
    const state = this.#state
    if (state.phase !== 'open') {
      if (state.phase === 'connecting') this.#earlyFrames.keep(data, isBinary)
      return
    }
    this.#traffic.countClientFrame(data.length)
    if (isBinary || !isAudioAppend(data)) return this.#clientFrames.handle(data, isBinary)
    state.provider.pump.forward(data, false, this.#client.gate)
  }

  #fromProvider({ gate }: RelaySide, data: Buffer, isBinary: boolean): void {
    if (this.#state.phase !== 'open') return
    this.#traffic.countProviderFrame(data.length)
    this.#client.pump.forward(data, isBinary, gate)
    if (isBinary) return
    if (isAudioDelta(data)) this.#traffic.noteAudio()
    else this.#observer.observeFrame(data)
  }

  #toProvider(data: Buffer | string, isBinary: boolean): void {
    if (this.#state.phase === 'open') this.#state.provider.pump.forward(data, isBinary, this.#client.gate)
  }

  #emit(event: CustomEvent): void {
    this.#decisions.observe(event)
    if (this.#state.phase === 'open') this.#toClient(JSON.stringify(event), this.#state.provider)
  }

  /** Sends an event of ours, which exists because of what was read at `cause`. */
  #toClient(event: string, cause: RelaySide): void {
    if (this.#state.phase === 'open') this.#client.pump.forward(event, false, cause.gate)
  }

  #makeSide(socket: FrameSocket, name: 'client' | 'provider'): RelaySide {
    return makeRelaySide(socket, this.#dependencies.timers, () =>
      this.end('slow_consumer', `The ${name} has not kept up for too long.`),
    )
  }
}

const abnormalClosure = 1006

/** Says why, where the client can still read it, and closes. */
function closeClient(socket: FrameSocket, reason: EndReason, message: string): void {
  if (!hasCloseCode(reason)) return socket.close(closeCodes.internal, reason)
  if (reason !== 'client_left') socket.send(errorEvent(reason, message), false)
  socket.close(closeCodes[reason], reason)
}

const hasCloseCode = (reason: EndReason): reason is ClosedReason => reason in closeCodes

function failedConnection(error: unknown): ProviderConnection {
  const isAborted = error instanceof Error && error.name === 'AbortError'
  return { ok: false, detail: isAborted ? 'cancelled' : 'The provider could not be reached.' }
}
