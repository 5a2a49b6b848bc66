// Generated from the contract by `npm run generate`. What is changed here is lost.

import type { RealtimeSession, RealtimeSessionRequest, RealtimeSessionTicket, RealtimeSessionTimeline, RealtimeStatistics } from '../schemas/realtime-session.js'
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
  /** Only sessions that ended for this reason. */
  EndReason?: 'client_left' | 'message_too_big' | 'internal' | 'draining' | 'max_duration' | 'idle_timeout' | 'provider_unavailable' | 'provider_closed' | 'slow_consumer' | 'terminated' | 'budget_exceeded' | 'client_lost' | 'instance_lost' | 'refused' | undefined
  /** Only sessions of rehearsals, or only of what is none. */
  Rehearsal?: 'true' | 'false' | undefined
  /** Only sessions that were created at or after this moment. */
  From?: string | undefined
  /** Only sessions that were created before this moment. */
  To?: string | undefined
}

export interface GetRealtimeSessionStatisticsQuery {
  /** Only sessions that started at or after this moment; seven days before the end if left out. */
  From?: string | undefined
  /** Only sessions that started before this moment; now if left out. */
  To?: string | undefined
  /** How long a bucket is. Default: `"day"`. */
  By?: 'hour' | 'day' | undefined
  /** Only sessions of this agent. */
  AgentId?: string | undefined
  /** Where hours and days begin: a name such as Europe/Berlin. Default: `"UTC"`. */
  TimeZone?: string | undefined
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
   * Sum up realtime sessions.
   *
   * Sessions by the hour or day in which they started: how many, how they ended, how long they lasted, what
   * they used and how soon they answered. At most 92 days at once.
   *
   * Needs the scope `conversation:read`.
   *
   * @returns The sums, of all of it and of each hour or day.
   */
  getStatistics(
    query: GetRealtimeSessionStatisticsQuery = {},
    options: RequestOptions = {},
  ): ApiPromise<RealtimeStatistics> {
    return this.#http.json({ method: 'GET', path: '/api/v1/RealtimeSession/statistics', query }, options)
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

  /**
   * Read what a session's time went into.
   *
   * While the session runs, its exchanges so far; the one under way comes when it is over.
   *
   * Needs the scope `conversation:read`.
   *
   * @returns The exchanges of the session.
   */
  getTimeline(realtimeSessionId: string, options: RequestOptions = {}): ApiPromise<RealtimeSessionTimeline> {
    return this.#http.json({ method: 'GET', path: `/api/v1/RealtimeSession/${segment('realtimeSessionId', realtimeSessionId)}/timeline` }, options)
  }
}
