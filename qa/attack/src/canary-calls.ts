import type { Credentials } from '@parley/stage/service/api'
import { Waits } from './waits.js'

const callIntervalMilliseconds = 100
const patienceMilliseconds = 60_000

/** The other tenant: it makes a call every 100 ms, even if the last one is unanswered. */
export class CanaryCalls {
  readonly #url: string
  readonly #headers: readonly Readonly<Record<string, string>>[]
  readonly #waits = new Waits()
  #faults: string[] = []
  #taskId = ''
  #count = 0

  /** Its keys take turns. */
  constructor(url: string, keys: readonly Credentials[]) {
    this.#url = url
    this.#headers = keys.map(({ organizationId, apiKey }) => ({
      'x-org-id': organizationId,
      'x-api-key': apiKey,
      'content-type': 'application/json',
    }))
  }

  async start(): Promise<void> {
    await this.#call('POST', '/api/v1/Task', { title: 'The first' })
    this.mark()
    setInterval(() => void this.#callNext(), callIntervalMilliseconds)
  }

  mark(): void {
    this.#waits.mark()
    this.#faults = []
  }

  figures = () => this.#waits.figures()

  faults = () => this.#faults

  /** Alternates reads and writes. One call in three is a transaction with its audit record. */
  async #callNext(): Promise<void> {
    this.#count += 1
    if (this.#count % 3 === 0) return this.#call('POST', '/api/v1/Task', { title: `Task ${this.#count}` })
    if (this.#count % 3 === 1) return this.#call('GET', `/api/v1/Task/${this.#taskId}`)
    return this.#call('GET', '/api/v1/Task?Limit=10')
  }

  async #call(method: string, path: string, body?: object): Promise<void> {
    const end = this.#waits.begin()
    try {
      const response = await fetch(`${this.#url}${path}`, {
        method,
        headers: this.#headers[this.#count % this.#headers.length] ?? {},
        signal: AbortSignal.timeout(patienceMilliseconds),
        ...(body && { body: JSON.stringify(body) }),
      })
      const answer = await response.text()
      if (!response.ok) this.#faults.push(`${method} ${path}: ${response.status}`)
      else if (method === 'POST') this.#taskId = (JSON.parse(answer) as { id: string }).id
    } catch (error) {
      this.#faults.push(`${method} ${path}: ${error instanceof Error ? error.message : 'failed'}`)
    } finally {
      end()
    }
  }
}
