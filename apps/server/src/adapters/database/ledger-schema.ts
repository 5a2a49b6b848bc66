import type { Budget, ConnectionKind, Price } from '@parley/contract'
import { sql } from 'drizzle-orm'
import {
  bigint,
  date,
  doublePrecision,
  index,
  integer,
  json,
  numeric,
  pgTable,
  primaryKey,
  text,
  uniqueIndex,
  uuid,
} from 'drizzle-orm/pg-core'
import type { UsageRecord } from '../../ports/usage-stores.js'
import { keptColumns, moment, organization, resourceColumns } from './schema.js'

const sum = (name: string) => bigint(name, { mode: 'number' }).notNull()

/** The summed columns. They are integers and decimals, so that a sum of sums is exact. */
const figures = {
  sessions: sum('sessions'),
  turns: sum('turns'),
  responses: sum('responses'),
  pricedResponses: sum('priced_responses'),
  unknownResponses: sum('unknown_responses'),
  toolCalls: sum('tool_calls'),
  milliseconds: sum('milliseconds'),
  audioMilliseconds: sum('audio_milliseconds'),
  textInput: sum('text_input'),
  textOutput: sum('text_output'),
  audioInput: sum('audio_input'),
  audioOutput: sum('audio_output'),
  imageInput: sum('image_input'),
  cachedTextInput: sum('cached_text_input'),
  cachedAudioInput: sum('cached_audio_input'),
  cachedImageInput: sum('cached_image_input'),
  cacheWriteTextInput: sum('cache_write_text_input'),
  unpricedTokens: sum('unpriced_tokens'),
  unpricedMilliseconds: sum('unpriced_milliseconds'),
  cost: numeric().notNull(),
}

/**
 * The columns to group by. Usage without a key uses the nil UUID, because NULLs never conflict: every upsert
 * would insert a new row.
 */
const groups = {
  organizationId: uuid('organization_id').notNull(),
  day: date().notNull(),
  agentId: uuid('agent_id').notNull(),
  apiKeyId: uuid('api_key_id').notNull(),
  connectionId: uuid('connection_id').notNull(),
  model: text().notNull(),
  channel: text().$type<StoredChannel>().notNull(),
}

/** The stored channel of a use. Rehearsals have their own channels, so that their sums are separate rows. */
export type StoredChannel = UsageRecord['channel'] | `${UsageRecord['channel']}/rehearsal`

/** One row per use of a model. It has no foreign keys, so that it outlives the rows that it refers to. */
export const usageRecord = pgTable(
  'usage_record',
  {
    /**
     * The session or turn, and the number of the use within it. They identify repeated reports, so that each
     * use is counted once.
     */
    sourceId: uuid('source_id').notNull(),
    item: text().notNull(),
    at: moment('at').notNull(),
    ...groups,
    /** Null if the end user is anonymous. Not part of the sums, because there are many end users. */
    endUserId: uuid('end_user_id'),
    ...figures,
    /** The price list entry that was applied, or null if there was none. */
    price: text(),
  },
  (table) => [
    primaryKey({ columns: [table.sourceId, table.item] }),
    index('usage_record_at').on(table.organizationId, table.at),
    index('usage_record_overdue').on(table.at),
    index('usage_record_end_user').on(table.endUserId, table.at).where(sql`end_user_id is not null`),
  ],
)

const groupColumns = <Columns>(table: {
  organizationId: Columns
  day: Columns
  agentId: Columns
  apiKeyId: Columns
  connectionId: Columns
  model: Columns
  channel: Columns
}): [Columns, ...Columns[]] => [
  table.organizationId,
  table.day,
  table.agentId,
  table.apiKeyId,
  table.connectionId,
  table.model,
  table.channel,
]

/** The sums of a day's records, one row per group. They remain when the records are deleted. */
export const usageRollup = pgTable('usage_rollup', { ...groups, ...figures }, (table) => [
  primaryKey({ name: 'usage_rollup_group', columns: groupColumns(table) }),
])

/**
 * The same sums for recent days, updated in the statement that adds a record. Each group has up to 16 rows.
 * Each connection writes to its own row (`shard`), so that the uses of one organization do not wait for each
 * other. Retention adds the parts of past days to `usage_rollup`. A day's total is the sum of both tables.
 */
export const usageRollupPart = pgTable(
  'usage_rollup_part',
  { ...groups, shard: integer().notNull(), ...figures },
  (table) => [
    primaryKey({ name: 'usage_rollup_part_group', columns: [...groupColumns(table), table.shard] }),
    index('usage_rollup_part_day').on(table.day),
  ],
)

const counterColumns = {
  organizationId: uuid('organization_id').notNull(),
  /** The id of the organization, the agent or the key. */
  subjectId: uuid('subject_id').notNull(),
  period: text().$type<Budget['period']>().notNull(),
  startsOn: date('starts_on').notNull(),
  tokens: sum('tokens'),
  unpricedTokens: sum('unpriced_tokens'),
  cost: numeric().notNull(),
}

/** Counters written by versions without `usage_counter_part`. They still count until their period ends. */
export const usageCounter = pgTable('usage_counter', counterColumns, (table) => [
  primaryKey({
    name: 'usage_counter_subject',
    columns: [table.organizationId, table.subjectId, table.period, table.startsOn],
  }),
  index('usage_counter_overdue').on(table.startsOn),
])

/**
 * The usage of an organization, an agent or a key per day and per month, for budgets. It is counted even
 * without a budget, so that a new budget includes earlier usage. Each connection writes to its own rows
 * (`shard`).
 */
export const usageCounterPart = pgTable(
  'usage_counter_part',
  { ...counterColumns, shard: integer().notNull(), responses: sum('responses') },
  (table) => [
    primaryKey({
      name: 'usage_counter_part_subject',
      columns: [table.organizationId, table.subjectId, table.period, table.startsOn, table.shard],
    }),
    index('usage_counter_part_overdue').on(table.startsOn),
  ],
)

/**
 * The estimated usage of work in progress: one row per agent of a turn or session that a budget limits. A
 * trigger deletes the rows when the turn or session ends, for any reason.
 */
export const usageReservation = pgTable(
  'usage_reservation',
  {
    /** The turn or session. */
    sourceId: uuid('source_id').notNull(),
    agentId: uuid('agent_id').notNull(),
    organizationId: uuid('organization_id').notNull(),
    apiKeyId: uuid('api_key_id').notNull(),
    tokens: sum('tokens'),
    cost: numeric().notNull(),
  },
  (table) => [primaryKey({ columns: [table.sourceId, table.agentId] })],
)

/**
 * The sums of all reservations of an organization, an agent or a key, maintained by a trigger on
 * `usage_reservation`. The shard is derived from the source, so that its rows return to zero when the source
 * ends.
 */
export const reservedAmount = pgTable(
  'reserved_amount',
  {
    organizationId: uuid('organization_id').notNull(),
    subjectId: uuid('subject_id').notNull(),
    shard: integer().notNull(),
    reservations: sum('reservations'),
    tokens: sum('tokens'),
    cost: numeric().notNull(),
  },
  (table) => [primaryKey({ columns: [table.organizationId, table.subjectId, table.shard] })],
)

export const budget = pgTable(
  'budget',
  {
    ...resourceColumns,
    name: text().notNull(),
    agentId: uuid('agent_id'),
    apiKeyId: uuid('api_key_id'),
    period: text().$type<Budget['period']>().notNull(),
    limit: json('limit').$type<Budget['limit']>().notNull(),
    warnAtPercent: integer('warn_at_percent').notNull(),
    onExceeded: text('on_exceeded').$type<Budget['onExceeded']>().notNull(),
    ...keptColumns,
  },
  (table) => [
    index('budget_organization').on(table.organizationId, table.id),
    uniqueIndex('budget_external_id').on(table.organizationId, table.externalId),
  ],
)

/** The last period in which a budget reached its warning or its limit. */
export const budgetCrossing = pgTable(
  'budget_crossing',
  {
    budgetId: uuid('budget_id')
      .notNull()
      .references(() => budget.id, { onDelete: 'cascade' }),
    kind: text().$type<'warning' | 'exceeded'>().notNull(),
    startsOn: date('starts_on').notNull(),
  },
  (table) => [primaryKey({ columns: [table.budgetId, table.kind] })],
)

export const ownPrice = pgTable(
  'own_price',
  {
    organizationId: uuid('organization_id')
      .notNull()
      .references(() => organization.id),
    kind: text().$type<ConnectionKind>().notNull(),
    model: text().notNull(),
    aboveInputTokens: integer('above_input_tokens').notNull(),
    validFrom: moment('valid_from').notNull(),
    perMillion: json('per_million').$type<Price['perMillion']>().notNull(),
    perHour: doublePrecision('per_hour'),
    savedAt: moment('saved_at').notNull(),
  },
  (table) => [
    primaryKey({
      name: 'own_price_model',
      columns: [table.organizationId, table.kind, table.model, table.aboveInputTokens, table.validFrom],
    }),
  ],
)
