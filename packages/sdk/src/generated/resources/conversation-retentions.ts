// Generated from the contract by `npm run generate`. Do not edit.

import type { ConversationRetention, ConversationRetentionPatch, ConversationRetentionPreview } from '../schemas/conversation-retention.js'
import type { ApiPromise } from '../../rest/api-promise.js'
import type { HttpClient } from '../../rest/http-client.js'
import type { RequestOptions } from '../../rest/request-options.js'

export interface PreviewConversationRetentionQuery {
  /**
   * Counts with this number of days instead of the stored one of the organization, or of the agent if
   * `AgentId` is set.
   */
  Days?: string | undefined
  /** Only counts conversations of this agent. */
  AgentId?: string | undefined
}

export class ConversationRetentions {
  readonly #http: HttpClient

  constructor(http: HttpClient) {
    this.#http = http
  }

  /**
   * Retrieve the retention of conversations.
   *
   * Requires the scope `conversation:read`.
   *
   * @returns The retention of conversations.
   */
  get(options: RequestOptions = {}): ApiPromise<ConversationRetention> {
    return this.#http.json({ method: 'GET', path: '/api/v1/ConversationRetention' }, options)
  }

  /**
   * Update the retention of conversations.
   *
   * Conversations whose last activity is older are removed within minutes, with everything that belongs to
   * them. Conversations with running sessions, turns or tasks are kept until these have ended.
   *
   * Requires the scope `org:manage`.
   *
   * @returns The updated retention of conversations.
   */
  patch(body: ConversationRetentionPatch, options: RequestOptions = {}): ApiPromise<ConversationRetention> {
    return this.#http.json({ method: 'PATCH', path: '/api/v1/ConversationRetention', body }, options)
  }

  /**
   * Preview the retention of conversations.
   *
   * Counts the conversations that a retention would remove now. Nothing is removed.
   *
   * Requires the scope `conversation:read`.
   *
   * @returns The counts of conversations and messages.
   */
  preview(
    query: PreviewConversationRetentionQuery = {},
    options: RequestOptions = {},
  ): ApiPromise<ConversationRetentionPreview> {
    return this.#http.json({ method: 'GET', path: '/api/v1/ConversationRetention/preview', query }, options)
  }
}
