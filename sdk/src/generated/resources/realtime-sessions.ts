// Generated from the contract by `npm run generate`. What is changed here is lost.

import type { RealtimeSession, RealtimeSessionRequest, RealtimeSessionTicket } from '../schemas/realtime-session.js'
import type { ApiPromise } from '../../rest/api-promise.js'
import type { HttpClient } from '../../rest/http-client.js'
import type { ListPromise } from '../../rest/list-promise.js'
import type { RequestOptions } from '../../rest/request-options.js'
import { segment } from '../../rest/request-url.js'

export interface ListRealtimeSessionsQuery {
  /** How many items to skip. Default: `0`. */
  Offset?: number | undefined
  /** How many items to answer at most. Default: `50`. */
  Limit?: number | undefined
  /** Only sessions of this agent. */
  AgentId?: string | undefined
  /** Only sessions of this conversation. */
  ConversationId?: string | undefined
  /** Only sessions that are running, or that are not. */
  IsRunning?: 'true' | 'false' | undefined
}

export class RealtimeSessions {
  readonly #http: HttpClient

  constructor(http: HttpClient) {
    this.#http = http
  }

  /**
   * Create a realtime session.
   *
   * Answers a one-time token. The client opens the WebSocket at webSocketPath before it expires.
   *
   * Needs the scope `realtime:create`.
   *
   * @returns The ticket: the way to the WebSocket, good once.
   */
  create(
    agentId: string,
    body: RealtimeSessionRequest = {},
    options: RequestOptions = {},
  ): ApiPromise<RealtimeSessionTicket> {
    return this.#http.json({ method: 'POST', path: `/api/v1/Agent/${segment('agentId', agentId)}/realtime-session`, body }, options)
  }

  /**
   * List realtime sessions.
   *
   * Needs the scope `conversation:read`.
   *
   * @returns One page of the sessions.
   */
  list(query: ListRealtimeSessionsQuery = {}, options: RequestOptions = {}): ListPromise<RealtimeSession> {
    return this.#http.list({ method: 'GET', path: '/api/v1/RealtimeSession', query }, options)
  }

  /**
   * Read a realtime session.
   *
   * Needs the scope `conversation:read`.
   *
   * @returns The session.
   */
  get(realtimeSessionId: string, options: RequestOptions = {}): ApiPromise<RealtimeSession> {
    return this.#http.json({ method: 'GET', path: `/api/v1/RealtimeSession/${segment('realtimeSessionId', realtimeSessionId)}` }, options)
  }

  /**
   * End a realtime session.
   *
   * A running session is closed with 4005, on whichever instance it runs; an unused token stops working. The
   * record stays.
   *
   * Needs the scope `conversation:write`.
   *
   * @returns The session has ended or is about to; there is no body.
   */
  end(realtimeSessionId: string, options: RequestOptions = {}): ApiPromise<void> {
    return this.#http.json({ method: 'DELETE', path: `/api/v1/RealtimeSession/${segment('realtimeSessionId', realtimeSessionId)}` }, options)
  }
}
