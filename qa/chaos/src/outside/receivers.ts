import type { IncomingMessage, ServerResponse } from 'node:http'

/** Of all deliveries, so many are refused at the first attempt. */
const refusedShare = 0.05

interface HookBody {
  readonly type: string
  /** A turn is told as its answer, which names it so. */
  readonly data: { readonly id?: string; readonly turnId?: string }
}

/** Receivers of webhooks, which write down what they have taken. */
export class Receivers {
  readonly delivered: Record<string, number> = {}
  readonly #refused = new Set<string>()

  get refusedCount(): number {
    return this.#refused.size
  }

  serve(request: IncomingMessage, body: string, response: ServerResponse): void {
    const id = String(request.headers['webhook-id'])
    if (!this.#refused.has(id) && Math.random() < refusedShare) {
      this.#refused.add(id)
      response.writeHead(500).end()
      return
    }
    const { type, data } = JSON.parse(body) as HookBody
    const name = `${type} ${data.id ?? data.turnId}`
    this.delivered[name] = (this.delivered[name] ?? 0) + 1
    response.writeHead(204).end()
  }
}
