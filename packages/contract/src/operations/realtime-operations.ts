import { z } from 'zod'
import { id } from '../field.js'
import { defineOperation } from '../operation.js'
import {
  RealtimeSession,
  RealtimeSessionListQuery,
  RealtimeSessionPage,
} from '../realtime/realtime-session.js'
import { RealtimeSessionRequest, RealtimeSessionTicket } from '../realtime/session-request.js'
import { RealtimeStatistics, RealtimeStatisticsQuery } from '../realtime/session-statistics.js'
import { RealtimeSessionTimeline } from '../realtime/session-timeline.js'

const tag = 'RealtimeSession'
const params = z.strictObject({ realtimeSessionId: id().describe('The id of the session (not its token).') })

export const realtimeOperations = {
  createRealtimeSession: defineOperation({
    operationId: 'createRealtimeSession',
    method: 'POST',
    path: '/api/v1/Agent/{agentId}/realtime-session',
    tag,
    summary: 'Create a realtime session',
    description:
      'Returns a one-time token. The client opens the WebSocket at webSocketPath before the token expires.',
    scope: 'realtime:create',
    params: z.strictObject({ agentId: id().describe('The id of the agent.') }),
    body: RealtimeSessionRequest,
    outcome: 'The ticket for one WebSocket connection.',
    status: 201,
    answer: RealtimeSessionTicket,
    refusals: [
      'RealtimeNotEnabled',
      'RealtimeUnsupportedConnection',
      'RealtimeUnsupportedModel',
      'RealtimeAudioFormatUnsupported',
      'BudgetExceeded',
    ],
  }),
  listRealtimeSessions: defineOperation({
    operationId: 'listRealtimeSessions',
    method: 'GET',
    path: '/api/v1/RealtimeSession',
    tag,
    summary: 'List realtime sessions',
    scope: 'conversation:read',
    query: RealtimeSessionListQuery,
    outcome: 'One page of the sessions.',
    status: 200,
    answer: RealtimeSessionPage,
  }),
  getRealtimeSessionStatistics: defineOperation({
    operationId: 'getRealtimeSessionStatistics',
    method: 'GET',
    path: '/api/v1/RealtimeSession/statistics',
    tag,
    summary: 'Read session statistics',
    description:
      'Sessions by the hour or day of their start: count, end reasons, duration, usage and latency. At most 92 days at once.',
    scope: 'conversation:read',
    query: RealtimeStatisticsQuery,
    outcome: 'The sums of the whole time and of each hour or day.',
    status: 200,
    answer: RealtimeStatistics,
  }),
  getRealtimeSession: defineOperation({
    operationId: 'getRealtimeSession',
    method: 'GET',
    path: '/api/v1/RealtimeSession/{realtimeSessionId}',
    tag,
    summary: 'Read a realtime session',
    scope: 'conversation:read',
    params,
    outcome: 'The session.',
    status: 200,
    answer: RealtimeSession,
  }),
  getRealtimeSessionTimeline: defineOperation({
    operationId: 'getRealtimeSessionTimeline',
    method: 'GET',
    path: '/api/v1/RealtimeSession/{realtimeSessionId}/timeline',
    tag,
    summary: 'Read the timeline of a session',
    description:
      'While the session runs, its finished exchanges. The current exchange follows when it is over.',
    scope: 'conversation:read',
    params,
    outcome: 'The exchanges of the session.',
    status: 200,
    answer: RealtimeSessionTimeline,
  }),
  endRealtimeSession: defineOperation({
    operationId: 'endRealtimeSession',
    method: 'DELETE',
    path: '/api/v1/RealtimeSession/{realtimeSessionId}',
    tag,
    summary: 'End a realtime session',
    description:
      'Closes a running session with 4005, on any instance. An unused token stops working. The record stays.',
    scope: 'conversation:write',
    params,
    outcome: 'The session has ended or is about to end. The answer has no body.',
    status: 204,
  }),
}
