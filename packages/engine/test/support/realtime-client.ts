import { appendFileSync } from 'node:fs'
import type { RealtimeClientEvent, RealtimeServerEvent } from 'openai/resources/realtime/realtime'
import { onTestFinished } from 'vitest'
import { WebSocket } from 'ws'

type EventOf<Type extends RealtimeServerEvent['type']> = Extract<RealtimeServerEvent, { type: Type }>

interface Waiter {
  readonly isWanted: (event: RealtimeServerEvent) => boolean
  readonly resolve: (event: RealtimeServerEvent) => void
}

/** The folder for a recording of all frames, to check them against a schema manually. */
const recording = process.env.RECORD_ENGINE_FRAMES

/** A client of the protocol that keeps all received events. */
export class RealtimeClient {
  readonly events: RealtimeServerEvent[] = []
  readonly #socket: WebSocket
  readonly #waiters = new Set<Waiter>()
  #read = 0

  private constructor(socket: WebSocket) {
    this.#socket = socket
    socket.on('message', (data) => {
      const text = data.toString()
      if (recording !== undefined) appendFileSync(recording, `${text}\n`)
      this.#receive(JSON.parse(text) as RealtimeServerEvent)
    })
  }

  static async connect(
    url: string,
    secret: string | null = null,
    others: Readonly<Record<string, string>> = {},
  ): Promise<RealtimeClient> {
    const headers = secret === null ? others : { ...others, authorization: `Bearer ${secret}` }
    const socket = new WebSocket(`${url}?model=offline`, { headers })
    onTestFinished(() => socket.terminate())
    const client = new RealtimeClient(socket)
    await new Promise<void>((resolve, reject) => {
      socket.once('open', resolve)
      socket.once('error', reject)
    })
    await client.next('session.created')
    return client
  }

  get types(): string[] {
    return this.events.map(({ type }) => type)
  }

  send(event: RealtimeClientEvent): void {
    this.sendRaw(JSON.stringify(event))
  }

  sendRaw(frame: string): void {
    this.#socket.send(frame)
  }

  /** Returns the next event of a type. Skips the events before it. */
  async next<Type extends RealtimeServerEvent['type']>(type: Type): Promise<EventOf<Type>> {
    return (await this.nextWhere((event) => event.type === type)) as EventOf<Type>
  }

  nextWhere(isWanted: (event: RealtimeServerEvent) => boolean): Promise<RealtimeServerEvent> {
    for (let place = this.#read; place < this.events.length; place += 1) {
      const event = this.events[place]
      if (event === undefined || !isWanted(event)) continue
      this.#read = place + 1
      return Promise.resolve(event)
    }
    return new Promise((resolve) => {
      this.#waiters.add({ isWanted, resolve })
    })
  }

  /** Sends a text message and returns the response to it. */
  async ask(text: string): Promise<EventOf<'response.done'>['response']> {
    this.send(userText(text))
    this.send({ type: 'response.create' })
    return (await this.next('response.done')).response
  }

  async close(): Promise<void> {
    const closed = new Promise((resolve) => this.#socket.once('close', resolve))
    this.#socket.close()
    await closed
  }

  /** Resolves when the engine closes the socket. */
  closed(): Promise<{ code: number; reason: string }> {
    return new Promise((resolve) => {
      this.#socket.once('close', (code, reason) => resolve({ code, reason: reason.toString() }))
    })
  }

  #receive(event: RealtimeServerEvent): void {
    this.events.push(event)
    for (const waiter of this.#waiters) {
      if (!waiter.isWanted(event)) continue
      this.#waiters.delete(waiter)
      this.#read = this.events.length
      waiter.resolve(event)
    }
  }
}

export function userText(text: string): RealtimeClientEvent {
  return {
    type: 'conversation.item.create',
    item: { type: 'message', role: 'user', content: [{ type: 'input_text', text }] },
  }
}
