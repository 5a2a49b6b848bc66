import type WebSocket from 'ws'
import { callHttp } from './http-call.js'
import type { LoadStage } from './load-stage.js'
import type { Tenant } from './tenant.js'

type Entry = LoadStage['ledger']['decisions'][number]

export interface DecisionPlace {
  readonly conversationId: string
  readonly socket: WebSocket
}

/** What a user decides on the calls of a session, over its socket or over HTTP; of some never anything. */
export class Decisions {
  readonly #stage: LoadStage
  readonly #tenant: Tenant
  readonly #place: DecisionPlace
  readonly #made = new Map<string, Entry>()
  #isOver = false

  constructor(stage: LoadStage, tenant: Tenant, place: DecisionPlace) {
    this.#stage = stage
    this.#tenant = tenant
    this.#place = place
  }

  waiting(callId: string): void {
    const draw = this.#stage.random()
    if (draw > 0.9) return
    const decision = draw < 0.65 ? 'approve' : 'reject'
    const by = this.#stage.random() < 0.25 ? 'http' : 'socket'
    const pause = 300 + this.#stage.random() * 1500
    setTimeout(() => void this.#decide(callId, decision, by), pause)
  }

  async #decide(callId: string, decision: Entry['decision'], by: Entry['by']): Promise<void> {
    if (this.#isOver || this.#made.has(callId)) return
    const { conversationId, socket } = this.#place
    const entry: Entry = {
      ...{ tenant: this.#tenant.index, conversationId, callId, decision, by, acknowledgedAt: null },
    }
    this.#made.set(callId, entry)
    this.#stage.ledger.decisions.push(entry)
    if (by === 'socket') return void socket.send(JSON.stringify({ type: `approval.${decision}`, callId }))
    if (await decideOverHttp(this.#stage, this.#tenant, entry)) entry.acknowledgedAt = Date.now()
  }

  /** The service has taken our word, where it was the socket's. */
  approved(callId: string): void {
    this.#acknowledge(callId, 'approve')
  }

  /** A call that ends after a rejection ends because of it, or because it has expired before; the row knows. */
  done(callId: string): void {
    this.#made.delete(callId)
  }

  end(): void {
    this.#isOver = true
  }

  #acknowledge(callId: string, decision: Entry['decision']): void {
    const entry = this.#made.get(callId)
    if (entry?.by === 'socket' && entry.decision === decision) entry.acknowledgedAt ??= Date.now()
  }
}

/** Says whether the decision was taken. One that came too late, or second, was not. */
export async function decideOverHttp(
  { url, ledger }: LoadStage,
  { credentials }: Tenant,
  { conversationId, callId, decision }: Pick<Entry, 'conversationId' | 'callId' | 'decision'>,
): Promise<boolean> {
  const answer = await callHttp(
    { url, credentials },
    {
      method: 'POST',
      path: `/api/v1/Conversation/${conversationId}/approval`,
      body: { callId, decision },
    },
  )
  ledger.note('a decision', answer, [200, 404, 409])
  return answer.ok && answer.status === 200
}
