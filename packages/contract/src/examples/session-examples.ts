import type { RealtimeStatistics } from '../realtime/session-statistics.js'
import type { RealtimeSessionTimeline } from '../realtime/session-timeline.js'
import { session } from './conversation-examples.js'

export const timeline: RealtimeSessionTimeline = {
  realtimeSessionId: session.id,
  startedAt: session.startedAt,
  endedAt: session.endedAt,
  exchanges: [
    {
      number: 1,
      speechStoppedAt: 4180,
      typedAt: null,
      responseCreatedAt: 4203,
      firstTokenAt: 6014,
      firstAudioAt: 6096,
      tools: [
        {
          callId: 'call_4f1c9a7e',
          name: 'find_booking',
          runBy: 'service',
          startedAt: 4790,
          endedAt: 4981,
          waitedForApprovalMs: 0,
        },
      ],
      doneAt: 8352,
      status: 'completed',
    },
  ],
}

const figures = {
  sessions: 1,
  ends: [{ reason: 'client_left' as const, sessions: 1 }],
  seconds: 221.804,
  usage: session.usage,
  exchanges: 4,
  firstAudioP50Ms: 820,
  firstAudioP95Ms: 1450,
}

export const statistics: RealtimeStatistics = {
  from: '2026-11-15T00:00:00.000Z',
  to: '2026-11-16T00:00:00.000Z',
  total: figures,
  buckets: [{ from: '2026-11-15T00:00:00.000Z', to: '2026-11-16T00:00:00.000Z', ...figures }],
}
