import type { IncomingMessage, ServerResponse } from 'node:http'

/** The share of deliveries that are rejected at the first attempt. */
const rejectedShare = 0.05

interface HookBody {
  readonly type: string
  /** A turn's event contains its answer, which names the turn `turnId`. */
  readonly data: { readonly id?: string; readonly turnId?: string }
}

/** A receiver of webhooks that records accepted deliveries. */
export class Receivers {
  readonly delivered: Record<string, number> = {}
  readonly #refused = new Set<string>()

  get rejectedCount(): number {
    return this.#refused.size
  }

  serve(request: IncomingMessage, body: string, response: ServerResponse): void {
    const id = String(request.headers['webhook-id'])
    if (!this.#refused.has(id) && Math.random() < rejectedShare) {
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
