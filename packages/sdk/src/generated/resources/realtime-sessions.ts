// Generated from the contract by `npm run generate`. Do not edit.

import type { RealtimeSession, RealtimeSessionRequest, RealtimeSessionTicket, RealtimeSessionTimeline, RealtimeStatistics } from '../schemas/realtime-session.js'
import type { ApiPromise } from '../../rest/api-promise.js'
import type { HttpClient } from '../../rest/http-client.js'
import type { ListPromise } from '../../rest/list-promise.js'
import type { RequestOptions } from '../../rest/request-options.js'
import { segment } from '../../rest/request-url.js'

export interface ListRealtimeSessionsQuery {
  /** The number of items to skip. Default: `0`. */
  Offset?: number | undefined
  /** The maximum number of items to return. Default: `50`. */
  Limit?: number | undefined
  /** Only return sessions of this end user. */
  EndUserId?: string | undefined
  /** Only return sessions of the end user with this external ID. */
  ExternalUserId?: string | undefined
  /** Only return sessions of this agent. */
  AgentId?: string | undefined
  /** Only return sessions of this conversation. */
  ConversationId?: string | undefined
  /** If `true`, only return active sessions. If `false`, only return ended sessions. */
  IsRunning?: 'true' | 'false' | undefined
  /** Only return sessions with this end reason. */
  EndReason?: 'client_left' | 'message_too_big' | 'internal' | 'draining' | 'max_duration' | 'idle_timeout' | 'provider_unavailable' | 'provider_closed' | 'slow_consumer' | 'terminated' | 'budget_exceeded' | 'client_lost' | 'instance_lost' | 'refused' | undefined
  /** If `true`, only return sessions of rehearsals (test mode). If `false`, exclude them. */
  Rehearsal?: 'true' | 'false' | undefined
  /** Only return sessions created at or after this time. */
  From?: string | undefined
  /** Only return sessions created before this time. */
  To?: string | undefined
  /** A value that the metadata must have. At most 5. */
  [filter: `Metadata.${string}`]: string | undefined
}

export interface GetRealtimeSessionStatisticsQuery {
  /** Only return sessions that started at or after this time. If omitted, seven days before `To`. */
  From?: string | undefined
  /** Only return sessions that started before this time. If omitted, the current time. */
  To?: string | undefined
  /** The length of the buckets. Default: `"day"`. */
  By?: 'hour' | 'day' | undefined
  /** Only return sessions of this agent. */
  AgentId?: string | undefined
  /** The IANA time zone of the buckets, for example `Europe/Berlin`. Default: `"UTC"`. */
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
   * Returns a one-time token. The client must open the WebSocket at `webSocketPath` before the token expires.
   *
   * Requires the scope `realtime:create`.
   *
   * @returns The ticket for opening one WebSocket connection.
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
   * Query parameters such as `Metadata.plan=pro` return only items whose metadata has this value. At most 5.
   *
   * Requires the scope `conversation:read`.
   *
   * @returns One page of the sessions.
   */
  list(query: ListRealtimeSessionsQuery = {}, options: RequestOptions = {}): ListPromise<RealtimeSession> {
    return this.#http.list({ method: 'GET', path: '/api/v1/RealtimeSession', query }, options)
  }

  /**
   * Retrieve session statistics.
   *
   * Returns statistics of the realtime sessions by the hour or day of their start: number, end reasons,
   * duration, usage and latency. The period cannot exceed 92 days.
   *
   * Requires the scope `conversation:read`.
   *
   * @returns The totals for the whole period and for each hour or day.
   */
  getStatistics(
    query: GetRealtimeSessionStatisticsQuery = {},
    options: RequestOptions = {},
  ): ApiPromise<RealtimeStatistics> {
    return this.#http.json({ method: 'GET', path: '/api/v1/RealtimeSession/statistics', query }, options)
  }

  /**
   * Retrieve a realtime session.
   *
   * Requires the scope `conversation:read`.
   *
   * @returns The realtime session.
   */
  get(realtimeSessionId: string, options: RequestOptions = {}): ApiPromise<RealtimeSession> {
    return this.#http.json({ method: 'GET', path: `/api/v1/RealtimeSession/${segment('realtimeSessionId', realtimeSessionId)}` }, options)
  }

  /**
   * End a realtime session.
   *
   * Closes an active session with 4005, on any instance. An unused token stops working. The session itself is
   * not deleted.
   *
   * Requires the scope `conversation:write`.
   *
   * @returns The session has ended or is about to end. The response has no body.
   */
  end(realtimeSessionId: string, options: RequestOptions = {}): ApiPromise<void> {
    return this.#http.json({ method: 'DELETE', path: `/api/v1/RealtimeSession/${segment('realtimeSessionId', realtimeSessionId)}` }, options)
  }

  /**
   * Retrieve the timeline of a realtime session.
   *
   * Returns the exchanges of the session with their timings. While the session is active, only completed
   * exchanges are included.
   *
   * Requires the scope `conversation:read`.
   *
   * @returns The timeline of the session.
   */
  getTimeline(realtimeSessionId: string, options: RequestOptions = {}): ApiPromise<RealtimeSessionTimeline> {
    return this.#http.json({ method: 'GET', path: `/api/v1/RealtimeSession/${segment('realtimeSessionId', realtimeSessionId)}/timeline` }, options)
  }
}
