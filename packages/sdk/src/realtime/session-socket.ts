import { loadSocketClass } from '#socket'
import { parseFrame, type RawEvent, readSessionEvent, type SessionEvent } from './session-event.js'
import type { ClientSocket } from './socket-web.js'
import { endBefore, endOfClose, leftCode, type VoiceEnd } from './voice-end.js'

export interface SocketListener {
  /** Every frame, before what is made of it. */
  onRaw(event: RawEvent): void
  /** Every message that goes out. */
  onSent(message: object): void
  /** In order, the one that says that the agent is ready among them. */
  onEvent(event: SessionEvent, socket: SessionSocket): void
}

export type Opening =
  | { readonly ok: true; readonly socket: SessionSocket }
  | { readonly ok: false; readonly end: VoiceEnd }

/** How long the model may take to be ready; the service itself waits 15 s for its provider. */
const readyMilliseconds = 45_000
/** A reason that does not come is not waited for. */
const reasonMilliseconds = 5000

/** The socket of one session, from its handshake to its end. */
export class SessionSocket {
  /** Settles when the socket has closed, whoever closed it. */
  readonly ended: Promise<VoiceEnd>
  readonly #socket: ClientSocket
  readonly #listener: SocketListener
  #isOpen = true
  #lastWords: { readonly reason: string; readonly message: string } | null = null

  private constructor(socket: ClientSocket, listener: SocketListener) {
    this.#socket = socket
    this.#listener = listener
    socket.addEventListener('message', ({ data }) => {
      const raw = typeof data === 'string' ? parseFrame(data) : null
      if (raw === null) return
      listener.onRaw(raw)
      const event = readSessionEvent(raw)
      if (event === null) return
      if (event.type === 'error' && event.isOfService && event.code !== null)
        this.#lastWords = { reason: event.code, message: event.message }
      listener.onEvent(event, this)
    })
    this.ended = new Promise((resolve) => {
      socket.addEventListener('close', ({ code }) => {
        this.#isOpen = false
        const end = endOfClose(code)
        const words = this.#lastWords
        // Other errors may have come before; only that of the end says why it ended.
        resolve(words?.reason === end.reason ? { ...end, message: words.message } : end)
      })
    })
  }

  /** Resolves once the agent is ready to listen, or with the reason why it never will be. */
  static async open(address: URL, listener: SocketListener, signal: AbortSignal): Promise<Opening> {
    try {
      const Socket = await loadSocketClass()
      // Nothing is awaited between the making and the listening: a socket may fail in that very moment.
      return SessionSocket.#untilReady(new Socket(address.href), { address, listener, signal })
    } catch (error) {
      // A page that came over https must not open a socket without; Node 20 may be without any.
      const why = error instanceof Error ? error.message : String(error)
      return { ok: false, end: endBefore('refused', `No socket could be made: ${why}`) }
    }
  }

  static #untilReady(socket: ClientSocket, { address, listener, signal }: Wish): Promise<Opening> {
    let hasOpened = false
    socket.addEventListener('open', () => {
      hasOpened = true
    })
    socket.addEventListener('error', () => undefined)
    return new Promise((resolve) => {
      const session = new SessionSocket(socket, {
        onRaw: (event) => listener.onRaw(event),
        onSent: (message) => listener.onSent(message),
        onEvent: (event) => {
          listener.onEvent(event, session)
          if (event.type !== 'ready') return
          clearTimeout(timer)
          resolve({ ok: true, socket: session })
        },
      })
      const timer = setTimeout(() => {
        resolve({ ok: false, end: endBefore('refused', 'The agent was not ready in time.') })
        socket.close()
      }, readyMilliseconds)
      signal.addEventListener('abort', () => socket.close(leftCode))
      if (signal.aborted) socket.close(leftCode)
      void session.ended.then(async (end) => {
        clearTimeout(timer)
        resolve({ ok: false, end: hasOpened || signal.aborted ? end : await explainRefusal(address) })
      })
    })
  }

  get isOpen(): boolean {
    return this.#isOpen
  }

  /** How much was handed over and has not left yet. */
  get waitingBytes(): number {
    return this.#socket.bufferedAmount
  }

  send(message: object): void {
    if (!this.#isOpen) return
    this.#socket.send(JSON.stringify(message))
    this.#listener.onSent(message)
  }

  close(): void {
    this.#socket.close(leftCode)
  }
}

/** Where somebody wants to go, and how they hear of it. */
interface Wish {
  readonly address: URL
  readonly listener: SocketListener
  readonly signal: AbortSignal
}

/** Browsers do not say why a handshake failed; the same address, read as a plain page, does, and consumes nothing. */
async function explainRefusal(address: URL): Promise<VoiceEnd> {
  const page = new URL(address)
  page.protocol = page.protocol.replace('ws', 'http')
  try {
    const reply = await fetch(page, { signal: AbortSignal.timeout(reasonMilliseconds) })
    const problem: unknown = await reply.json()
    const detail = fieldOf(problem, 'detail')
    const errorCode = fieldOf(problem, 'errorCode')
    if (reply.status !== 426 && detail !== null) return endBefore('refused', detail, errorCode)
    return endBefore(
      'refused',
      'The token is good, but the socket did not open: does a proxy let WebSockets pass?',
    )
  } catch {
    return endBefore(
      'refused',
      `Nothing answers at ${page.origin}: is the service there, and is the network?`,
    )
  }
}

function fieldOf(problem: unknown, name: 'detail' | 'errorCode'): string | null {
  if (typeof problem !== 'object' || problem === null) return null
  const value: unknown = Reflect.get(problem, name)
  return typeof value === 'string' ? value : null
}
