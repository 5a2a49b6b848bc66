import { getTableColumns, type SQL, sql } from 'drizzle-orm'
import type { SessionRecord, UsageCounter, UsageLedger, UsageSums } from '../../ports/usage-stores.js'
import type { Handle } from './handle.js'
import { usageRecord } from './ledger-schema.js'
import { placeholder, sqlStatement } from './statement.js'
import { noKey, parseSums, type StoredSums, storedChannel, sumColumns, sumGroups } from './sum-usage.js'

/**
 * The lock keeps the source from ending before the reservation is committed. Otherwise, its end would not
 * release the reservation.
 */
const reserve = sqlStatement(
  'usage_reserve',
  () => sql`
    with running as (select id from turn where id = ${placeholder('sourceId')}::uuid and ended_at is null for share),
    talking as (
      select id from realtime_session where id = ${placeholder('sourceId')}::uuid and ended_at is null for share)
    insert into usage_reservation (source_id, agent_id, organization_id, api_key_id, tokens, cost)
    select ${placeholder('sourceId')}::uuid, ${placeholder('agentId')}::uuid, ${placeholder('organizationId')}::uuid,
      ${placeholder('apiKeyId')}::uuid, ${placeholder('tokens')}::bigint, ${placeholder('cost')}::numeric
    where ${placeholder('isNew')}::boolean or exists (select from running) or exists (select from talking)
    on conflict (source_id, agent_id) do nothing`,
)

const findReservation = sqlStatement(
  'usage_reservation_find',
  () => sql`select source_id from usage_reservation
    where source_id = ${placeholder('sourceId')}::uuid and agent_id = ${placeholder('agentId')}::uuid`,
)

interface ReservedRow extends Record<string, unknown> {
  readonly subject_id: string
  readonly reservations: string
  readonly tokens: string
  readonly cost: string
}

const sumReserved = sqlStatement<ReservedRow>(
  'usage_reserved',
  () => sql`
    select subject_id, sum(reservations)::text as reservations, sum(tokens)::text as tokens, sum(cost)::text as cost
    from reserved_amount
    where organization_id = ${placeholder('organizationId')}::uuid and subject_id = any(${placeholder('subjectIds')}::uuid[])
    group by subject_id`,
)

function reservationStore(handle: Handle): Pick<UsageLedger, 'reserve' | 'isReserved' | 'reserved'> {
  return {
    async reserve({ apiKeyId, ...reservation }, source) {
      await reserve(handle, { ...reservation, apiKeyId: apiKeyId ?? noKey, isNew: source === 'new' })
    },

    isReserved: async (sourceId, agentId) =>
      (await findReservation(handle, { sourceId, agentId })).length > 0,

    async reserved(organizationId, subjectIds) {
      const wanted = `{${[...new Set(subjectIds)].join()}}`
      const rows = await sumReserved(handle, { organizationId, subjectIds: wanted })
      return rows.map((row) => ({
        subjectId: row.subject_id,
        reservations: Number(row.reservations),
        tokens: Number(row.tokens),
        cost: row.cost,
      }))
    },
  }
}

const listed = (parts: readonly SQL[]) => sql.join([...parts], sql`, `)
/** The list is joined once, because building it name by name took longer than running the statement. */
const named = (names: readonly string[]) => sql.raw(names.map((name) => `"${name}"`).join(', '))

const recordColumns = Object.entries(getTableColumns(usageRecord))
const rollupKey = ['organization_id', 'day', 'agent_id', 'api_key_id', 'connection_id', 'model', 'channel']
const sumNames = Object.values(sumColumns)
const counterKey = ['organization_id', 'subject_id', 'period', 'starts_on']
const counterSums = ['tokens', 'unpriced_tokens', 'cost']
const partSums = [...counterSums, 'responses']
/**
 * Spreads writes over 16 shards to reduce contention on hot rows, as `stored_amount` does. The shard depends
 * on the connection.
 */
const ownShard = sql.raw('pg_backend_pid() % 16')

const addTo = (table: string, names: readonly string[]) =>
  sql.raw(names.map((name) => `"${name}" = "${table}"."${name}" + excluded."${name}"`).join(', '))

/*
 * Prevents deadlocks: `addRecord` locks counter rows in a fixed order, the organization's row first. Two
 * transactions on the same shard therefore queue on that row, and the second one holds no lock that the first
 * one needs.
 */
const addRecord = sqlStatement<{ added: string }>(
  'usage_record_add',
  () => sql`
    with added as (
      insert into usage_record (${named(recordColumns.map(([, column]) => column.name))})
      values (${listed(recordColumns.map(([field, column]) => sql`${placeholder(field)}::${sql.raw(column.getSQLType())}`))})
      on conflict (source_id, item) do nothing
      returning *),
    counted as (
      insert into usage_counter_part (${named([...counterKey, 'shard', ...partSums])})
      select added.organization_id, subject.id, subject.period, subject.starts_on, ${ownShard},
        added.text_input + added.text_output + added.audio_input + added.audio_output + added.image_input,
        added.unpriced_tokens, added.cost, added.responses
      from added cross join lateral (values
        (1, added.organization_id, 'day', added.day),
        (2, added.organization_id, 'month', date_trunc('month', added.day)::date),
        (3, added.agent_id, 'day', added.day),
        (4, added.agent_id, 'month', date_trunc('month', added.day)::date),
        (5, added.api_key_id, 'day', added.day),
        (6, added.api_key_id, 'month', date_trunc('month', added.day)::date),
        (7, ${placeholder('limitedId')}::uuid, 'day', added.day)
      ) as subject (number, id, period, starts_on)
      where subject.id <> ${noKey}::uuid and (added.responses > 0 or added.channel = 'telephone')
      order by subject.number
      on conflict (${named([...counterKey, 'shard'])}) do update set ${addTo('usage_counter_part', partSums)}),
    summed as (
      insert into usage_rollup_part (${named([...rollupKey, 'shard', ...sumNames])})
      select ${named(rollupKey)}, ${ownShard}, ${named(sumNames)} from added
      on conflict (${named([...rollupKey, 'shard'])}) do update set ${addTo('usage_rollup_part', sumNames)})
    select count(*)::text as added from added`,
)

/** Like `addRecord`, but for a session without usage at its start. It costs the database half as much. */
const addSession = sqlStatement('usage_session_add', () => {
  const columns = recordColumns
    .filter(([, { name }]) => name !== 'price' && !sumNames.includes(name))
    .map(([field, { name }]) => ({ name, value: sql`${placeholder(field)}` }))
  const figures = sql.raw(sumNames.map((name) => (name === sumColumns.sessions ? '1' : '0')).join(', '))
  return sql`
    with added as (
      insert into usage_record (${named([...columns.map(({ name }) => name), ...sumNames])})
      values (${listed(columns.map(({ value }) => value))}, ${figures})
      on conflict (source_id, item) do nothing
      returning ${named(rollupKey)})
    insert into usage_rollup_part (${named([...rollupKey, 'shard', ...sumNames])})
    select ${named(rollupKey)}, ${ownShard}, ${figures} from added
    on conflict (${named([...rollupKey, 'shard'])})
      do update set ${addTo('usage_rollup_part', [sumColumns.sessions])}`
})

interface CounterRow extends Record<string, unknown> {
  readonly subject_id: string
  readonly period: UsageCounter['period']
  readonly starts_on: string
  readonly tokens: string
  readonly unpriced_tokens: string
  readonly cost: string
  readonly responses: string
}

/** All parts of a counter, and the row of `usage_counter` that an older version may have written. */
const findCounters = sqlStatement<CounterRow>('usage_counters', () => {
  const isWanted = sql`organization_id = ${placeholder('organizationId')}::uuid
    and subject_id = any(${placeholder('subjectIds')}::uuid[])
    and ((period = 'day' and starts_on = ${placeholder('day')}::date)
      or (period = 'month' and starts_on = ${placeholder('month')}::date))`
  const columns = named([...counterKey, ...counterSums])
  return sql`
    select subject_id, period, starts_on::text, sum(tokens)::text as tokens,
      sum(unpriced_tokens)::text as unpriced_tokens, sum(cost)::text as cost, sum(responses)::text as responses
    from (select ${columns}, 0 as responses from usage_counter where ${isWanted}
      union all select ${columns}, responses from usage_counter_part where ${isWanted}) as part
    group by subject_id, period, starts_on`
})

/**
 * Merges the parts of past days into one row per group. Uses a single statement, so that a reader sees each
 * part exactly once.
 */
const foldParts = sqlStatement<{ folded: number }>('usage_fold', () => {
  const key = named([...rollupKey, 'shard'])
  const sums = sql.raw(sumNames.map((name) => `sum("${name}")`).join(', '))
  return sql`
    with old as materialized (
      select ${key} from usage_rollup_part where day < ${placeholder('moment')}::timestamptz::date
      limit ${placeholder('limit')} for update skip locked),
    moved as (
      delete from usage_rollup_part using old
      where ${sql.raw([...rollupKey, 'shard'].map((name) => `usage_rollup_part."${name}" = old."${name}"`).join(' and '))}
      returning usage_rollup_part.*),
    summed as (
      insert into usage_rollup (${named([...rollupKey, ...sumNames])})
      select ${named(rollupKey)}, ${sums} from moved group by ${named(rollupKey)}
      on conflict (${named(rollupKey)}) do update set ${addTo('usage_rollup', sumNames)})
    select count(*)::integer as folded from moved`
})

const sumOfSource = sqlStatement<StoredSums>('usage_sum_of_source', () => {
  const sums = sumNames.map(
    (name) => sql`coalesce(sum(${sql.identifier(name)}), 0)::text as ${sql.identifier(name)}`,
  )
  return sql`select ${listed(sums)} from usage_record where source_id = ${placeholder('sourceId')}`
})

export function makeUsageLedger(handle: Handle): UsageLedger {
  return {
    ...reservationStore(handle),

    async add(record, limitedId) {
      const [row] = await addRecord(handle, { ...valuesOf(record), limitedId: limitedId ?? noKey })
      return row?.added === '1'
    },

    async addSession(record) {
      await addSession(handle, valuesOf(record))
    },

    async counters(organizationId, subjectIds, starts) {
      if (subjectIds.length === 0) return []
      const wanted = `{${[...new Set(subjectIds)].join()}}`
      const rows = await findCounters(handle, { organizationId, subjectIds: wanted, ...starts })
      return rows.map(counterOf)
    },

    async foldParts(moment, limit) {
      const [row] = await foldParts(handle, { moment, limit })
      return row?.folded ?? 0
    },

    async sumOf(sourceId): Promise<UsageSums> {
      const [row] = await sumOfSource(handle, { sourceId })
      return parseSums(row)
    },

    sum: (wanted) => sumGroups(handle, wanted),

    async names(organizationId, ids) {
      if (ids.length === 0) return new Map()
      const of = (table: string) => sql`select id, name from ${sql.identifier(table)}
        where organization_id = ${organizationId} and id = any(${sql.param([...ids])}::uuid[])`
      const { rows } = await handle.execute<{ id: string; name: string }>(
        sql`${of('agent')} union all ${of('api_key')} union all ${of('connection')}
          union all ${of('phone_connection')}`,
      )
      return new Map(rows.map(({ id, name }) => [id, name]))
    },
  }
}

function valuesOf(record: SessionRecord): object {
  const day = record.at.slice(0, '2026-11-16'.length)
  return { ...record, day, apiKeyId: record.apiKeyId ?? noKey, channel: storedChannel(record) }
}

function counterOf(row: CounterRow): UsageCounter {
  return {
    subjectId: row.subject_id,
    period: row.period,
    startsOn: row.starts_on,
    tokens: Number(row.tokens),
    unpricedTokens: Number(row.unpriced_tokens),
    cost: row.cost,
    responses: Number(row.responses),
  }
}
