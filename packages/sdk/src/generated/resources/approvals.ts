// Generated from the contract by `npm run generate`. Do not edit.

import type { Approval, ApprovalDecision } from '../schemas/approval.js'
import type { ApiPromise } from '../../rest/api-promise.js'
import type { HttpClient } from '../../rest/http-client.js'
import type { ListPromise } from '../../rest/list-promise.js'
import type { RequestOptions } from '../../rest/request-options.js'
import { segment } from '../../rest/request-url.js'

export interface ListApprovalsQuery {
  /** The number of items to skip. Default: `0`. */
  Offset?: number | undefined
  /** The maximum number of items to return. Default: `50`. */
  Limit?: number | undefined
  /** Only return approvals in this state. */
  State?: 'waiting' | 'approved' | 'rejected' | 'expired' | undefined
  /** Only return approvals of this agent. */
  AgentId?: string | undefined
  /** Only return approvals of this conversation. */
  ConversationId?: string | undefined
  /** If `true`, only return pending approvals. If `false`, only return approvals that are no longer pending. */
  IsWaiting?: 'true' | 'false' | undefined
  /** If `true`, only return approvals of rehearsals (test mode). If `false`, exclude them. */
  Rehearsal?: 'true' | 'false' | undefined
  /** The sort order: newest or oldest first. Default: `"newest"`. */
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
   * Approve or reject a tool call.
   *
   * Only the first decision counts. If the call is no longer pending, or if the approval has expired, the
   * request is rejected with 409.
   *
   * Requires the scope `approval:decide`.
   *
   * @returns The updated approval.
   */
  decide(conversationId: string, body: ApprovalDecision, options: RequestOptions = {}): ApiPromise<Approval> {
    return this.#http.json({ method: 'POST', path: `/api/v1/Conversation/${segment('conversationId', conversationId)}/approval`, body }, options)
  }
}
