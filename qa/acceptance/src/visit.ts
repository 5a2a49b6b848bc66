import { Parley } from '@parley/sdk'
import type { Answer } from './answer.js'
import { type Opening, openSession, type Session } from './realtime/session.js'
import type { Run } from './run.js'

export interface WireRequest {
  readonly method?: string
  /** On top of key and organization; null leaves one of these out. */
  readonly headers?: Readonly<Record<string, string | null>>
  /** Sent as JSON. */
  readonly body?: unknown
}

/** What one check has to do with a deployment: its calls and sockets, which end with it. */
export class Visit {
  readonly run: Run
  readonly signal: AbortSignal
  /** Every call of the API. Nothing is repeated: what fails once has failed. */
  readonly parley: Parley
  /** Of every request so far. */
  readonly requestIds: string[] = []
  readonly #sessions: Session[] = []

  constructor(run: Run, signal: AbortSignal) {
    this.run = run
    this.signal = signal
    this.parley = this.clientOf(run.options.apiKey)
  }

  /** A client with another key. */
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

  /** A request where the wire is the point. */
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

  /** Opens the socket of a session, or says why it was refused. */
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
