// Generated from the contract by `npm run generate`. What is changed here is lost.

import type { Conversation, Message } from '../schemas/conversation.js'
import type { ApiPromise } from '../../rest/api-promise.js'
import type { HttpClient } from '../../rest/http-client.js'
import type { ListPromise } from '../../rest/list-promise.js'
import type { ChangeOptions, RequestOptions } from '../../rest/request-options.js'
import { segment } from '../../rest/request-url.js'

export interface ListConversationsQuery {
  /** The number of items to skip. Default: `0`. */
  Offset?: number | undefined
  /** The maximum number of items. Default: `50`. */
  Limit?: number | undefined
  /** Only conversations of this agent. */
  AgentId?: string | undefined
  /**
   * Only conversations whose title contains this text, or that have a message of user or agent with all of its
   * words. The last word may be a prefix.
   */
  Search?: string | undefined
  /** Only conversations of rehearsals, or only those outside of rehearsals. */
  Rehearsal?: 'true' | 'false' | undefined
}

export interface ListMessagesQuery {
  /** The number of items to skip. Default: `0`. */
  Offset?: number | undefined
  /** The maximum number of items. Default: `50`. */
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
   * Requires the scope `conversation:read`.
   *
   * @returns One page of the conversations.
   */
  list(query: ListConversationsQuery = {}, options: RequestOptions = {}): ListPromise<Conversation> {
    return this.#http.list({ method: 'GET', path: '/api/v1/Conversation', query }, options)
  }

  /**
   * Read a conversation.
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
   * Also deletes its messages. Running sessions of the conversation end with 4005.
   *
   * Requires the scope `conversation:write`.
   *
   * @returns The conversation is deleted. The answer has no body.
   */
  delete(conversationId: string, options: ChangeOptions = {}): ApiPromise<void> {
    return this.#http.json({ method: 'DELETE', path: `/api/v1/Conversation/${segment('conversationId', conversationId)}` }, options)
  }

  /**
   * List the messages of a conversation.
   *
   * In the order of the conversation.
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
