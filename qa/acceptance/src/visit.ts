import { Parley } from '@parley/sdk'
import type { Answer } from './answer.js'
import { type Opening, openSession, type Session } from './realtime/session.js'
import type { Run } from './run.js'

export interface WireRequest {
  readonly method?: string
  /** Added to the key and organization headers. Null removes a header. */
  readonly headers?: Readonly<Record<string, string | null>>
  /** Sent as JSON. */
  readonly body?: unknown
}

/** The calls and sockets of one check. They end with the check. */
export class Visit {
  readonly run: Run
  readonly signal: AbortSignal
  /** The API client. It does not retry. */
  readonly parley: Parley
  /** The requests so far. */
  readonly requestIds: string[] = []
  readonly #sessions: Session[] = []

  constructor(run: Run, signal: AbortSignal) {
    this.run = run
    this.signal = signal
    this.parley = this.clientOf(run.options.apiKey)
  }

  /** Returns a client with another key. */
  clientOf(apiKey: string): Parley {
    const { url, organizationId } = this.run.options
    return new Parley({
      baseUrl: url,
      organizationId,
      apiKey,
      maxRetries: 0,
      headers: () => ({ 'x-request-id': this.#nextRequestId() }),
      fetch: (input, init) => fetch(input, { ...init, signal: this.#withOwn(init?.signal) }),
    })
  }

  /** Sends a raw request, for checks of the wire format. */
  async send(path: string, { method = 'GET', headers = {}, body }: WireRequest = {}): Promise<Answer> {
    const { url, organizationId, apiKey } = this.run.options
    const all = {
      'x-org-id': organizationId,
      'x-api-key': apiKey,
      'x-request-id': this.#nextRequestId(),
      ...(body !== undefined && { 'content-type': 'application/json' }),
      ...headers,
    }
    const response = await fetch(`${url}${path}`, {
      method,
      headers: Object.entries(all).flatMap(([name, value]) => (value === null ? [] : [[name, value]])),
      redirect: 'manual',
      signal: this.signal,
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
    return { status: response.status, headers: response.headers, text: await response.text() }
  }

  /** Opens the socket of a session, or returns why it was rejected. */
  async open(webSocketPath: string): Promise<Opening> {
    const url = `${this.run.options.url.replace(/^http/, 'ws')}${webSocketPath}`
    const opening = await openSession(url, this.#nextRequestId(), this.signal)
    if (opening.ok) this.#sessions.push(opening.session)
    return opening
  }

  close(): void {
    for (const session of this.#sessions) session.drop()
  }

  #nextRequestId(): string {
    const id = this.run.nextRequestId()
    this.requestIds.push(id)
    return id
  }

  #withOwn(signal: AbortSignal | null | undefined): AbortSignal {
    return signal ? AbortSignal.any([signal, this.signal]) : this.signal
  }
}
