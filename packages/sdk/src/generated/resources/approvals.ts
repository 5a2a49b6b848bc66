// Generated from the contract by `npm run generate`. What is changed here is lost.

import type { Approval, ApprovalDecision } from '../schemas/approval.js'
import type { ApiPromise } from '../../rest/api-promise.js'
import type { HttpClient } from '../../rest/http-client.js'
import type { ListPromise } from '../../rest/list-promise.js'
import type { RequestOptions } from '../../rest/request-options.js'
import { segment } from '../../rest/request-url.js'

export interface ListApprovalsQuery {
  /** The number of items to skip. Default: `0`. */
  Offset?: number | undefined
  /** The maximum number of items. Default: `50`. */
  Limit?: number | undefined
  /** Only approvals in this state. */
  State?: 'waiting' | 'approved' | 'rejected' | 'expired' | undefined
  /** Only approvals of this agent. */
  AgentId?: string | undefined
  /** Only approvals of this conversation. */
  ConversationId?: string | undefined
  /** Only pending approvals, or only those that are no longer pending. */
  IsWaiting?: 'true' | 'false' | undefined
  /** Only approvals of rehearsals, or only those outside of rehearsals. */
  Rehearsal?: 'true' | 'false' | undefined
  /** The order: newest or oldest first. Default: `"newest"`. */
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
   * Requires the scope `conversation:read`.
   *
   * @returns One page of the approvals.
   */
  list(query: ListApprovalsQuery = {}, options: RequestOptions = {}): ListPromise<Approval> {
    return this.#http.list({ method: 'GET', path: '/api/v1/Approval', query }, options)
  }

  /**
   * Decide on a tool call.
   *
   * The first decision wins. A call that is no longer pending, or whose deadline has passed, is answered with
   * 409.
   *
   * Requires the scope `approval:decide`.
   *
   * @returns The decided approval.
   */
  decide(conversationId: string, body: ApprovalDecision, options: RequestOptions = {}): ApiPromise<Approval> {
    return this.#http.json({ method: 'POST', path: `/api/v1/Conversation/${segment('conversationId', conversationId)}/approval`, body }, options)
  }
}
