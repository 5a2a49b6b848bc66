import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { clientFrame, providerFrame, sentAt } from '@parley/stage/load/frames'
import { microseconds } from '@parley/stage/load/stamp'
import type { Api } from '@parley/stage/service/api'
import { createTicket, makeSpeakingAgents } from '@parley/stage/service/speaking-agents'
import WebSocket, { WebSocketServer } from 'ws'
import { Waits } from './waits.js'

const frameIntervalMilliseconds = 100
const model = 'canary'

/** A realtime session with continuous audio in both directions, and its provider. */
export class CanarySession {
  readonly #waits = new Waits()
  readonly #client: WebSocket
  #provider: WebSocket | null = null
  #closedWith: number | null = null
  #sentCount = 0
  #receivedCount = 0
  #lastReceivedAt = performance.now()

  private constructor(client: WebSocket) {
    this.#client = client
  }

  static async open(api: Api, url: string): Promise<CanarySession> {
    const providers = new WebSocketServer({ port: 0, host: '127.0.0.1', perMessageDeflate: false })
    await once(providers, 'listening')
    const { port } = providers.address() as AddressInfo
    const agents = await makeSpeakingAgents(api, `http://127.0.0.1:${port}/v1`, [model])
    const { webSocketPath } = await createTicket(api, agents[model])
    const connected = once(providers, 'connection')
    const client = new WebSocket(`${url.replace('http', 'ws')}${webSocketPath}`, { perMessageDeflate: false })
    const session = new CanarySession(client)
    client.on('error', () => undefined)
    await once(client, 'open')
    const [provider] = (await connected) as [WebSocket]
    session.#begin(provider)
    return session
  }

  mark(): void {
    this.#waits.mark()
  }

  /** Includes the age of the last frame, so that a stalled stream counts as a wait. */
  figures() {
    const silence = performance.now() - this.#lastReceivedAt
    if (this.#sentCount > this.#receivedCount && silence > 2 * frameIntervalMilliseconds)
      this.#waits.add(silence)
    return this.#waits.figures()
  }

  faults = () => (this.#closedWith === null ? [] : [`its session was closed with ${this.#closedWith}`])

  #begin(provider: WebSocket): void {
    this.#provider = provider
    provider.on('error', () => undefined)
    provider.send(JSON.stringify({ type: 'session.created', session: {} }))
    provider.on('message', (data: Buffer) => this.#receive(sentAt(data)))
    this.#client.on('message', (data: Buffer) => this.#receive(sentAt(data)))
    this.#client.on('close', (code) => {
      this.#closedWith = code
    })
    setInterval(() => this.#speak(), frameIntervalMilliseconds)
  }

  #speak(): void {
    const isOpen = this.#client.readyState === WebSocket.OPEN
    if (!isOpen) return
    this.#client.send(clientFrame.make())
    this.#provider?.send(providerFrame.make())
    this.#sentCount += 2
  }

  #receive(leftAt: number | null): void {
    if (leftAt === null) return
    this.#receivedCount += 1
    this.#lastReceivedAt = performance.now()
    this.#waits.add((microseconds() - leftAt) / 1000)
  }
}
