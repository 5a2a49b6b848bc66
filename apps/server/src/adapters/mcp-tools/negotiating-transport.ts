import { StreamableHTTPError } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import type { Transport, TransportSendOptions } from '@modelcontextprotocol/sdk/shared/transport.js'
import {
  type InitializeResult,
  isInitializedNotification,
  isInitializeRequest,
  isJSONRPCErrorResponse,
  isJSONRPCRequest,
  isJSONRPCResultResponse,
  type JSONRPCMessage,
  type JSONRPCRequest,
  LATEST_PROTOCOL_VERSION,
} from '@modelcontextprotocol/sdk/types.js'
import type { InTime, Timers } from '../../ports/timers.js'
import { Discovery, statelessVersion, wantsInput, withEnvelope } from './stateless-protocol.js'

/** Which question a server is asked first: what it speaks, or the greeting of before 2026. */
export type Opening = 'discover' | 'greet'

export interface NegotiationOptions {
  readonly timers: Timers
  readonly client: { readonly name: string; readonly version: string }
  /** A process that is asked what it does not know may end, or never answer: it is greeted first. */
  readonly opening: Opening
}

/** A server that knows the question answers it at once; one that does not may not answer at all. */
const discoveryMilliseconds = 2000
const discoveryId = 'parley-discover'

/**
 * Speaks the generation of the protocol that the server speaks, below a client library that knows the older one alone:
 * its greeting is answered here where the server wants none, and its requests get the envelope that such a server needs.
 *
 *   discover ──a version of 2026──► stateless        greet ──result──► greeted
 *       └──refused, or no answer──► greeted            └──error, then discover──► stateless, or the error
 */
export class NegotiatingTransport implements Transport {
  onclose?: () => void
  onerror?: (error: Error) => void
  onmessage?: NonNullable<Transport['onmessage']>

  readonly #inner: Transport
  readonly #options: NegotiationOptions
  #isStateless = false
  /** Where the answer to a question of ours goes, by the question's id. */
  readonly #asked = new Map<JSONRPCRequest['id'], (answer: JSONRPCMessage) => void>()

  constructor(inner: Transport, options: NegotiationOptions) {
    this.#inner = inner
    this.#options = options
  }

  get sessionId(): string | undefined {
    return this.#inner.sessionId
  }

  setProtocolVersion(version: string): void {
    if (!this.#isStateless) this.#inner.setProtocolVersion?.(version)
  }

  async start(): Promise<void> {
    this.#inner.onclose = () => this.onclose?.()
    this.#inner.onerror = (error) => this.onerror?.(error)
    this.#inner.onmessage = (message, extra) => {
      const id = 'id' in message && !('method' in message) ? message.id : undefined
      const take = id === undefined ? undefined : this.#asked.get(id)
      if (take !== undefined) return take(message)
      // An answer that came too late.
      if (id === discoveryId) return
      this.onmessage?.(this.#isStateless ? withoutWishes(message) : message, extra)
    }
    await this.#inner.start()
  }

  close(): Promise<void> {
    return this.#inner.close()
  }

  async send(message: JSONRPCMessage, options?: TransportSendOptions): Promise<void> {
    if (isInitializeRequest(message) && isJSONRPCRequest(message)) return this.#open(message)
    if (!this.#isStateless) return this.#inner.send(message, options)
    if (isInitializedNotification(message)) return
    const sent = isJSONRPCRequest(message) ? withEnvelope(message, this.#options.client) : message
    return this.#inner.send(sent, options)
  }

  async #open(greeting: JSONRPCRequest): Promise<void> {
    if (this.#options.opening === 'discover') {
      const found = await this.#discover()
      return found === null ? this.#inner.send(greeting) : this.#goOnStateless(greeting, found)
    }
    const answer = await this.#ask(greeting)
    const found = isJSONRPCErrorResponse(answer) ? await this.#discover() : null
    if (found === null) this.onmessage?.(answer)
    else this.#goOnStateless(greeting, found)
  }

  #goOnStateless({ id }: JSONRPCRequest, result: InitializeResult): void {
    this.#isStateless = true
    this.onmessage?.({ jsonrpc: '2.0', id, result })
  }

  /** What the greeting would have brought; null where the server speaks no version of this generation that we do. */
  async #discover(): Promise<InitializeResult | null> {
    const question = { jsonrpc: '2.0', id: discoveryId, method: 'server/discover' } as const
    const asking = this.#ask(withEnvelope(question, this.#options.client))
    let answered: InTime<JSONRPCMessage>
    try {
      answered = await this.#options.timers.within(discoveryMilliseconds, asking)
    } catch (error) {
      if (isRefusal(error)) return null
      throw error
    } finally {
      this.#asked.delete(discoveryId)
    }
    if (!answered.ok || !isJSONRPCResultResponse(answered.value)) return null
    const discovery = Discovery.safeParse(answered.value.result)
    if (!discovery.success || !discovery.data.supportedVersions.includes(statelessVersion)) return null
    const { capabilities } = discovery.data
    // The library is told the newest version that it knows.
    return {
      protocolVersion: LATEST_PROTOCOL_VERSION,
      capabilities,
      serverInfo: { name: 'unknown', version: 'unknown' },
    }
  }

  /** Rejects where the question could not be sent; where no answer comes, whoever asks has a time of their own. */
  #ask(question: JSONRPCRequest): Promise<JSONRPCMessage> {
    return new Promise((resolve, reject) => {
      this.#asked.set(question.id, (answer) => {
        this.#asked.delete(question.id)
        resolve(answer)
      })
      this.#inner.send(question).catch((error: unknown) => {
        this.#asked.delete(question.id)
        reject(error)
      })
    })
  }
}

/** Whether the server has refused the question itself: who may not ask, or whose server is broken, would not greet either. */
function isRefusal(error: unknown): boolean {
  if (!(error instanceof StreamableHTTPError)) return false
  const status = error.code ?? 0
  return status < 500 && status !== 401 && status !== 403
}

/** A result that only asks for something is none: the library would take it for an empty one. */
function withoutWishes(message: JSONRPCMessage): JSONRPCMessage {
  if (!isJSONRPCResultResponse(message) || !wantsInput(message.result)) return message
  const error = { code: -32603, message: 'The MCP server asks for input that an agent cannot give.' }
  return { jsonrpc: '2.0', id: message.id, error }
}
