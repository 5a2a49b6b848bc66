import type { EndReason, RealtimeUsage } from '@parley/contract'
import { asc, eq, getTableColumns, sql } from 'drizzle-orm'
import type {
  RealtimeExchangeStore,
  RealtimeStatisticsStore,
  SessionSums,
} from '../../ports/realtime-stores.js'
import type { Handle } from './handle.js'
import { realtimeExchange, realtimeSessionFigures } from './realtime-schema.js'
import { realtimeSession } from './schema.js'

/*
 * Counts are packed into one number, with nine decimal digits per count, lowest count first, so that one
 * sum() adds up all of them (realtime-schema.ts).
 */
const digits = 9

function packCounts(counts: readonly number[]): string {
  return [0, ...counts.toReversed()].map((count) => String(count).padStart(digits, '0')).join('')
}

function unpackCounts(packed: string): number[] {
  const counts: number[] = []
  for (let end = packed.length; end > 0; end -= digits)
    counts.push(Number(packed.slice(Math.max(0, end - digits), end)))
  return counts
}

export function makeRealtimeExchangeStore(handle: Handle): RealtimeExchangeStore {
  return {
    async save({ sessionId, exchange, latency: { counts, ...latency }, kept }) {
      const { number, tools, ...rest } = exchange
      const { speechStoppedAt, typedAt, responseCreatedAt, firstTokenAt, firstAudioAt, doneAt, status } = rest
      // A single statement, so that the session's latency matches its exchanges.
      await handle.execute(sql`
        with saved as (
          insert into ${realtimeExchange} (session_id, number, speech_stopped_at, typed_at, response_created_at,
            first_token_at, first_audio_at, tools, done_at, status)
          values (${sessionId}, ${number}, ${speechStoppedAt}, ${typedAt}, ${responseCreatedAt},
            ${firstTokenAt}, ${firstAudioAt}, ${JSON.stringify(tools)}, ${doneAt}, ${status})
          on conflict (session_id, number) do update set tools = excluded.tools),
        forgotten as (
          delete from ${realtimeExchange} where session_id = ${sessionId} and number <= ${number - kept}),
        counted as (
          update ${realtimeSessionFigures}
          set exchanges = ${latency.exchanges}, latency_counts = ${packCounts(counts)}
          where session_id = ${sessionId})
        update ${realtimeSession} set latency = ${JSON.stringify(latency)} where id = ${sessionId}`)
    },

    ofSession(sessionId) {
      const { sessionId: _, ...columns } = getTableColumns(realtimeExchange)
      return handle
        .select(columns)
        .from(realtimeExchange)
        .where(eq(realtimeExchange.sessionId, sessionId))
        .orderBy(asc(realtimeExchange.number))
    },
  }
}

interface SumRow
  extends Record<string, unknown>,
    RealtimeUsage,
    Omit<SessionSums, 'usage' | 'latencyCounts'> {
  /** Running sessions are grouped under the empty name. */
  readonly ends: Readonly<Partial<Record<EndReason | '', number>>>
  readonly latencyCounts: string
}

export function makeRealtimeStatisticsStore(handle: Handle): RealtimeStatisticsStore {
  return {
    async sums({ organizationId, agentId, bounds, now }) {
      const { rows } = await handle.execute<SumRow>(sql`
        select bucket, ends, sessions, seconds, exchanges, trunc(latency_counts)::text as "latencyCounts", responses,
          total_tokens as "totalTokens", input_tokens as "inputTokens", input_text_tokens as "inputTextTokens",
          input_audio_tokens as "inputAudioTokens", input_image_tokens as "inputImageTokens",
          cached_tokens as "cachedTokens", cached_text_tokens as "cachedTextTokens",
          cached_audio_tokens as "cachedAudioTokens", output_tokens as "outputTokens",
          output_text_tokens as "outputTextTokens", output_audio_tokens as "outputAudioTokens"
        from realtime_session_sums(${organizationId}, ${agentId ?? null}, ${`{${bounds.join(',')}}`}, ${now})`)
      return rows.map(({ bucket, sessions, ends, seconds, exchanges, latencyCounts, ...usage }) => {
        const { '': _, ...ended } = ends
        const counts = unpackCounts(latencyCounts)
        return { bucket, sessions, ends: ended, seconds, exchanges, latencyCounts: counts, usage }
      })
    },
  }
}
