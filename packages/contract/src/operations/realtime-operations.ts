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
const params = z.strictObject({
  realtimeSessionId: id().describe('The ID of the realtime session (not its token).'),
})

export const realtimeOperations = {
  createRealtimeSession: defineOperation({
    operationId: 'createRealtimeSession',
    method: 'POST',
    path: '/api/v1/Agent/{agentId}/realtime-session',
    tag,
    summary: 'Create a realtime session',
    description:
      'Returns a one-time token. The client must open the WebSocket at `webSocketPath` before the token expires.',
    scope: 'realtime:create',
    params: z.strictObject({ agentId: id().describe('The ID of the agent.') }),
    body: RealtimeSessionRequest,
    outcome: 'The ticket for opening one WebSocket connection.',
    status: 201,
    response: RealtimeSessionTicket,
    errors: [
      'RealtimeNotEnabled',
      'RealtimeUnsupportedConnection',
      'RealtimeUnsupportedModel',
      'RealtimeAudioFormatUnsupported',
      'BudgetExceeded',
      'ErasureInProgress',
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
    response: RealtimeSessionPage,
  }),
  getRealtimeSessionStatistics: defineOperation({
    operationId: 'getRealtimeSessionStatistics',
    method: 'GET',
    path: '/api/v1/RealtimeSession/statistics',
    tag,
    summary: 'Retrieve session statistics',
    description:
      'Returns statistics of the realtime sessions by the hour or day of their start: number, end reasons, duration, usage and latency. The period cannot exceed 92 days.',
    scope: 'conversation:read',
    query: RealtimeStatisticsQuery,
    outcome: 'The totals for the whole period and for each hour or day.',
    status: 200,
    response: RealtimeStatistics,
  }),
  getRealtimeSession: defineOperation({
    operationId: 'getRealtimeSession',
    method: 'GET',
    path: '/api/v1/RealtimeSession/{realtimeSessionId}',
    tag,
    summary: 'Retrieve a realtime session',
    scope: 'conversation:read',
    params,
    outcome: 'The realtime session.',
    status: 200,
    response: RealtimeSession,
  }),
  getRealtimeSessionTimeline: defineOperation({
    operationId: 'getRealtimeSessionTimeline',
    method: 'GET',
    path: '/api/v1/RealtimeSession/{realtimeSessionId}/timeline',
    tag,
    summary: 'Retrieve the timeline of a realtime session',
    description:
      'Returns the exchanges of the session with their timings. While the session is active, only completed exchanges are included.',
    scope: 'conversation:read',
    params,
    outcome: 'The timeline of the session.',
    status: 200,
    response: RealtimeSessionTimeline,
  }),
  endRealtimeSession: defineOperation({
    operationId: 'endRealtimeSession',
    method: 'DELETE',
    path: '/api/v1/RealtimeSession/{realtimeSessionId}',
    tag,
    summary: 'End a realtime session',
    description:
      'Closes an active session with 4005, on any instance. An unused token stops working. The session itself is not deleted.',
    scope: 'conversation:write',
    params,
    outcome: 'The session has ended or is about to end. The response has no body.',
    status: 204,
  }),
}
