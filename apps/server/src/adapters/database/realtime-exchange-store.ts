import { asc, eq, getTableColumns, sql } from 'drizzle-orm'
import type { RealtimeExchangeStore } from '../../ports/realtime-exchange-store.js'
import type { Handle } from './handle.js'
import { packCounts } from './packed-counts.js'
import { realtimeExchange, realtimeSessionFigures } from './realtime-schema.js'
import { realtimeSession } from './schema.js'

export function makeRealtimeExchangeStore(handle: Handle): RealtimeExchangeStore {
  return {
    async save({ sessionId, exchange, latency: { counts, ...latency }, kept }) {
      const { number, tools, ...rest } = exchange
      const { speechStoppedAt, typedAt, responseCreatedAt, firstTokenAt, firstAudioAt, doneAt, status } = rest
      // One statement, so that what is said of the session is true of the exchanges that are there.
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
