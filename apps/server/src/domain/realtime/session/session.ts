import {
  type ClosedReason,
  type CustomEvent,
  closeCodes,
  type EndReason,
  type SessionServiceEvent,
} from '@parley/contract'
import type { FrameSocket } from '@parley/relay-socket'
import type { RealtimeMetrics } from '../../../ports/metrics.js'
import type { ProviderOpening, RealtimeProvider } from '../../../ports/realtime-provider.js'
import type { Tracing } from '../../../ports/tracing.js'
import { callsWithin } from '../../tools/calls/observed-calls.js'
import type { AcceptedSession, ProviderCandidate } from '../opening/accept-session.js'
import { type ConnectDependencies, connectProvider, type FoundProvider } from '../opening/connect-provider.js'
import { isNewConversation } from '../opening/history.js'
import { isAudioAppend, isAudioDelta } from '../protocol/audio-frames.js'
import { errorEvent, firstMessageRequest, sessionUpdate } from '../protocol/service-frames.js'
import { EarlyFrames, makeRelaySide, type RelaySide } from '../relay/relay-side.js'
import type { SessionListener } from '../session-listener.js'
import { ClientFrames } from './client-frames.js'
import { type BackendDependencies, SessionBackend } from './session-backend.js'
import { SessionTrace } from './session-trace.js'
import { Traffic, Watchdog, type WatchdogConfig } from './watchdog.js'

export interface SessionConfig extends WatchdogConfig {
  readonly providerConnectTimeoutSeconds: number
}

export interface SessionDependencies extends BackendDependencies, ConnectDependencies {
  readonly metrics: RealtimeMetrics
  readonly tracing: Tracing
  readonly config: SessionConfig
}

/** An accepted session with its client's socket, and a function that connects to a provider. */
export interface SessionInput extends AcceptedSession {
  readonly client: FrameSocket
  /** The client's address. Null if the connection is already closed. */
  readonly clientAddress: string | null
  readonly connect: RealtimeProvider['connect']
}

/*
 * One realtime session. It owns the sockets and relays their frames. The backend processes each frame after that.
 *
 *   connecting ──provider connected──► open ──end(reason)──► ended
 *        │                                                     ▲
 *        └─────────────────────end(reason)─────────────────────┘
 *
 * While connecting, the client's frames are buffered. In `open`, a frame is forwarded first and processed afterwards. For
 * the states of a tool call see tools/calls/tool-call.ts, and for those of response requests calls/response-sequencer.ts.
 */
type SessionState =
  | { readonly phase: 'connecting' }
  | { readonly phase: 'open'; readonly provider: RelaySide }
  | { readonly phase: 'ended' }

export class RealtimeSession {
  readonly id: string
  readonly organizationId: string
  /** Settles when the session has ended and everything is stored. */
  readonly done: Promise<void>
  readonly #dependencies: SessionDependencies
  readonly #input: SessionInput
  readonly #connecting = new AbortController()
  readonly #client: RelaySide
  readonly #earlyFrames: EarlyFrames
  readonly #clientFrames: ClientFrames
  readonly #backend: SessionBackend
  readonly #traffic: Traffic
  readonly #trace: SessionTrace
  readonly #watchdog: Watchdog
  readonly #startedAt: number
  readonly #bytesPerMillisecond: number
  #resolveDone: () => void = () => undefined
  #state: SessionState = { phase: 'connecting' }

  constructor(dependencies: SessionDependencies, input: SessionInput) {
    const { timers, metrics, tracing, config } = dependencies
    const { session, candidates } = input
    this.id = session.id
    this.organizationId = session.organizationId
    this.#dependencies = dependencies
    this.#input = input
    this.#startedAt = timers.monotonic()
    this.#bytesPerMillisecond =
      session.setup.outputAudioFormat === 'pcm16' ? pcmBytesPerMillisecond : g711BytesPerMillisecond
    this.done = new Promise((resolve) => {
      this.#resolveDone = resolve
    })
    const listener: SessionListener = {
      emit: (event) => this.#emit(event),
      refuse: (error) => this.#toClient(error, this.#client),
      forward: (data, isBinary) => this.#toProvider(data, isBinary),
      sendToProvider: (event) => this.#toProvider(JSON.stringify(event), false),
      firstAudio: (at) => this.#backend.observeFirstAudio(at),
      end: (reason, message) => this.end(reason, message),
    }
    const trace = new SessionTrace(tracing, session, candidates[0].models)
    const tools = callsWithin(trace.span, dependencies.tools)
    const traffic = new Traffic(timers, metrics, listener)
    const backend = new SessionBackend({ ...dependencies, tools }, input, { trace, traffic, listener })
    this.#trace = trace
    this.#traffic = traffic
    this.#backend = backend
    this.#client = this.#makeSide(input.client, 'client')
    this.#earlyFrames = new EarlyFrames(this.#client.gate)
    const { waitingApprovals } = tools
    this.#clientFrames = new ClientFrames({ session, waitingApprovals, backend, listener })
    const isBusy = () => this.#state.phase === 'connecting' || backend.isBusy
    this.#watchdog = new Watchdog({ timers, config, traffic, isBusy, listener })
    metrics.sessionStarted()
  }

  /** The number of queued database writes. */
  get waitingWrites(): number {
    return this.#backend.waitingWrites
  }

  /** Whether the session has ended. Its last data may still be unsaved. */
  get isEnded(): boolean {
    return this.#state.phase === 'ended'
  }

  /** Whether the user and the agent are in an exchange, or were until a moment ago. */
  get isTalking(): boolean {
    const { lastProviderFrameAt, playedAt } = this.#traffic
    const silentSince = Math.max(lastProviderFrameAt, playedAt)
    const silentMilliseconds = this.#dependencies.timers.monotonic() - silentSince
    return (
      this.#state.phase === 'open' &&
      (this.#backend.isTalking || silentMilliseconds < betweenTurnsMilliseconds)
    )
  }

  start(): void {
    const { socket, gate } = this.#client
    const pong = this.#watchdog.watch({
      socket,
      gate,
      onLost: () => this.end('client_lost', 'The client is not responding.'),
    })
    socket.listen({
      frame: (data, isBinary) => this.#fromClient(data, isBinary),
      pong,
      tooBig: () => this.end('message_too_big', 'The message exceeds the maximum size.'),
      closed: (code) =>
        this.end(code === abnormalClosure ? 'client_lost' : 'client_left', 'The client disconnected.'),
    })
    void this.#connect()
  }

  /**
   * Ends the session: closes both sockets and stores the remaining data. Calls after the first one have no
   * effect.
   */
  end(reason: EndReason, message: string): void {
    if (this.#state.phase === 'ended') return
    const provider = this.#state.phase === 'open' ? this.#state.provider : null
    if (this.#state.phase === 'connecting') {
      this.#connecting.abort()
      this.#backend.start(this.#input.candidates[0])
    }
    this.#state = { phase: 'ended' }
    const { log, metrics } = this.#dependencies
    this.#watchdog.stop()
    this.#client.pump.stop()
    provider?.pump.stop()
    this.#earlyFrames.clear()
    this.#backend.end(reason)
    closeClient(this.#client.socket, reason, message)
    provider?.socket.close(closeCodes.client_left, '')
    metrics.sessionEnded(reason)
    this.#trace.end(reason)
    this.#trace.span.run(() =>
      log.info({ ...this.#logFields(), reason, detail: message }, 'realtime session ended'),
    )
    void this.#backend.settled().then(this.#resolveDone)
  }

  #logFields(): object {
    const { session, clientAddress: ip } = this.#input
    const { id: sessionId, organizationId, agentId, conversationId, apiKeyId: callerId } = session
    return { sessionId, organizationId, agentId, conversationId, callerId, ip }
  }

  async #connect(): Promise<void> {
    const { timers, config, metrics } = this.#dependencies
    const seconds = config.providerConnectTimeoutSeconds
    const cancel = timers.after(seconds * 1000, () =>
      this.end('provider_unavailable', `The provider did not respond within ${seconds} seconds.`),
    )
    const { candidates, connect } = this.#input
    const openingFor = (candidate: ProviderCandidate) => this.#openingFor(candidate)
    const { updateEventId } = this.#backend
    const wanted = { candidates, connect, openingFor, updateEventId }
    const found = await this.#trace.connecting(() =>
      connectProvider(this.#dependencies, wanted, this.#connecting.signal),
    )
    cancel()
    if (!found.ok) return this.end('provider_unavailable', found.detail)
    if (this.#state.phase !== 'connecting') return found.socket.close(closeCodes.client_left, '')
    metrics.providerConnected((timers.monotonic() - this.#startedAt) / 1000)
    this.#open(found)
  }

  #openingFor({ model }: ProviderCandidate): ProviderOpening {
    const { session, history } = this.#input
    return {
      update: sessionUpdate({ ...session.setup, ...model }, this.#backend.updateEventId),
      items: history.map(({ event }) => event),
    }
  }

  #open({ candidate, socket }: FoundProvider & { readonly ok: true }): void {
    const { candidates, history, adopted } = this.#input
    const provider = this.#makeSide(socket, 'provider')
    this.#state = { phase: 'open', provider }
    this.#trace.span.run(() => this.#dependencies.log.info(this.#logFields(), 'realtime session started'))
    const pong = this.#watchdog.watch({
      socket,
      gate: provider.gate,
      onLost: () => this.end('provider_closed', 'The provider is not responding.'),
    })
    this.#trace.answeredBy(candidate.models)
    this.#backend.start(candidate)
    if (candidate !== candidates[0]) this.#reportFallback(candidate)
    this.#traffic.noteActivity()
    const { firstMessage = null } = candidate.model
    if (firstMessage !== null && isNewConversation(history)) {
      socket.send(JSON.stringify(firstMessageRequest(firstMessage)), false)
      this.#backend.noteRequest()
    }
    this.#backend.adopt(adopted)
    this.#earlyFrames.release((data, isBinary) => this.#fromClient(data, isBinary))
    socket.listen({
      frame: (data, isBinary) => this.#fromProvider(provider, data, isBinary),
      pong,
      tooBig: () => this.end('provider_closed', 'The provider sent a message that exceeds the maximum size.'),
      closed: (code, reason) =>
        this.end(
          'provider_closed',
          `The provider closed the connection (${code}${reason && `: ${reason}`}).`,
        ),
    })
  }

  /** Tells the client that the session will end soon and continue elsewhere. */
  announceMove(deadlineSeconds: number): void {
    const event: SessionServiceEvent = { type: 'session.moving', data: { deadlineSeconds } }
    if (this.#state.phase === 'open') this.#client.socket.send(JSON.stringify(event), false)
  }

  /** Another model than the agent's own answers. */
  #reportFallback({ model }: ProviderCandidate): void {
    this.#backend.saveModel(model)
    const event: SessionServiceEvent = {
      type: 'session.provider_changed',
      data: { reason: 'unavailable', providerModelName: model.model, isContextRestored: true },
    }
    this.#client.socket.send(JSON.stringify(event), false)
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
    if (isAudioDelta(data)) {
      this.#traffic.notePlayback(data.length / this.#bytesPerMillisecond)
      this.#traffic.noteAudio()
    } else this.#backend.observeFrame(data)
  }

  #toProvider(data: Buffer | string, isBinary: boolean): void {
    if (this.#state.phase === 'open') this.#state.provider.pump.forward(data, isBinary, this.#client.gate)
  }

  #emit(event: CustomEvent): void {
    this.#clientFrames.observe(event)
    if (this.#state.phase === 'open') this.#toClient(JSON.stringify(event), this.#state.provider)
  }

  /** Sends an event of the service in response to a frame that was received at `cause`. */
  #toClient(event: string, cause: RelaySide): void {
    if (this.#state.phase === 'open') this.#client.pump.forward(event, false, cause.gate)
  }

  #makeSide(socket: FrameSocket, name: 'client' | 'provider'): RelaySide {
    return makeRelaySide(socket, this.#dependencies.timers, () =>
      this.end('slow_consumer', `The ${name} could not keep up with the session for 30 seconds.`),
    )
  }
}

const abnormalClosure = 1006

/** Base64 of 24 kHz with 16 bits, and of 8 kHz with 8 bits. */
const pcmBytesPerMillisecond = 64
const g711BytesPerMillisecond = 32 / 3

/** A provider needs less between the user's speech and its response, and between a tool's output and the next one. */
const betweenTurnsMilliseconds = 1000

/** Sends the reason if the client can still receive it, and closes the socket. */
function closeClient(socket: FrameSocket, reason: EndReason, message: string): void {
  if (!hasCloseCode(reason)) return socket.close(closeCodes.internal, reason)
  if (reason !== 'client_left') socket.send(errorEvent(reason, message), false)
  socket.close(closeCodes[reason], reason)
}

const hasCloseCode = (reason: EndReason): reason is ClosedReason => reason in closeCodes
