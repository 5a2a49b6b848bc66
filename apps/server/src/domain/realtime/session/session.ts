import { type CustomEvent, closeCodes, type EndReason, type SessionServiceEvent } from '@parley/contract'
import type { FrameSocket } from '@parley/relay-socket'
import type { RealtimeMetrics } from '../../../ports/metrics.js'
import type { RealtimeProvider } from '../../../ports/realtime-provider.js'
import type { Tracing } from '../../../ports/tracing.js'
import { callsWithin } from '../../tools/calls/observed-calls.js'
import type { AcceptedSession, ProviderCandidate } from '../opening/accept-session.js'
import { type ConnectDependencies, connectProvider, type FoundProvider } from '../opening/connect-provider.js'
import { greetingOf } from '../opening/history.js'
import { providerOpening } from '../opening/provider-opening.js'
import { audioBytesPerMillisecond, isAudioAppend, isAudioDelta } from '../protocol/audio-frames.js'
import { HiddenFrames, isExpiry } from '../protocol/hidden-frames.js'
import { EarlyFrames, makeRelaySide, type RelaySide } from '../relay/relay-side.js'
import type { SessionListener } from '../session-listener.js'
import { ClientFrames } from './client-frames.js'
import { closeClient } from './close-client.js'
import { type OpenProvider, watchProvider } from './open-provider.js'
import { type Loss, ProviderMoves, type ProviderSearch, replayedItemIds } from './provider-moves.js'
import { type BackendDependencies, SessionBackend } from './session-backend.js'
import { SessionLogLines } from './session-log-lines.js'
import { SessionTrace } from './session-trace.js'
import { UnansweredInput } from './unanswered-input.js'
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
  /** Whether the client is a telephone call. It cannot continue in another session, and is not idle while it is silent. */
  readonly isCall: boolean
  readonly connect: RealtimeProvider['connect']
}

/*
 * One realtime session. It owns the sockets and relays their frames. The backend processes each frame after that.
 *
 *                                        ┌──────provider lost─────┐
 *                                        │                        ▼
 *   connecting ──provider connected──► open ◄──other provider── moving
 *        │                               │                        │
 *        └───────────end(reason)─────────┴──► ended ◄─────────────┘
 *
 * While connecting and moving, the client's frames are buffered. In `open`, a frame is forwarded first and processed
 * afterwards. Only a session whose agent has fallbacks moves; see provider-moves.ts. For the states of a tool call see
 * tools/calls/tool-call.ts, and for those of response requests calls/response-sequencer.ts.
 */
type SessionState =
  | { readonly phase: 'connecting' }
  | { readonly phase: 'open'; readonly provider: OpenProvider }
  | { readonly phase: 'moving'; readonly cancel: () => void }
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
  readonly #moves: ProviderMoves
  /** Null if the agent has no fallbacks. */
  readonly #unanswered: UnansweredInput | null
  readonly #traffic: Traffic
  readonly #trace: SessionTrace
  readonly #lines: SessionLogLines
  readonly #watchdog: Watchdog
  readonly #startedAt: number
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
    const { inputAudioFormat, outputAudioFormat } = session.setup
    const unanswered =
      candidates.length > 1 ? new UnansweredInput(audioBytesPerMillisecond(inputAudioFormat)) : null
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
    const outputBytesPerMillisecond = audioBytesPerMillisecond(outputAudioFormat)
    const traffic = new Traffic({ timers, metrics, listener, outputBytesPerMillisecond })
    const parts = { trace, traffic, listener, unanswered }
    const backend = new SessionBackend({ ...dependencies, tools }, input, parts)
    this.#trace = trace
    this.#lines = new SessionLogLines({ ...dependencies, ...input, span: trace.span })
    this.#traffic = traffic
    this.#backend = backend
    this.#client = this.#makeSide(input.client, 'client')
    this.#earlyFrames = new EarlyFrames(this.#client.gate)
    const { waitingApprovals } = tools
    this.#clientFrames = new ClientFrames({ session, waitingApprovals, backend, listener, unanswered })
    this.#unanswered = unanswered
    this.#moves = new ProviderMoves(dependencies, { ...input, backend })
    const isBusy = () => input.isCall || this.#state.phase !== 'open' || backend.isBusy
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

  get ageMilliseconds(): number {
    return this.#dependencies.timers.monotonic() - this.#startedAt
  }

  /** Whether the user and the agent are in an exchange, or were until a moment ago. A telephone call is one exchange. */
  get isTalking(): boolean {
    if (this.#input.isCall) return !this.isEnded
    const { silentMilliseconds } = this.#traffic
    const isBetweenTurns = !this.#backend.isTalking && silentMilliseconds >= betweenTurnsMilliseconds
    return this.#state.phase === 'moving' || (this.#state.phase === 'open' && !isBetweenTurns)
  }

  start(): void {
    const { socket, gate } = this.#client
    const { pong } = this.#watchdog.watch({
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
    if (this.#state.phase === 'moving') this.#state.cancel()
    if (this.#state.phase === 'connecting') {
      this.#connecting.abort()
      this.#backend.start(this.#input.candidates[0])
    }
    this.#state = { phase: 'ended' }
    const { metrics } = this.#dependencies
    this.#watchdog.stop()
    this.#client.pump.stop()
    provider?.leave()
    this.#earlyFrames.clear()
    this.#backend.end(reason)
    closeClient(this.#client.socket, reason, message)
    metrics.sessionEnded(reason)
    this.#trace.end(reason)
    this.#lines.ended(reason, message)
    void this.#backend.settled().then(this.#resolveDone)
  }

  async #connect(): Promise<void> {
    const { timers, config, metrics } = this.#dependencies
    const seconds = config.providerConnectTimeoutSeconds
    const cancel = timers.after(seconds * 1000, () =>
      this.end('provider_unavailable', `The provider did not respond within ${seconds} seconds.`),
    )
    const { session, candidates, connect, history } = this.#input
    const { updateEventId } = this.#backend
    const openingFor = (candidate: ProviderCandidate) =>
      providerOpening(session.setup, updateEventId, candidate, history)
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

  #open({ candidate, socket }: FoundProvider & { readonly ok: true }): void {
    const { candidates, history, adopted } = this.#input
    const provider = this.#use(socket, candidate, null)
    this.#lines.started()
    this.#trace.answeredBy(candidate.models)
    this.#backend.start(candidate)
    if (candidate !== candidates[0]) this.#reportProvider(candidate, 'unavailable', true)
    this.#backend.greet(greetingOf(candidate.model, history))
    this.#backend.adopt(adopted)
    this.#relay(provider)
  }

  /** Makes this socket the provider of the session, and watches it. */
  #use(socket: FrameSocket, candidate: ProviderCandidate, hidden: HiddenFrames | null): OpenProvider {
    const { timers } = this.#dependencies
    const side = this.#makeSide(socket, 'provider')
    const watched = watchProvider({
      timers,
      watchdog: this.#watchdog,
      traffic: this.#traffic,
      side,
      owed: this.#unanswered && (() => this.#backend.owed),
      onLost: () =>
        this.#lose(provider, { reason: 'unavailable', detail: 'The provider is not responding.' }),
    })
    const provider = { side, candidate, openedAt: timers.monotonic(), hidden, ...watched }
    this.#state = { phase: 'open', provider }
    this.#traffic.noteActivity()
    return provider
  }

  /** Forwards the buffered frames of the client, and then those of both sides. */
  #relay(provider: OpenProvider): void {
    this.#earlyFrames.release((data, isBinary) => this.#fromClient(data, isBinary))
    const lose = (detail: string) => this.#lose(provider, { reason: 'closed', detail })
    provider.side.socket.listen({
      frame: (data, isBinary) => this.#fromProvider(provider, data, isBinary),
      pong: provider.pong,
      tooBig: () => lose('The provider sent a message that exceeds the maximum size.'),
      closed: (code, reason) =>
        lose(`The provider closed the connection (${code}${reason && `: ${reason}`}).`),
    })
  }

  /** Moves the session to another provider, or ends it if there is none. */
  #lose(provider: OpenProvider, loss: Loss): void {
    if (this.#state.phase !== 'open' || this.#state.provider !== provider) return
    const { candidate, openedAt } = provider
    const onTooLate = () => this.end('provider_closed', `${loss.detail} No other model answered in time.`)
    const search = this.#moves.begin({ candidate, openedAt, loss }, onTooLate)
    if (search !== null) void this.#move(provider, loss, search)
    else this.end('provider_closed', loss.detail)
  }

  async #move(provider: OpenProvider, loss: Loss, search: ProviderSearch): Promise<void> {
    const { timers } = this.#dependencies
    const startedAt = timers.monotonic()
    const moving: SessionState = { phase: 'moving', cancel: search.cancel }
    this.#state = moving
    provider.leave()
    for (const event of this.#backend.leaveProvider()) this.#sendToClient(JSON.stringify(event))
    const found = await this.#trace.connecting(() => search.find())
    if (this.#state !== moving) return found.ok ? found.socket.close(closeCodes.client_left, '') : undefined
    if (!found.ok) return this.end('provider_closed', `${loss.detail} ${found.detail}`)
    const { candidate, socket, history, isContextRestored } = found
    const itemIds = replayedItemIds(history)
    const next = this.#use(socket, candidate, new HiddenFrames(itemIds))
    this.#reportProvider(candidate, loss.reason, isContextRestored)
    this.#backend.joinProvider(candidate, itemIds)
    const greeting = greetingOf(candidate.model, history)
    this.#backend.sendUnanswered((frame) => this.#toProvider(frame, false), greeting)
    const milliseconds = timers.monotonic() - startedAt
    this.#lines.moved({ from: provider.candidate.model, to: candidate.model, ...loss, milliseconds })
    this.#relay(next)
  }

  /** Tells the client that the session will end soon and continue elsewhere. */
  announceMove(deadlineSeconds: number): void {
    const event: SessionServiceEvent = { type: 'session.moving', data: { deadlineSeconds } }
    this.#sendToClient(JSON.stringify(event))
  }

  /** Another model answers from now on, or the same one in a new session. */
  #reportProvider({ model }: ProviderCandidate, reason: Loss['reason'], isContextRestored: boolean): void {
    this.#backend.saveModel(model)
    const event: SessionServiceEvent = {
      type: 'session.provider_changed',
      data: { reason, providerModelName: model.model, isContextRestored },
    }
    this.#sendToClient(JSON.stringify(event))
  }

  #fromClient(data: Buffer, isBinary: boolean): void {
    const state = this.#state
    if (state.phase !== 'open') {
      if (state.phase !== 'ended') this.#earlyFrames.keep(data, isBinary)
      return
    }
    this.#traffic.countClientFrame(data.length)
    if (isBinary || !isAudioAppend(data)) return this.#clientFrames.handle(data, isBinary)
    this.#unanswered?.hear(data)
    state.provider.side.pump.forward(data, false, this.#client.gate)
  }

  #fromProvider(provider: OpenProvider, data: Buffer, isBinary: boolean): void {
    if (this.#state.phase !== 'open' || this.#state.provider !== provider) return
    this.#traffic.countProviderFrame(data.length)
    if (!isBinary && this.#withholds(provider, data)) return
    this.#client.pump.forward(data, isBinary, provider.side.gate)
    if (isBinary) return
    if (isAudioDelta(data)) this.#traffic.noteAudioFrame(data.length)
    else this.#backend.observeFrame(data)
  }

  /** Returns whether the client does not receive the frame, because it is about the move of the session. */
  #withholds(provider: OpenProvider, data: Buffer): boolean {
    if (this.#unanswered === null || isAudioDelta(data)) return false
    if (provider.hidden?.hides(data)) return true
    if (provider.hidden?.isOwnError(data)) {
      this.#backend.observeFrame(data)
      return true
    }
    if (!isExpiry(data)) return false
    this.#lose(provider, { reason: 'expired', detail: 'The session of the provider has expired.' })
    return true
  }

  #toProvider(data: Buffer | string, isBinary: boolean): void {
    if (this.#state.phase === 'open')
      this.#state.provider.side.pump.forward(data, isBinary, this.#client.gate)
  }

  #emit(event: CustomEvent): void {
    this.#clientFrames.observe(event)
    if (this.#state.phase === 'open') this.#toClient(JSON.stringify(event), this.#state.provider.side)
    else this.#sendToClient(JSON.stringify(event))
  }

  /** Sends an event of the service in response to a frame that was received at `cause`. */
  #toClient(event: string, cause: RelaySide): void {
    if (this.#state.phase === 'open') this.#client.pump.forward(event, false, cause.gate)
  }

  /** Sends an event of the service that no frame has caused. */
  #sendToClient(event: string): void {
    const { phase } = this.#state
    if (phase === 'open' || phase === 'moving') this.#client.socket.send(event, false)
  }

  #makeSide(socket: FrameSocket, name: 'client' | 'provider'): RelaySide {
    return makeRelaySide(socket, this.#dependencies.timers, () =>
      this.end('slow_consumer', `The ${name} could not keep up with the session for 30 seconds.`),
    )
  }
}

const abnormalClosure = 1006

/** A provider needs less between the user's speech and its response, and between a tool's output and the next one. */
const betweenTurnsMilliseconds = 1000
