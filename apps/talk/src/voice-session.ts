import { text } from 'node:stream/consumers'
import { closeCodes } from '@parley/contract/close-codes'
import { WebSocket } from 'ws'
import { problemText, type ServiceResult } from './service-api.js'
import { readSessionEvent, type SessionEvent } from './session-event.js'

export interface SessionEnd {
  readonly closeCode: number
  /** The reason as text. */
  readonly message: string
}

/** Sessions speak by default. `written` requests text. */
export type AnswerForm = 'spoken' | 'written'

type Listener = (event: SessionEvent) => void
export type Follow = (session: VoiceSession, early: readonly SessionEvent[]) => Listener

/** One realtime session: sends and receives on its socket. */
export class VoiceSession {
  readonly ended: Promise<SessionEnd>
  readonly #socket: WebSocket
  #listener: Listener = () => undefined
  #isEnded = false
  #endMessage: string | null = null

  private constructor(socket: WebSocket) {
    this.#socket = socket
    socket.on('message', (data, isBinary) => {
      if (!isBinary) this.#receive(String(data))
    })
    this.ended = new Promise((resolve) => {
      socket.once('close', (closeCode) => {
        this.#isEnded = true
        resolve({ closeCode, message: this.#endMessage ?? describeClose(closeCode) })
      })
    })
  }

  /**
   * Resolves once the agent is ready. Events about pending calls of an earlier session come first. The follower receives
   * those and all later events.
   */
  static open(address: string, follow: Follow): Promise<ServiceResult<VoiceSession>> {
    const socket = new WebSocket(address, { perMessageDeflate: false })
    const session = new VoiceSession(socket)
    return new Promise((resolve) => {
      const reject = (message: string) => resolve({ ok: false, message })
      socket.on('error', (error) => reject(`Failed to open the session: ${error.message}`))
      socket.once('unexpected-response', async (_request, reply) => {
        const body = await text(reply).catch(() => '')
        reject(`Failed to open the session: ${problemText(reply.statusCode ?? 0, body)}`)
        socket.terminate()
      })
      const early: SessionEvent[] = []
      session.#listener = (event) => {
        early.push(event)
        if (event.type !== 'session.updated') return
        session.#listener = follow(session, early)
        resolve({ ok: true, value: session })
      }
      void session.ended.then(({ message }) => reject(`Session ended: ${message}`))
    })
  }

  get isEnded(): boolean {
    return this.#isEnded
  }

  sendText(line: string, answer: AnswerForm): void {
    const content = [{ type: 'input_text', text: line }]
    const item = { type: 'message', role: 'user', content }
    this.#send({ type: 'conversation.item.create', item })
    this.ask(answer)
  }

  /** Requests a response to the input so far. */
  ask(answer: AnswerForm): void {
    const form = answer === 'written' ? { response: { output_modalities: ['text'] } } : {}
    this.#send({ type: 'response.create', ...form })
  }

  sendSound(bytes: Buffer): void {
    this.#send({ type: 'input_audio_buffer.append', audio: bytes.toString('base64') })
  }

  decide(callId: string, decision: 'approve' | 'reject', reason: string | null): void {
    this.#send({ type: `approval.${decision}`, callId, ...(reason !== null && { reason }) })
  }

  async close(): Promise<void> {
    this.#socket.close(closeCodes.client_left)
    await this.ended
  }

  #send(message: object): void {
    if (!this.#isEnded) this.#socket.send(JSON.stringify(message))
  }

  #receive(frame: string): void {
    const event = readSessionEvent(frame)
    if (event === null) return
    if (event.type === 'error' && Object.hasOwn(closeCodes, event.error.code ?? ''))
      this.#endMessage = event.error.message
    this.#listener(event)
  }
}

function describeClose(closeCode: number): string {
  if (closeCode === closeCodes.client_left) return 'you left.'
  const reason = Object.entries(closeCodes).find(([, code]) => code === closeCode)?.[0]
  return reason === undefined ? `the connection was lost (${closeCode}).` : `${reason.replaceAll('_', ' ')}.`
}
