import { type Approval, Approvals } from './approvals.js'
import { declareTools } from './client-tools.js'
import { Emitter } from './emitter.js'
import { fitImage, type VoiceImage } from './image.js'
import type { SessionEvent } from './session-event.js'
import { runSessions } from './session-run.js'
import type { SessionSocket } from './session-socket.js'
import { StateStore } from './state-store.js'
import { putClientCall, type ToolCall } from './tool-calls.js'
import { interruptItem } from './transcript.js'
import type { AudioListener, Levels, PlayedPart, SpeechChunk, VoiceAudio } from './voice-audio.js'
import { endOfClose, leftCode, type VoiceEnd, VoiceError } from './voice-end.js'
import type { VoiceEvents, VoiceOptions } from './voice-options.js'
import { VoiceSession } from './voice-session.js'
import { endSession, type StateFields, stepState, type VoiceState } from './voice-state.js'

const defaultReconnects = 6
const defaultMessageBytes = 65_536
/** Audio is kept until a session can send it: the newest five seconds. */
const maxKeptSamples = 120_000
const samplesPerSecond = 24_000

/** A voice conversation with one agent, over one or more sessions. */
export class Voice {
  readonly #options: VoiceOptions
  readonly #audio: VoiceAudio
  readonly #events = new Emitter<VoiceEvents>()
  readonly #store = new StateStore()
  readonly #closing = new AbortController()
  readonly #approvals: Approvals
  readonly #ready = defer<VoiceEnd | null>()
  readonly #ended = defer<VoiceEnd>()
  #socket: SessionSocket | null = null
  #session: VoiceSession | null = null
  #kept: Int16Array[] = []
  /** The service ends a moving session in silence, but the user may begin to speak at that moment. */
  #isMoving = false
  #lastSecond: Int16Array[] = []
  #levels: Levels = { input: 0, output: 0 }

  /** Starts immediately, inside the click handler that calls it. */
  constructor(options: VoiceOptions, audio: VoiceAudio) {
    this.#options = options
    this.#audio = audio
    this.#approvals = new Approvals({
      send: (message) => this.#socket?.send(message),
      onChange: (approvals) => this.#store.change({ approvals }),
      onWaiting: (approval) => void this.#offer(approval),
    })
    void this.#start()
  }

  /** Resolves when the agent listens. Rejects with a VoiceError if it never does. */
  get ready(): Promise<void> {
    return this.#ready.promise.then((end) => {
      if (end !== null) throw new VoiceError(end)
    })
  }

  get ended(): Promise<VoiceEnd> {
    return this.#ended.promise
  }

  /** The loudness of both sides from 0 to 1, for polling. `levels` events have the same values. */
  get levels(): Levels {
    return this.#levels
  }

  /** Bound, as state libraries expect it. */
  readonly getState = (): VoiceState => this.#store.get()

  /** Calls back after every change. Returns a function that unsubscribes. */
  readonly subscribe = (listener: (state: VoiceState) => void): (() => void) =>
    this.#store.subscribe(listener)

  on<Name extends keyof VoiceEvents>(name: Name, listener: (event: VoiceEvents[Name]) => void): () => void {
    return this.#events.on(name, listener)
  }

  /** Sends a typed message. By default, the agent answers aloud. */
  async sendText(text: string, { mustRespond = true } = {}): Promise<void> {
    await this.#say([{ type: 'input_text', text }], text, mustRespond)
  }

  /** Sends an image to the agent, with a text. */
  async sendImage(image: VoiceImage, { text = '', mustRespond = true } = {}): Promise<void> {
    const url = await fitImage(image, this.#options.maxMessageBytes ?? defaultMessageBytes)
    const textParts = text === '' ? [] : [{ type: 'input_text', text }]
    await this.#say([...textParts, { type: 'input_image', image_url: url }], text, mustRespond)
  }

  /** Sends audio instead of a microphone: 24 000 samples a second, mono. */
  sendAudio(samples: Int16Array): void {
    if (this.#session === null) return keep(this.#kept, samples, maxKeptSamples)
    this.#session.sendAudio(samples)
    if (this.#isMoving) keep(this.#lastSecond, samples, samplesPerSecond)
  }

  /** Sends an event of the realtime protocol unchanged. */
  send(event: object): void {
    this.#openSession().send(event)
  }

  /** Stops the current answer. */
  async interrupt(): Promise<void> {
    await this.#session?.interrupt()
  }

  mute(isMuted = true): void {
    this.#audio.mute(isMuted)
  }

  /** Switches to another microphone. The session continues. */
  async useMicrophone(deviceId: string): Promise<void> {
    await this.#audio.useMicrophone(deviceId)
  }

  async useSpeaker(deviceId: string): Promise<void> {
    await this.#audio.useSpeaker(deviceId)
  }

  /** Leaves the conversation. It can be resumed by its id. */
  close(): Promise<VoiceEnd> {
    this.#finish(endOfClose(leftCode))
    return this.ended
  }

  async #start(): Promise<void> {
    const audioStarted = this.#audio.start(this.#audioListener())
    const {
      ticket,
      url = null,
      conversationId = null,
      tools = {},
      maxReconnects = defaultReconnects,
    } = this.#options
    void audioStarted.then((end) => {
      if (end !== null) this.#finish(end)
    })
    await runSessions({
      ticket,
      url,
      conversationId,
      clientTools: declareTools(tools),
      maxReconnects,
      signal: this.#closing.signal,
      onRaw: (event) => this.#events.emit('raw', event),
      onSent: (message) => this.#events.emit('sent', message),
      onEvent: (event, socket) => this.#handle(event, socket, audioStarted),
      onConversation: (id) => this.#store.change({ conversationId: id }),
      onEnd: (end, nextAttempt) => this.#endSession(end, nextAttempt),
    })
  }

  #handle(event: SessionEvent, socket: SessionSocket, audioStarted: Promise<VoiceEnd | null>): void {
    if (this.#closing.signal.aborted) return
    if (socket !== this.#socket) this.#approvals.beginSession()
    this.#socket = socket
    if (event.type === 'ready' && this.#session === null) {
      this.#session = this.#makeSession(socket, event)
      for (const samples of this.#kept.splice(0)) this.#session.sendAudio(samples)
      // Sending and playing audio may start later than the session, for example while the user is asked for
      // access to the microphone.
      void audioStarted.then((end) => {
        if (end !== null) return
        this.#ready.resolve(null)
        this.#events.emit('ready', { conversationId: this.getState().conversationId })
      })
    }
    this.#change(stepState(this.getState(), event))
    this.#approvals.handle(event, this.getState().calls)
    this.#session?.handle(event)
    if (event.type === 'response.done' && !this.#audio.hasSpeaker) this.#store.change({ isSpeaking: false })
    if (event.type === 'session.moving') this.#isMoving = true
    if (event.type === 'error') this.#events.emit('error', event)
    if (event.type === 'session.provider_changed') this.#events.emit('providerChanged', event.data)
  }

  #makeSession(socket: SessionSocket, { formats }: Extract<SessionEvent, { type: 'ready' }>): VoiceSession {
    const { tools = {}, maxMessageBytes = defaultMessageBytes } = this.#options
    const options = {
      tools,
      audio: this.#audio,
      maxMessageBytes,
      onCall: (call: ToolCall) => this.#change({ calls: putClientCall(this.getState().calls, call) }),
      onChunk: (chunk: SpeechChunk) => {
        if (!this.#audio.hasSpeaker) this.#store.change({ isSpeaking: true })
        this.#events.emit('audio', chunk)
      },
      onInterrupted: ({ itemId, playedMilliseconds }: PlayedPart) => {
        this.#change({ transcript: interruptItem(this.getState().transcript, itemId, playedMilliseconds) })
      },
    }
    return new VoiceSession(options, socket, formats)
  }

  /** Changes the state and emits what is new. */
  #change(fields: Partial<StateFields>): void {
    const previous = this.getState()
    this.#store.change(fields)
    const next = this.getState()
    for (const item of next.transcript)
      if (!previous.transcript.includes(item)) this.#events.emit('message', item)
    for (const call of next.calls) if (!previous.calls.includes(call)) this.#events.emit('call', call)
  }

  #endSession(end: VoiceEnd, nextAttempt: number): void {
    this.#session?.close()
    this.#session = null
    if (end.reason === 'draining') this.#kept.unshift(...this.#lastSecond)
    this.#isMoving = false
    this.#lastSecond = []
    if (nextAttempt === 0) return this.#finish(end)
    this.#change({ ...endSession(this.getState()), connection: 'reconnecting' })
    this.#events.emit('reconnecting', { attempt: nextAttempt, end })
  }

  #finish(end: VoiceEnd): void {
    if (this.getState().end !== null) return
    this.#closing.abort()
    this.#session?.close()
    this.#session = null
    this.#audio.close()
    this.#approvals.clear()
    this.#change({ ...endSession(this.getState()), connection: 'ended', end, isSpeaking: false })
    this.#ready.resolve(end)
    this.#ended.resolve(end)
    this.#events.emit('end', end)
  }

  async #say(content: readonly object[], text: string, mustRespond: boolean): Promise<void> {
    const session = this.#openSession()
    const itemId = `item_${crypto.randomUUID().replaceAll('-', '').slice(0, 24)}`
    await session.say({ id: itemId, type: 'message', role: 'user', content }, mustRespond)
    this.#change(stepState(this.getState(), { type: 'item.added', itemId, role: 'user', text }))
  }

  #openSession(): VoiceSession {
    if (this.#session === null)
      throw new Error(`The session is not open. Its state is ${this.getState().connection}.`)
    return this.#session
  }

  async #offer(approval: Approval): Promise<void> {
    this.#events.emit('approval', approval)
    if (!approval.mayDecide) return
    try {
      const answer = await this.#options.onApproval?.(approval)
      if (answer === true) approval.approve()
      if (answer === false) approval.reject()
      if (typeof answer === 'object') approval.reject(answer.rejected)
    } catch (error) {
      // The call stays pending: without approval it does not run.
      const message = `onApproval failed: ${error instanceof Error ? error.message : String(error)}`
      this.#events.emit('error', { type: 'error', code: null, message, eventId: null, isOfService: false })
    }
  }

  #audioListener(): AudioListener {
    return {
      onInput: (samples) => this.sendAudio(samples),
      onPlaying: (isSpeaking) => this.#store.change({ isSpeaking }),
      onLevels: (levels) => {
        this.#levels = { ...this.#levels, ...levels }
        this.#events.emit('levels', this.#levels)
      },
      onMedia: (media) => this.#store.change({ media }),
    }
  }
}

interface Deferred<Value> {
  readonly promise: Promise<Value>
  readonly resolve: (value: Value) => void
}

function defer<Value>(): Deferred<Value> {
  let settle: (value: Value) => void = () => undefined
  const promise = new Promise<Value>((resolve) => {
    settle = resolve
  })
  return { promise, resolve: (value) => settle(value) }
}

/** Adds samples and drops the oldest ones beyond the maximum. */
function keep(kept: Int16Array[], samples: Int16Array, maxSamples: number): void {
  kept.push(samples)
  let count = kept.reduce((sum, { length }) => sum + length, 0)
  while (count > maxSamples) count -= kept.shift()?.length ?? count
}
