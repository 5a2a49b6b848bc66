import {
  type ClosedReason,
  type CustomEvent,
  closeCodes,
  type EndReason,
  type RefusalCode,
} from '@parley/contract'
import { v7 as uuid } from 'uuid'
import type { ApprovalRecord } from '../../../ports/approval-store.js'
import type { Clock } from '../../../ports/clock.js'
import type { Database } from '../../../ports/database.js'
import type { FrameSocket } from '../../../ports/frame-socket.js'
import type { Log } from '../../../ports/log.js'
import type { RealtimeMetrics } from '../../../ports/realtime-metrics.js'
import type { ProviderConnection } from '../../../ports/realtime-provider.js'
import type { RealtimeSessionRecord } from '../../../ports/realtime-session-store.js'
import type { Timers } from '../../../ports/timers.js'
import { decideAsClient } from '../../tools/approvals/client-decision.js'
import type { ToolCallsDependencies } from '../../tools/calls/tool-calls.js'
import { BackendCalls } from '../calls/backend-calls.js'
import { CallRegistry, clientToolNames } from '../calls/call-registry.js'
import type { HistoryItem } from '../opening/history.js'
import { isAudioAppend } from '../protocol/audio-append.js'
import { type ClientFrameVerdict, judgeClientFrame } from '../protocol/client-frame.js'
import { errorEvent } from '../protocol/error-event.js'
import { isAudioDelta } from '../protocol/provider-frame.js'
import { sessionUpdate } from '../protocol/session-update.js'
import { EarlyFrames } from '../relay/early-frames.js'
import { makeRelaySide, type RelaySide } from '../relay/relay-side.js'
import { Transcript } from '../transcript/transcript.js'
import { ProviderObserver } from './provider-observer.js'
import { makeSessionCalls } from './session-calls.js'
import { SessionLog } from './session-log.js'
import { TranscriptRecorder } from './transcript-recorder.js'
import { Watchdog } from './watchdog.js'

export interface SessionLimits {
  readonly maxSessionSeconds: number
  readonly idleTimeoutSeconds: number
  readonly providerConnectTimeoutSeconds: number
}

export interface SessionDependencies {
  readonly database: Database
  readonly clock: Clock
  readonly timers: Timers
  readonly log: Log
  readonly metrics: RealtimeMetrics
  readonly limits: SessionLimits
  readonly tools: ToolCallsDependencies
}

export interface SessionFacts {
  readonly session: RealtimeSessionRecord
  /** The database's time when the session started, and the monotonic time then. */
  readonly startMicroseconds: number
  readonly startedAt: number
  readonly client: FrameSocket
  readonly connect: (signal: AbortSignal) => Promise<ProviderConnection>
  readonly history: readonly HistoryItem[]
  /** Calls that former sessions of the conversation left waiting: they are this one's now. */
  readonly adopted: readonly ApprovalRecord[]
}

/*
 * One realtime session: the shell that owns the sockets and timers. The rules are in the small machines it drives.
 *
 *   connecting ──provider connected──► open ──┐
 *       └───────────────────────────────────────┴──end(reason), once──► ended
 *
 * While connecting, frames of the client are held. From open on a frame is forwarded first and looked at afterwards.
 */
export class RealtimeSession {
  readonly id: string
  readonly #updateEventId = `svc_${uuid()}`
  readonly #dependencies: SessionDependencies
  readonly #facts: SessionFacts
  readonly #connecting = new AbortController()
  readonly #client: RelaySide
  readonly #held: EarlyFrames
  readonly #registry: CallRegistry
  readonly #calls: BackendCalls
  readonly #transcript: Transcript
  readonly #observer: ProviderObserver
  readonly #log: SessionLog
  readonly #recorder: TranscriptRecorder
  readonly #watchdog: Watchdog
  readonly #startedAt: number
  readonly #done: Promise<void>
  #resolveDone: () => void = () => undefined
  #phase: 'connecting' | 'open' | 'ended' = 'connecting'
  #provider: RelaySide | null = null
  #lastFrameAt: number
  #turnEndedAt: number | null = null
  #places = 0

  constructor(dependencies: SessionDependencies, facts: SessionFacts) {
    const { timers, limits, metrics } = dependencies
    this.id = facts.session.id
    this.#dependencies = dependencies
    this.#facts = facts
    this.#startedAt = timers.monotonic()
    this.#lastFrameAt = this.#startedAt
    this.#done = new Promise((resolve) => {
      this.#resolveDone = resolve
    })
    this.#client = this.#sideOf(facts.client, 'client')
    this.#held = new EarlyFrames(this.#client.gate)
    this.#registry = new CallRegistry(clientToolNames(facts.session.setup))
    this.#transcript = new Transcript(
      () => this.#nextPosition(),
      facts.history.map((item) => item.itemId),
    )
    const emit = (event: CustomEvent) => this.#emit(event)
    this.#log = new SessionLog(dependencies, {
      sessionId: this.id,
      emit,
      onFull: () => this.end('internal', 'The database is away and too much waits for it.'),
    })
    this.#recorder = new TranscriptRecorder(facts.session, this.#log)
    const calls = makeSessionCalls(dependencies.tools, {
      session: facts.session,
      log: this.#log,
      nextPosition: () => this.#nextPosition(),
      emit,
      onUsage: (usage) => this.#observer.addTextUsage(usage),
    })
    this.#calls = new BackendCalls(calls, this.#registry, timers, (event) => this.#toProvider(event))
    this.#observer = new ProviderObserver(this.#transcript, this.#calls, this.#updateEventId, {
      transcribed: (effects) => this.#recorder.record(effects),
      used: (usage) => this.#log.saveUsage(usage),
      audio: () => this.#noteFirstAudio(),
      turnEnded: () => {
        this.#turnEndedAt = timers.monotonic()
      },
      configurationRefused: (message) =>
        this.end('provider_unavailable', `The provider refused the session's configuration: ${message}`),
    })
    this.#watchdog = new Watchdog({
      timers,
      maxSessionSeconds: limits.maxSessionSeconds,
      idleTimeoutSeconds: limits.idleTimeoutSeconds,
      lastFrameAt: () => this.#lastFrameAt,
      isBusy: () =>
        this.#phase === 'connecting' ||
        this.#observer.hasActiveResponse ||
        this.#registry.hasOpenClientCall ||
        this.#calls.hasOpenCall,
      onMaxDuration: () =>
        this.end(
          'max_duration',
          `The session has lasted ${limits.maxSessionSeconds} seconds, the longest it may.`,
        ),
      onIdle: () =>
        this.end('idle_timeout', `Nothing has happened for ${limits.idleTimeoutSeconds} seconds.`),
    })
    metrics.sessionStarted()
  }

  /** Settles when the session has ended and everything of it is stored. */
  get done(): Promise<void> {
    return this.#done
  }

  start(): void {
    const { socket, gate } = this.#client
    const pong = this.#watchdog.watch({
      socket,
      isHeldBack: () => gate.isShut,
      onLost: () => this.end('client_lost', 'The client does not answer.'),
    })
    socket.listen({
      frame: (data, isBinary) => this.#fromClient(data, isBinary),
      pong,
      tooBig: () => this.end('message_too_big', 'The message is larger than this service takes.'),
      closed: (code) =>
        this.end(code === abnormalClosure ? 'client_lost' : 'client_left', 'The client left.'),
    })
    void this.#connect()
  }

  /** The one way out. Says why, closes both sides, writes down what is left. Only the first call counts. */
  end(reason: EndReason, message: string): void {
    if (this.#phase === 'ended') return
    this.#phase = 'ended'
    const { log, metrics } = this.#dependencies
    this.#connecting.abort()
    this.#watchdog.stop()
    this.#client.pump.stop()
    this.#provider?.pump.stop()
    this.#held.clear()
    this.#calls.end()
    this.#recorder.record(this.#transcript.end())
    this.#log.end(reason)
    this.#closeClient(reason, message)
    this.#provider?.socket.close(closeCodes.client_left, '')
    metrics.sessionEnded(reason)
    log.info({ sessionId: this.id, reason, detail: message }, 'realtime session ended')
    void this.#settle().then(this.#resolveDone)
  }

  /** Tools that still run are written down as well, however long they take. */
  async #settle(): Promise<void> {
    await this.#log.settled()
    await this.#calls.settled()
    await this.#log.settled()
  }

  async #connect(): Promise<void> {
    const { timers, limits, metrics } = this.#dependencies
    const seconds = limits.providerConnectTimeoutSeconds
    const cancel = timers.after(seconds * 1000, () =>
      this.end('provider_unavailable', `The provider did not answer within ${seconds} seconds.`),
    )
    const connection = await this.#facts.connect(this.#connecting.signal).catch(failedConnection)
    cancel()
    if (connection.outcome === 'unreachable') return this.end('provider_unavailable', connection.detail)
    if (this.#phase !== 'connecting') return connection.socket.close(closeCodes.client_left, '')
    metrics.providerConnected((timers.monotonic() - this.#startedAt) / 1000)
    this.#open(connection.socket)
  }

  #open(provider: FrameSocket): void {
    const { session, history, adopted } = this.#facts
    const side = this.#sideOf(provider, 'provider')
    this.#provider = side
    this.#phase = 'open'
    const pong = this.#watchdog.watch({
      socket: provider,
      isHeldBack: () => side.gate.isShut,
      onLost: () => this.end('provider_closed', 'The provider does not answer.'),
    })
    provider.send(JSON.stringify(sessionUpdate(session.setup, this.#updateEventId)), false)
    for (const item of history) provider.send(JSON.stringify(item.event), false)
    this.#calls.adopt(adopted)
    this.#held.release((data, isBinary) => this.#fromClient(data, isBinary))
    provider.listen({
      frame: (data, isBinary) => this.#fromProvider(side, data, isBinary),
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
    if (this.#phase !== 'open') {
      if (this.#phase === 'connecting') this.#held.hold(data, isBinary)
      return
    }
    const { timers, metrics } = this.#dependencies
    this.#lastFrameAt = timers.monotonic()
    metrics.relayed.clientFrames += 1
    metrics.relayed.clientBytes += data.length
    if (!isBinary && isAudioAppend(data)) this.#provider?.pump.forward(data, false, this.#client.gate)
    else this.#judge(data, isBinary)
  }

  #judge(data: Buffer, isBinary: boolean): void {
    const verdict = judgeClientFrame(data, isBinary, (callId) => this.#registry.isBackendCall(callId))
    if (verdict.action === 'refuse') {
      this.#refuse(verdict.code, verdict.message, verdict.eventId)
      return
    }
    if (verdict.action === 'decide') {
      void this.#decide(verdict)
      return
    }
    this.#provider?.pump.forward(data, isBinary, this.#client.gate)
    if (verdict.sent?.type === 'tool-output') this.#registry.close(verdict.sent.callId)
    if (verdict.sent?.type !== 'response.create') return
    this.#turnEndedAt = this.#lastFrameAt
    this.#calls.clientCreates()
  }

  async #decide(verdict: Extract<ClientFrameVerdict, { action: 'decide' }>): Promise<void> {
    const { callId, decision, reason, eventId } = verdict
    const { waitingApprovals } = this.#dependencies.tools
    const choice = { callId, decision, reason }
    const decided = await decideAsClient(waitingApprovals, this.#facts.session, choice)
    if (!decided.ok && this.#phase === 'open') this.#refuse(decided.code, decided.message, eventId)
  }

  #refuse(code: RefusalCode, message: string, eventId: string | null): void {
    this.#client.pump.forward(errorEvent(code, message, eventId), false, this.#client.gate)
  }

  #fromProvider({ gate }: RelaySide, data: Buffer, isBinary: boolean): void {
    if (this.#phase !== 'open') return
    const { timers, metrics } = this.#dependencies
    this.#lastFrameAt = timers.monotonic()
    metrics.relayed.providerFrames += 1
    metrics.relayed.providerBytes += data.length
    this.#client.pump.forward(data, isBinary, gate)
    if (isBinary) return
    if (!isAudioDelta(data)) this.#observer.frame(data)
    else if (this.#turnEndedAt !== null) this.#noteFirstAudio()
  }

  #toProvider(event: object): void {
    if (this.#phase === 'open') this.#provider?.pump.forward(JSON.stringify(event), false, this.#client.gate)
  }

  #emit(event: CustomEvent): void {
    if (this.#phase === 'open' && this.#provider)
      this.#client.pump.forward(JSON.stringify(event), false, this.#provider.gate)
  }

  #closeClient(reason: EndReason, message: string): void {
    const { socket } = this.#client
    if (!(reason in closeCodes)) return socket.close(closeCodes.internal, reason)
    if (reason !== 'client_left') socket.send(errorEvent(reason, message), false)
    socket.close(closeCodes[reason as ClosedReason], reason)
  }

  #sideOf(socket: FrameSocket, who: 'client' | 'provider'): RelaySide {
    return makeRelaySide(socket, this.#dependencies.timers, () =>
      this.end('slow_consumer', `The ${who} has not kept up for too long.`),
    )
  }

  #noteFirstAudio(): void {
    if (this.#turnEndedAt === null) return
    const { timers, metrics } = this.#dependencies
    metrics.firstAudio((timers.monotonic() - this.#turnEndedAt) / 1000)
    this.#turnEndedAt = null
  }

  /** Database time at the start plus what has passed since, then a counter: known without asking the database. */
  #nextPosition() {
    const passed = this.#dependencies.timers.monotonic() - this.#facts.startedAt
    this.#places += 1
    return { microseconds: this.#facts.startMicroseconds + Math.round(passed * 1000), counter: this.#places }
  }
}

const abnormalClosure = 1006

function failedConnection(error: unknown): ProviderConnection {
  return {
    outcome: 'unreachable',
    detail:
      error instanceof Error && error.name === 'AbortError'
        ? 'given up'
        : 'The provider could not be reached.',
  }
}
