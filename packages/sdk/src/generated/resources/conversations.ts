// Generated from the contract by `npm run generate`. Do not edit.

import type { Conversation, Message } from '../schemas/conversation.js'
import type { ApiPromise } from '../../rest/api-promise.js'
import type { HttpClient } from '../../rest/http-client.js'
import type { ListPromise } from '../../rest/list-promise.js'
import type { ChangeOptions, RequestOptions } from '../../rest/request-options.js'
import { segment } from '../../rest/request-url.js'

export interface ListConversationsQuery {
  /** The number of items to skip. Default: `0`. */
  Offset?: number | undefined
  /** The maximum number of items to return. Default: `50`. */
  Limit?: number | undefined
  /** Only return conversations of this end user. */
  EndUserId?: string | undefined
  /** Only return conversations of the end user with this external ID. */
  ExternalUserId?: string | undefined
  /** Only return conversations of this agent. */
  AgentId?: string | undefined
  /**
   * Only return conversations whose title contains this text, or which have a user or agent message with all
   * words of this text. The last word can be a prefix.
   */
  Search?: string | undefined
  /** If `true`, only return conversations of rehearsals (test mode). If `false`, exclude them. */
  Rehearsal?: 'true' | 'false' | undefined
  /** A value that the metadata must have. At most 5. */
  [filter: `Metadata.${string}`]: string | undefined
}

export interface ListMessagesQuery {
  /** The number of items to skip. Default: `0`. */
  Offset?: number | undefined
  /** The maximum number of items to return. Default: `50`. */
  Limit?: number | undefined
}

export class Conversations {
  readonly #http: HttpClient

  constructor(http: HttpClient) {
    this.#http = http
  }

  /**
   * List conversations.
   *
   * Query parameters such as `Metadata.plan=pro` return only items whose metadata has this value. At most 5.
   *
   * Requires the scope `conversation:read`.
   *
   * @returns One page of the conversations.
   */
  list(query: ListConversationsQuery = {}, options: RequestOptions = {}): ListPromise<Conversation> {
    return this.#http.list({ method: 'GET', path: '/api/v1/Conversation', query }, options)
  }

  /**
   * Retrieve a conversation.
   *
   * Requires the scope `conversation:read`.
   *
   * @returns The conversation, without its messages.
   */
  get(conversationId: string, options: RequestOptions = {}): ApiPromise<Conversation> {
    return this.#http.json({ method: 'GET', path: `/api/v1/Conversation/${segment('conversationId', conversationId)}` }, options)
  }

  /**
   * Delete a conversation.
   *
   * Also deletes the messages of the conversation. Its active realtime sessions are closed with 4005.
   *
   * Requires the scope `conversation:write`.
   *
   * @returns The conversation was deleted. The response has no body.
   */
  delete(conversationId: string, options: ChangeOptions = {}): ApiPromise<void> {
    return this.#http.json({ method: 'DELETE', path: `/api/v1/Conversation/${segment('conversationId', conversationId)}` }, options)
  }

  /**
   * List the messages of a conversation.
   *
   * Returns the messages in chronological order.
   *
   * Requires the scope `conversation:read`.
   *
   * @returns One page of the messages.
   */
  listMessages(
    conversationId: string,
    query: ListMessagesQuery = {},
    options: RequestOptions = {},
  ): ListPromise<Message> {
    return this.#http.list({ method: 'GET', path: `/api/v1/Conversation/${segment('conversationId', conversationId)}/message`, query }, options)
  }
}
