// Generated from the contract by `npm run generate`. What is changed here is lost.

import type { Conversation, Message } from '../schemas/conversation.js'
import type { ApiPromise } from '../../rest/api-promise.js'
import type { HttpClient } from '../../rest/http-client.js'
import type { ListPromise } from '../../rest/list-promise.js'
import type { ChangeOptions, RequestOptions } from '../../rest/request-options.js'
import { segment } from '../../rest/request-url.js'

export interface ListConversationsQuery {
  /** How many items to skip. Default: `0`. */
  Offset?: number | undefined
  /** How many items to answer at most. Default: `50`. */
  Limit?: number | undefined
  /** Only conversations of this agent. */
  AgentId?: string | undefined
  /**
   * Only conversations whose title holds this text, or in which the user or the agent has said all of its
   * words in one message; the last word may be the beginning of one.
   */
  Search?: string | undefined
  /** Only conversations of rehearsals, or only of what is none. */
  Rehearsal?: 'true' | 'false' | undefined
}

export interface ListMessagesQuery {
  /** How many items to skip. Default: `0`. */
  Offset?: number | undefined
  /** How many items to answer at most. Default: `50`. */
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
   * Needs the scope `conversation:read`.
   *
   * @returns One page of the conversations.
   */
  list(query: ListConversationsQuery = {}, options: RequestOptions = {}): ListPromise<Conversation> {
    return this.#http.list({ method: 'GET', path: '/api/v1/Conversation', query }, options)
  }

  /**
   * Read a conversation.
   *
   * Needs the scope `conversation:read`.
   *
   * @returns The conversation, without its messages.
   */
  get(conversationId: string, options: RequestOptions = {}): ApiPromise<Conversation> {
    return this.#http.json({ method: 'GET', path: `/api/v1/Conversation/${segment('conversationId', conversationId)}` }, options)
  }

  /**
   * Delete a conversation.
   *
   * With its messages; sessions that run on it end with 4005.
   *
   * Needs the scope `conversation:write`.
   *
   * @returns The conversation is deleted; there is no body.
   */
  delete(conversationId: string, options: ChangeOptions = {}): ApiPromise<void> {
    return this.#http.json({ method: 'DELETE', path: `/api/v1/Conversation/${segment('conversationId', conversationId)}` }, options)
  }

  /**
   * List the messages of a conversation.
   *
   * In the order they were said.
   *
   * Needs the scope `conversation:read`.
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
