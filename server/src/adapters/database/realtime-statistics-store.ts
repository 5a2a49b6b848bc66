import type { RealtimeUsage } from '@parley/contract'
import { type SQL, sql } from 'drizzle-orm'
import type {
  LatencyCount,
  RealtimeStatisticsStore,
  SessionSums,
  StatisticsRequest,
} from '../../ports/realtime-statistics-store.js'
import type { Handle } from './handle.js'
import { realtimeSessionFigures as figures } from './realtime-schema.js'

type SumRow = Record<string, unknown> & Omit<SessionSums, 'usage'> & RealtimeUsage

export function makeRealtimeStatisticsStore(handle: Handle): RealtimeStatisticsStore {
  return {
    async sums(request) {
      const { rows } = await handle.execute<SumRow>(sql`
        select ${bucketOf(request)} as bucket, ${figures.endReason} as "endReason", count(*)::integer as sessions,
          sum(greatest(0, date_part('epoch',
            coalesce(${figures.endedAt}, ${request.now}::timestamptz) - ${figures.startedAt}))) as seconds,
          sum(${figures.exchanges})::double precision as exchanges,
          sum(${figures.responses}) as responses, sum(${figures.totalTokens}) as "totalTokens",
          sum(${figures.inputTokens}) as "inputTokens", sum(${figures.inputTextTokens}) as "inputTextTokens",
          sum(${figures.inputAudioTokens}) as "inputAudioTokens",
          sum(${figures.inputImageTokens}) as "inputImageTokens", sum(${figures.cachedTokens}) as "cachedTokens",
          sum(${figures.cachedTextTokens}) as "cachedTextTokens",
          sum(${figures.cachedAudioTokens}) as "cachedAudioTokens", sum(${figures.outputTokens}) as "outputTokens",
          sum(${figures.outputTextTokens}) as "outputTextTokens",
          sum(${figures.outputAudioTokens}) as "outputAudioTokens"
        from ${figures} where ${isAskedFor(request)} group by 1, 2`)
      return rows.map(({ bucket, endReason, sessions, seconds, exchanges, ...usage }) => ({
        ...{ bucket, endReason, sessions, seconds, exchanges, usage },
      }))
    },

    async latencies(request) {
      const { rows } = await handle.execute<Record<string, unknown> & LatencyCount>(sql`
        select ${bucketOf(request)} as bucket, each.class as "latencyClass",
          sum(each.answers)::double precision as answers
        from ${figures},
          unnest(${figures.latencyClasses}, ${figures.latencyCounts}) as each (class, answers)
        where ${isAskedFor(request)} group by 1, 2`)
      return rows
    },
  }
}

const bucketOf = ({ bounds }: StatisticsRequest): SQL =>
  sql`width_bucket(${figures.startedAt}, ${`{${bounds.join(',')}}`}::timestamptz[]) - 1`

function isAskedFor({ organizationId, agentId, bounds }: StatisticsRequest): SQL {
  const ofAgent = agentId === undefined ? sql`` : sql`and ${figures.agentId} = ${agentId}`
  return sql`${figures.organizationId} = ${organizationId}
    and ${figures.startedAt} >= ${bounds.at(0)}::timestamptz
    and ${figures.startedAt} < ${bounds.at(-1)}::timestamptz ${ofAgent}`
}
