// Generated from the contract by `npm run generate`. What is changed here is lost.

import type { RealtimeSession, RealtimeSessionRequest, RealtimeSessionTicket, RealtimeSessionTimeline, RealtimeStatistics } from '../schemas/realtime-session.js'
import type { ApiPromise } from '../../rest/api-promise.js'
import type { HttpClient } from '../../rest/http-client.js'
import type { ListPromise } from '../../rest/list-promise.js'
import type { RequestOptions } from '../../rest/request-options.js'
import { segment } from '../../rest/request-url.js'

export interface ListRealtimeSessionsQuery {
  /** The number of items to skip. Default: `0`. */
  Offset?: number | undefined
  /** The maximum number of items. Default: `50`. */
  Limit?: number | undefined
  /** Only sessions of this agent. */
  AgentId?: string | undefined
  /** Only sessions of this conversation. */
  ConversationId?: string | undefined
  /** Only running sessions, or only ended ones. */
  IsRunning?: 'true' | 'false' | undefined
  /** Only sessions with this end reason. */
  EndReason?: 'client_left' | 'message_too_big' | 'internal' | 'draining' | 'max_duration' | 'idle_timeout' | 'provider_unavailable' | 'provider_closed' | 'slow_consumer' | 'terminated' | 'budget_exceeded' | 'client_lost' | 'instance_lost' | 'refused' | undefined
  /** Only sessions of rehearsals, or only those outside of rehearsals. */
  Rehearsal?: 'true' | 'false' | undefined
  /** Only sessions created at or after this time. */
  From?: string | undefined
  /** Only sessions created before this time. */
  To?: string | undefined
}

export interface GetRealtimeSessionStatisticsQuery {
  /** Only sessions that started at or after this time. Default: seven days before the end. */
  From?: string | undefined
  /** Only sessions that started before this time. Default: now. */
  To?: string | undefined
  /** The length of a bucket. Default: `"day"`. */
  By?: 'hour' | 'day' | undefined
  /** Only sessions of this agent. */
  AgentId?: string | undefined
  /** The time zone of hours and days, such as Europe/Berlin. Default: `"UTC"`. */
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
   * Returns a one-time token. The client opens the WebSocket at webSocketPath before the token expires.
   *
   * Requires the scope `realtime:create`.
   *
   * @returns The ticket for one WebSocket connection.
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
   * Requires the scope `conversation:read`.
   *
   * @returns One page of the sessions.
   */
  list(query: ListRealtimeSessionsQuery = {}, options: RequestOptions = {}): ListPromise<RealtimeSession> {
    return this.#http.list({ method: 'GET', path: '/api/v1/RealtimeSession', query }, options)
  }

  /**
   * Read session statistics.
   *
   * Sessions by the hour or day of their start: count, end reasons, duration, usage and latency. At most 92
   * days at once.
   *
   * Requires the scope `conversation:read`.
   *
   * @returns The sums of the whole time and of each hour or day.
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
   * Requires the scope `conversation:read`.
   *
   * @returns The session.
   */
  get(realtimeSessionId: string, options: RequestOptions = {}): ApiPromise<RealtimeSession> {
    return this.#http.json({ method: 'GET', path: `/api/v1/RealtimeSession/${segment('realtimeSessionId', realtimeSessionId)}` }, options)
  }

  /**
   * End a realtime session.
   *
   * Closes a running session with 4005, on any instance. An unused token stops working. The record stays.
   *
   * Requires the scope `conversation:write`.
   *
   * @returns The session has ended or is about to end. The answer has no body.
   */
  end(realtimeSessionId: string, options: RequestOptions = {}): ApiPromise<void> {
    return this.#http.json({ method: 'DELETE', path: `/api/v1/RealtimeSession/${segment('realtimeSessionId', realtimeSessionId)}` }, options)
  }

  /**
   * Read the timeline of a session.
   *
   * While the session runs, its finished exchanges. The current exchange follows when it is over.
   *
   * Requires the scope `conversation:read`.
   *
   * @returns The exchanges of the session.
   */
  getTimeline(realtimeSessionId: string, options: RequestOptions = {}): ApiPromise<RealtimeSessionTimeline> {
    return this.#http.json({ method: 'GET', path: `/api/v1/RealtimeSession/${segment('realtimeSessionId', realtimeSessionId)}/timeline` }, options)
  }
}
