import type WebSocket from 'ws'
import { callHttp } from './http-call.js'
import type { LoadStage } from './load-stage.js'
import type { Tenant } from './tenant.js'

type Entry = LoadStage['ledger']['decisions'][number]

export interface DecisionTarget {
  readonly conversationId: string
  readonly socket: WebSocket
}

/**
 * A user's decisions on the calls of a session, over its socket or over HTTP. Leaves some calls undecided.
 */
export class Decisions {
  readonly #stage: LoadStage
  readonly #tenant: Tenant
  readonly #target: DecisionTarget
  readonly #made = new Map<string, Entry>()
  #isOver = false

  constructor(stage: LoadStage, tenant: Tenant, target: DecisionTarget) {
    this.#stage = stage
    this.#tenant = tenant
    this.#target = target
  }

  waiting(callId: string, timeoutSeconds: number): void {
    const draw = this.#stage.random()
    if (draw > 0.9) return
    const decision = draw < 0.65 ? 'approve' : 'reject'
    const by = this.#stage.random() < 0.25 ? 'http' : 'socket'
    const pause = 300 + this.#stage.random() * 1500
    const deadlineAt = Date.now() + timeoutSeconds * 1000
    setTimeout(() => void this.#decide({ callId, decision, by, deadlineAt }), pause)
  }

  async #decide(made: Pick<Entry, 'callId' | 'decision' | 'by' | 'deadlineAt'>): Promise<void> {
    const { callId, decision, by } = made
    if (this.#isOver || this.#made.has(callId)) return
    const { conversationId, socket } = this.#target
    const entry: Entry = {
      ...made,
      tenant: this.#tenant.index,
      conversationId,
      acknowledgedAt: null,
      rejectedAt: null,
    }
    this.#made.set(callId, entry)
    this.#stage.ledger.decisions.push(entry)
    if (by === 'socket') return void socket.send(JSON.stringify({ type: `approval.${decision}`, callId }))
    await decideOverHttp(this.#stage, this.#tenant, entry)
  }

  /** Called when the service reports that no such call waits. */
  refused(message: string): void {
    for (const [callId, entry] of this.#made)
      if (entry.by === 'socket' && message.includes(` ${callId} `)) entry.rejectedAt ??= Date.now()
  }

  /** Called when the service acknowledges an approval. Counts only for decisions over the socket. */
  approved(callId: string): void {
    this.#acknowledge(callId, 'approve')
  }

  /** A call may end because of a rejection or because it expired. Only the stored row tells which. */
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

/** Sends the decision and records the answer. The service rejects late and second decisions. */
export async function decideOverHttp(
  { url, ledger }: LoadStage,
  { credentials }: Tenant,
  entry: Entry,
): Promise<void> {
  const { conversationId, callId, decision } = entry
  const answer = await callHttp(
    { url, credentials },
    {
      method: 'POST',
      path: `/api/v1/Conversation/${conversationId}/approval`,
      body: { callId, decision },
    },
  )
  ledger.note('a decision', answer, [200, 404, 409])
  if (answer.ok && answer.status === 200) entry.acknowledgedAt = Date.now()
  if (answer.ok && (answer.status === 404 || answer.status === 409)) entry.rejectedAt = Date.now()
}
