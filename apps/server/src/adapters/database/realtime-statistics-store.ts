import type { EndReason, RealtimeUsage } from '@parley/contract'
import { sql } from 'drizzle-orm'
import type { RealtimeStatisticsStore, SessionSums } from '../../ports/realtime-statistics-store.js'
import type { Handle } from './handle.js'
import { unpackCounts } from './packed-counts.js'

interface SumRow
  extends Record<string, unknown>,
    RealtimeUsage,
    Omit<SessionSums, 'usage' | 'latencyCounts'> {
  /** Under the empty name, those that run. */
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
