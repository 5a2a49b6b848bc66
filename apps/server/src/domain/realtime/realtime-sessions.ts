import {
  metadataFilterOf,
  type Page,
  type RealtimeSession,
  type RealtimeSessionListQuery,
  type RealtimeSessionTimeline,
} from '@parley/contract'
import type { RealtimeSessionRecord } from '../../ports/realtime-stores.js'
import type { Clock } from '../../ports/time.js'
import { recordChange } from '../audit/record-change.js'
import type { CallerScope } from '../caller-scope.js'
import { notFound } from '../domain-error.js'

const type = 'RealtimeSession'

export type PresentedSession = Omit<RealtimeSessionRecord, 'state'> & Pick<RealtimeSession, 'state'>

export type RealtimeSessions = ReturnType<typeof makeRealtimeSessions>

export function makeRealtimeSessions({ clock }: { readonly clock: Clock }) {
  /** Presents an unused token as expired once its time has passed. This does not write a row. */
  function present(record: RealtimeSessionRecord): PresentedSession {
    const isExpired = record.state === 'issued' && Date.parse(record.expiresAt) <= clock.now().getTime()
    return { ...record, state: isExpired ? 'expired' : record.state }
  }

  async function find({ stores, caller }: CallerScope, id: string): Promise<RealtimeSessionRecord> {
    const record = await stores.realtimeSessions.find(caller.organizationId, id)
    if (record === null) throw notFound(type)
    return record
  }

  return {
    async list(
      { stores, caller }: CallerScope,
      query: RealtimeSessionListQuery,
    ): Promise<Page<PresentedSession>> {
      const page = { offset: query.Offset, limit: query.Limit }
      const filter = {
        agentId: query.AgentId,
        conversationId: query.ConversationId,
        isRunning: query.IsRunning,
        rehearsal: query.Rehearsal,
        endReason: query.EndReason,
        from: query.From,
        to: query.To,
        endUserId: query.EndUserId,
        externalUserId: query.ExternalUserId,
        metadata: metadataFilterOf(query),
      }
      const { items, totalCount } = await stores.realtimeSessions.list(caller.organizationId, filter, page)
      return { items: items.map(present), totalCount, ...page }
    },

    read: async (scope: CallerScope, id: string) => present(await find(scope, id)),

    async timeline(scope: CallerScope, id: string): Promise<RealtimeSessionTimeline> {
      const { startedAt, endedAt } = await find(scope, id)
      const exchanges = await scope.stores.realtimeExchanges.ofSession(id)
      return { realtimeSessionId: id, startedAt, endedAt, exchanges: [...exchanges] }
    },

    /** Requests the end of a session. The instance that runs it ends it within about a second. */
    async end(scope: CallerScope, id: string): Promise<undefined> {
      const { stores, caller } = scope
      const { endUserId } = await find(scope, id)
      const ended = await stores.realtimeSessions.requestEnd(
        caller.organizationId,
        { id },
        clock.now().toISOString(),
      )
      const details = endUserId === null ? {} : { endUserId }
      if (ended > 0) await recordChange(clock, scope, { action: 'realtime_session.end', type, id, details })
    },
  }
}
