import type { EndReason, RealtimeExchange } from '@parley/contract'
import {
  doublePrecision,
  index,
  integer,
  json,
  numeric,
  pgTable,
  primaryKey,
  text,
  uuid,
} from 'drizzle-orm/pg-core'
import { moment, realtimeSession } from './schema.js'

/** The exchanges of sessions. Offsets are milliseconds since a session's start. */
export const realtimeExchange = pgTable(
  'realtime_exchange',
  {
    sessionId: uuid('session_id')
      .notNull()
      .references(() => realtimeSession.id, { onDelete: 'cascade' }),
    number: integer().notNull(),
    speechStoppedAt: integer('speech_stopped_at'),
    typedAt: integer('typed_at'),
    responseCreatedAt: integer('response_created_at'),
    firstTokenAt: integer('first_token_at'),
    firstAudioAt: integer('first_audio_at'),
    tools: json().$type<RealtimeExchange['tools']>().notNull(),
    doneAt: integer('done_at').notNull(),
    status: text().$type<RealtimeExchange['status']>().notNull(),
  },
  (table) => [primaryKey({ columns: [table.sessionId, table.number] })],
)

/** Providers may send any number, including fractions and values beyond integers. */
const tokens = (name: string) => doublePrecision(name).notNull()

/**
 * The input of statistics: a narrow row per started session. A trigger on `realtime_session` maintains it, so
 * that no code path can omit it. It is separate because the rows of the sessions contain instructions and
 * tools, and reading a hundred thousand of them takes seconds.
 */
export const realtimeSessionFigures = pgTable(
  'realtime_session_figures',
  {
    sessionId: uuid('session_id')
      .primaryKey()
      .references(() => realtimeSession.id, { onDelete: 'cascade' }),
    organizationId: uuid('organization_id').notNull(),
    agentId: uuid('agent_id').notNull(),
    startedAt: moment('started_at').notNull(),
    endedAt: moment('ended_at'),
    endReason: text('end_reason').$type<EndReason>(),
    responses: tokens('responses'),
    totalTokens: tokens('total_tokens'),
    inputTokens: tokens('input_tokens'),
    inputTextTokens: tokens('input_text_tokens'),
    inputAudioTokens: tokens('input_audio_tokens'),
    inputImageTokens: tokens('input_image_tokens'),
    cachedTokens: tokens('cached_tokens'),
    cachedTextTokens: tokens('cached_text_tokens'),
    cachedAudioTokens: tokens('cached_audio_tokens'),
    outputTokens: tokens('output_tokens'),
    outputTextTokens: tokens('output_text_tokens'),
    outputAudioTokens: tokens('output_audio_tokens'),
    exchanges: integer().notNull().default(0),
    /**
     * A latency histogram packed into one number, with nine decimal digits per bucket, lowest bucket first. A
     * plain sum() adds up all buckets at once, several times faster than summing rows or arrays.
     */
    latencyCounts: numeric('latency_counts').notNull().default('0'),
  },
  (table) => [index('realtime_session_figures_started').on(table.organizationId, table.startedAt)],
)
