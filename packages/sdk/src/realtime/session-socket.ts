import { loadSocketClass } from '#socket'
import { parseFrame, type RawEvent, readSessionEvent, type SessionEvent } from './session-event.js'
import type { ClientSocket } from './socket-web.js'
import { endBefore, endOfClose, leftCode, type VoiceEnd } from './voice-end.js'

export interface SocketListener {
  /** Every frame, before it is interpreted. */
  onRaw(event: RawEvent): void
  /** Every outgoing message. */
  onSent(message: object): void
  /** Called in order, including the event that reports that the agent is ready. */
  onEvent(event: SessionEvent, socket: SessionSocket): void
}

export type Opening =
  | { readonly ok: true; readonly socket: SessionSocket }
  | { readonly ok: false; readonly end: VoiceEnd }

/** The time limit until the model is ready. The service itself waits 15 s for its provider. */
const readyMilliseconds = 45_000
/** How long to wait for a reason after a close. */
const reasonMilliseconds = 5000

/** The socket of one session, from handshake to close. */
export class SessionSocket {
  /** Settles when the socket has closed, from either side. */
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
        const message = this.#lastWords
        // Only the last error explains why the session ended.
        resolve(message?.reason === end.reason ? { ...end, message: message.message } : end)
      })
    })
  }

  /** Resolves when the agent is ready, or with the reason why it never will be. */
  static async open(address: URL, listener: SocketListener, signal: AbortSignal): Promise<Opening> {
    try {
      const Socket = await loadSocketClass()
      // Nothing may be awaited between creating the socket and listening, because a socket can fail immediately.
      return SessionSocket.#untilReady(new Socket(address.href), { address, listener, signal })
    } catch (error) {
      // A page loaded over https cannot open an insecure socket. Node 20 may have no WebSocket.
      const why = error instanceof Error ? error.message : String(error)
      return { ok: false, end: endBefore('refused', `The socket could not be created: ${why}`) }
    }
  }

  static #untilReady(socket: ClientSocket, { address, listener, signal }: ConnectTarget): Promise<Opening> {
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
        resolve({ ok: false, end: hasOpened || signal.aborted ? end : await explainRejection(address) })
      })
    })
  }

  get isOpen(): boolean {
    return this.#isOpen
  }

  /** The number of bytes that are queued and not sent yet. */
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

/** The target of a connection, with its callbacks. */
interface ConnectTarget {
  readonly address: URL
  readonly listener: SocketListener
  readonly signal: AbortSignal
}

/**
 * Browsers do not report why a handshake failed. A plain GET of the same address does, without consuming the
 * token.
 */
async function explainRejection(address: URL): Promise<VoiceEnd> {
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
      'The token is valid, but the socket did not open. Check that all proxies forward WebSockets.',
    )
  } catch {
    return endBefore(
      'refused',
      `Cannot reach ${page.origin}. Check the address of the service and the network.`,
    )
  }
}

function fieldOf(problem: unknown, name: 'detail' | 'errorCode'): string | null {
  if (typeof problem !== 'object' || problem === null) return null
  const value: unknown = Reflect.get(problem, name)
  return typeof value === 'string' ? value : null
}
