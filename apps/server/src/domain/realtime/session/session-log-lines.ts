import type { EndReason } from '@parley/contract'
import type { Log } from '../../../ports/log.js'
import type { RealtimeSessionRecord, SessionModel } from '../../../ports/realtime-stores.js'
import type { Span } from '../../../ports/tracing.js'

/** A session has continued with another model. */
interface MoveFields {
  readonly from: SessionModel
  readonly to: SessionModel
  readonly reason: string
  readonly detail: string
  readonly milliseconds: number
}

interface SessionLogLinesParts {
  readonly log: Log
  readonly span: Span
  readonly session: RealtimeSessionRecord
  readonly clientAddress: string | null
}

/** Writes the log lines of a session within its span. */
export class SessionLogLines {
  readonly #log: Log
  readonly #span: Span
  readonly #fields: object

  constructor({ log, span, session, clientAddress: ip }: SessionLogLinesParts) {
    const { id: sessionId, organizationId, agentId, conversationId, apiKeyId: callerId } = session
    this.#log = log
    this.#span = span
    this.#fields = { sessionId, organizationId, agentId, conversationId, callerId, ip }
  }

  started(): void {
    this.#span.run(() => this.#log.info(this.#fields, 'realtime session started'))
  }

  moved(move: MoveFields): void {
    this.#span.run(() => this.#log.warn({ ...this.#fields, ...move }, 'realtime session moved'))
  }

  ended(reason: EndReason, detail: string): void {
    this.#span.run(() => this.#log.info({ ...this.#fields, reason, detail }, 'realtime session ended'))
  }
}
