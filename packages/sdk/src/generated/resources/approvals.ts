// Generated from the contract by `npm run generate`. What is changed here is lost.

import type { Approval, ApprovalDecision } from '../schemas/approval.js'
import type { ApiPromise } from '../../rest/api-promise.js'
import type { HttpClient } from '../../rest/http-client.js'
import type { ListPromise } from '../../rest/list-promise.js'
import type { RequestOptions } from '../../rest/request-options.js'
import { segment } from '../../rest/request-url.js'

export interface ListApprovalsQuery {
  /** How many items to skip. Default: `0`. */
  Offset?: number | undefined
  /** How many items to answer at most. Default: `50`. */
  Limit?: number | undefined
  /** Only approvals in this state. */
  State?: 'waiting' | 'approved' | 'rejected' | 'expired' | undefined
  /** Only approvals of this agent. */
  AgentId?: string | undefined
  /** Only approvals of this conversation. */
  ConversationId?: string | undefined
  /** Only approvals that wait, or that do not any more. */
  IsWaiting?: 'true' | 'false' | undefined
  /** Only approvals of rehearsals, or only of what is none. */
  Rehearsal?: 'true' | 'false' | undefined
  /** Whether the newest or the oldest call comes first. Default: `"newest"`. */
  Order?: 'newest' | 'oldest' | undefined
}

export class Approvals {
  readonly #http: HttpClient

  constructor(http: HttpClient) {
    this.#http = http
  }

  /**
   * List approvals.
   *
   * Needs the scope `conversation:read`.
   *
   * @returns One page of the approvals.
   */
  list(query: ListApprovalsQuery = {}, options: RequestOptions = {}): ListPromise<Approval> {
    return this.#http.list({ method: 'GET', path: '/api/v1/Approval', query }, options)
  }

  /**
   * Decide on a tool call.
   *
   * The first decision counts, wherever it comes from, and none does after the deadline: a call that does not
   * wait any more is answered with 409.
   *
   * Needs the scope `approval:decide`.
   *
   * @returns The approval, as it was decided.
   */
  decide(conversationId: string, body: ApprovalDecision, options: RequestOptions = {}): ApiPromise<Approval> {
    return this.#http.json({ method: 'POST', path: `/api/v1/Conversation/${segment('conversationId', conversationId)}/approval`, body }, options)
  }
}
