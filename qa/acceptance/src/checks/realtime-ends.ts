import type { RealtimeSession } from '@parley/sdk'
import type { Check } from '../check.js'
import { expectEqual, expectThat } from '../expectations.js'
import { sessionScopes, startSession } from '../realtime/ticket.js'
import type { Visit } from '../visit.js'
import { eventually, inTime } from '../waiting.js'

const needs = [...sessionScopes, 'conversation:read'] as const

export const realtimeEndChecks: readonly Check[] = [
  {
    title: 'a client that leaves ends its session, and the reason is stored',
    needs,
    look: 'the log of the session, and whether the proxy forwards closes',
    async run(visit) {
      const { ticket, session } = await startSession(visit)
      await session.leave()
      const { state, startedAt } = await ended(visit, ticket.conversationId, 'client_left')
      expectThat(state === 'consumed' && startedAt !== null, 'a session that has started', {
        state,
        startedAt,
      })
    },
  },
  {
    title: 'a session that is ended over the API closes with 4005',
    needs,
    look: 'with several instances, REDIS_URL: without it the other instances notice an end within a second',
    async run(visit) {
      const { ticket, session } = await startSession(visit)
      const { items } = await visit.parley.realtimeSessions.list({ ConversationId: ticket.conversationId })
      await visit.parley.realtimeSessions.end(items[0]?.id ?? '')
      const { code } = await inTime(session.closed, {
        expected: 'a close',
        withinSeconds: 10,
        got: () => 'none',
      })
      expectEqual(code, 4005, 'the close code')
      await ended(visit, ticket.conversationId, 'terminated')
    },
  },
  {
    title: 'a message that is too large closes the session with 1009',
    needs,
    look: 'PARLEY_REALTIME_MAX_MESSAGE_BYTES, and --frame-bytes if it is not 65536',
    async run(visit) {
      const { ticket, session } = await startSession(visit)
      const audio = 'A'.repeat(visit.run.options.frameBytes)
      session.send({ type: 'input_audio_buffer.append', audio })
      const { code } = await inTime(session.closed, {
        expected: 'a close',
        withinSeconds: 10,
        got: () => 'none',
      })
      expectEqual(code, 1009, 'the close code')
      await ended(visit, ticket.conversationId, 'message_too_big')
    },
  },
]

/** Returns the only session of a conversation, once its end is stored. */
async function ended(visit: Visit, ConversationId: string, reason: string): Promise<RealtimeSession> {
  const { items } = await eventually(
    () => visit.parley.realtimeSessions.list({ ConversationId }),
    (page) => page.items.every(({ endedAt }) => endedAt !== null),
    { expected: 'the end of the session in the API', withinSeconds: 10, signal: visit.signal },
  )
  const [session] = items
  expectThat(session !== undefined && items.length === 1, 'one session of the conversation', items)
  expectEqual(session.endReason, reason, 'the end reason')
  return session
}
