import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import type { Agent } from '@parley/contract'
import { scopes } from '@parley/contract/scope-list'
import type { Credentials } from '@parley/stage/service/api'
import WebSocket from 'ws'

const patienceMilliseconds = 45_000

/** The address of clients without a key. Rate limits count by address, so attackers use different ones. */
const strangerAddress = '127.0.0.66'

let addresses = 0

/** Returns another address for the attackers. Loopback has millions of them. */
function nextAddress(): string {
  addresses += 1
  return `127.1.${addresses >> 8}.${addresses & 255}`
}

export interface Reply {
  readonly status: number
  readonly text: string
}

/** A malicious member of an organization. It returns every response of the service, with any status. */
export class Attacker {
  readonly url: string
  readonly #headers: Readonly<Record<string, string>>
  /** The source address of its sockets. */
  readonly #address: string

  constructor(url: string, { organizationId, apiKey }: Credentials, address = '127.0.0.1') {
    this.url = url
    this.#headers = { 'x-org-id': organizationId, 'x-api-key': apiKey }
    this.#address = address
  }

  /**
   * Returns an attacker with its own key and address. The service limits each key, and each address that opens sockets,
   * by requests per minute. The number of keys and addresses is not limited.
   */
  async withOwnKey(): Promise<Attacker> {
    const { status, text } = await this.send(
      'POST',
      'ApiKey',
      JSON.stringify({ name: 'Another key', scopes, expiresAt: null }),
    )
    if (status !== 201) throw new Error(`no key: ${status} ${text.slice(0, 200)}`)
    const { key } = JSON.parse(text) as { key: string }
    const credentials = { organizationId: this.#headers['x-org-id'] ?? '', apiKey: key }
    return new Attacker(this.url, credentials, nextAddress())
  }

  get headers(): Readonly<Record<string, string>> {
    return this.#headers
  }

  /** Sends a request. The status is 0 if the connection is cut or the response takes too long. */
  async send(
    method: string,
    path: string,
    body?: string | FormData,
    options: { readonly headers?: Readonly<Record<string, string>>; readonly signal?: AbortSignal } = {},
  ): Promise<Reply> {
    const json = typeof body === 'string' ? { 'content-type': 'application/json' } : {}
    try {
      const response = await fetch(`${this.url}/api/v1/${path}`, {
        method,
        headers: { ...this.#headers, ...json, ...options.headers },
        signal: options.signal ?? AbortSignal.timeout(patienceMilliseconds),
        ...(body !== undefined && { body }),
      })
      return { status: response.status, text: await response.text() }
    } catch (error) {
      return { status: 0, text: error instanceof Error ? error.message : '' }
    }
  }

  /** Creates a resource that the attack needs. Throws if the service rejects it. */
  async create(resource: string, input: object): Promise<{ readonly id: string }> {
    const { status, text } = await this.send('POST', resource, JSON.stringify(input))
    if (status !== 201) throw new Error(`POST ${resource}: ${status} ${text.slice(0, 300)}`)
    return JSON.parse(text) as { id: string }
  }

  makeAgent(connectionId: string, fields: object = {}): Promise<{ readonly id: string }> {
    return this.create('Agent', { name: 'Hostile', connectionId, ...fields })
  }

  /** Returns the agent of this name, which the first start created. */
  async findAgent(name: string): Promise<string> {
    const { text } = await this.send('GET', `Agent?Search=${encodeURIComponent(name)}`)
    const { items } = JSON.parse(text) as { items: Agent[] }
    if (items[0] === undefined) throw new Error(`Unknown agent: ${name}.`)
    return items[0].id
  }

  ask(agentId: string, question: string, signal?: AbortSignal): Promise<Reply> {
    const body = JSON.stringify({ question })
    return this.send('POST', `Agent/${agentId}/question`, body, signal ? { signal } : {})
  }

  tryTool(agentId: string, tool: string, given: object, isDryRun: boolean): Promise<Reply> {
    const body = JSON.stringify({ arguments: given, dryRun: isDryRun })
    return this.send('POST', `Agent/${agentId}/tool/${tool}/test`, body)
  }

  upload(name: string, type: string, content: string | Buffer, signal?: AbortSignal): Promise<Reply> {
    const form = new FormData()
    form.set('file', new Blob([content], { type }), name)
    return this.send('POST', 'TemporaryFile', form, signal ? { signal } : {})
  }

  /** Creates a session. Returns the path of its socket. */
  async ticket(agentId: string): Promise<string> {
    const { status, text } = await this.send('POST', `Agent/${agentId}/realtime-session`, '{}')
    if (status !== 201) throw new Error(`no session: ${status} ${text.slice(0, 300)}`)
    return (JSON.parse(text) as { webSocketPath: string }).webSocketPath
  }

  async openSession(agentId: string): Promise<WebSocket> {
    const socket = new WebSocket(`${this.url.replace('http', 'ws')}${await this.ticket(agentId)}`, {
      perMessageDeflate: false,
      localAddress: this.#address,
    })
    socket.on('error', () => undefined)
    await once(socket, 'open')
    return socket
  }

  /** Opens the raw socket of a session and completes its handshake. */
  async openRawSession(agentId: string): Promise<Socket> {
    const path = await this.ticket(agentId)
    const socket = await this.connect()
    socket.write(
      `GET ${path} HTTP/1.1\r\nHost: service\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n` +
        'Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n',
    )
    const [answer] = (await once(socket, 'data')) as [Buffer]
    if (!answer.toString('latin1').startsWith('HTTP/1.1 101')) throw new Error(answer.toString('latin1'))
    return socket
  }

  /** Opens a raw connection of a client without a key. */
  connectAsStranger(): Promise<Socket> {
    return this.connect(strangerAddress)
  }

  async connect(localAddress = this.#address): Promise<Socket> {
    const { hostname: host, port } = new URL(this.url)
    const socket = connect({ host, port: Number(port), localAddress })
    socket.on('error', () => undefined)
    await once(socket, 'connect')
    return socket
  }
}

/** Whether everything was sent. False if the other side cut the connection. */
export async function pour(socket: Socket, chunk: Buffer, times: number): Promise<boolean> {
  for (let index = 0; index < times; index += 1) {
    if (socket.destroyed) return false
    if (!socket.write(chunk)) await taken(socket)
  }
  return !socket.destroyed
}

/** An unread peer could block the attacker forever, so this wait has a limit. */
function taken(socket: Socket): Promise<void> {
  return new Promise((resolve) => {
    const stop = () => {
      clearTimeout(timer)
      socket.off('drain', stop).off('close', stop)
      resolve()
    }
    const timer = setTimeout(() => {
      socket.destroy()
      stop()
    }, 10_000)
    socket.once('drain', stop).once('close', stop)
  })
}
