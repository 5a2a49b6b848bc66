import { and, eq, getTableColumns, inArray, or, type SQL, sql } from 'drizzle-orm'
import type { SessionRecord, UsageCounter, UsageLedger, UsageSums } from '../../ports/usage-ledger.js'
import type { Handle } from './handle.js'
import { usageCounter, usageRecord } from './ledger-schema.js'
import { given, keepWritten } from './queries/keep.js'
import { sumGroups } from './sum-usage.js'
import { storedChannel } from './usage-channel.js'
import { noKey, type StoredSums, sumColumns, sumsOf } from './usage-sums.js'

const listed = (parts: readonly SQL[]) => sql.join([...parts], sql`, `)
/** As one piece of text: put together name by name, the statement took longer to write than to run. */
const named = (names: readonly string[]) => sql.raw(names.map((name) => `"${name}"`).join(', '))

const recordColumns = Object.entries(getTableColumns(usageRecord))
const rollupKey = ['organization_id', 'day', 'agent_id', 'api_key_id', 'connection_id', 'model', 'channel']
const sumNames = Object.values(sumColumns)
const counterKey = ['organization_id', 'subject_id', 'period', 'starts_on']
const counterSums = ['tokens', 'unpriced_tokens', 'cost']

const addTo = (table: string, names: readonly string[]) =>
  sql.raw(names.map((name) => `"${name}" = "${table}"."${name}" + excluded."${name}"`).join(', '))

interface AddedRow extends Record<string, unknown> {
  readonly added: string
  readonly subject_id: string | null
  readonly period: UsageCounter['period']
  readonly starts_on: string
  readonly tokens: string
  readonly unpriced_tokens: string
  readonly cost: string
}

/*
 * The counter of the organization is the first row that is locked, in every such statement: whoever comes second
 * waits there, and holds nothing that the first could want. The rest follows in the order of the numbers.
 */
const addRecord = keepWritten<AddedRow>(
  'usage_record_add',
  () => sql`
    with added as (
      insert into usage_record (${named(recordColumns.map(([, column]) => column.name))})
      values (${listed(recordColumns.map(([field, column]) => sql`${given(field)}::${sql.raw(column.getSQLType())}`))})
      on conflict (source_id, item) do nothing
      returning *),
    counted as (
      insert into usage_counter (${named([...counterKey, ...counterSums])})
      select added.organization_id, subject.id, subject.period, subject.starts_on,
        added.text_input + added.text_output + added.audio_input + added.audio_output + added.image_input,
        added.unpriced_tokens, added.cost
      from added cross join lateral (values
        (1, added.organization_id, 'day', added.day),
        (2, added.organization_id, 'month', date_trunc('month', added.day)::date),
        (3, added.agent_id, 'day', added.day),
        (4, added.agent_id, 'month', date_trunc('month', added.day)::date),
        (5, added.api_key_id, 'day', added.day),
        (6, added.api_key_id, 'month', date_trunc('month', added.day)::date)
      ) as subject (number, id, period, starts_on)
      where subject.id <> ${noKey}::uuid and added.responses > 0
      order by subject.number
      on conflict (${named(counterKey)}) do update set ${addTo('usage_counter', counterSums)}
      returning subject_id, period, starts_on, tokens, unpriced_tokens, cost),
    summed as (
      insert into usage_rollup (${named([...rollupKey, ...sumNames])})
      select ${named([...rollupKey, ...sumNames])} from added
      on conflict (${named(rollupKey)}) do update set ${addTo('usage_rollup', sumNames)})
    select new.added, counted.subject_id, counted.period, counted.starts_on::text, counted.tokens::text,
      counted.unpriced_tokens::text, counted.cost::text
    from (select count(*)::text as added from added) as new left join counted on true`,
)

/** The same for a session that has used nothing yet, as every one begins: half as much for the database to do. */
const addSession = keepWritten('usage_session_add', () => {
  const places = recordColumns
    .filter(([, { name }]) => name !== 'price' && !sumNames.includes(name))
    .map(([field, { name }]) => ({ name, place: sql`${given(field)}` }))
  const figures = sql.raw(sumNames.map((name) => (name === sumColumns.sessions ? '1' : '0')).join(', '))
  return sql`
    with added as (
      insert into usage_record (${named([...places.map(({ name }) => name), ...sumNames])})
      values (${listed(places.map(({ place }) => place))}, ${figures})
      on conflict (source_id, item) do nothing
      returning ${named(rollupKey)})
    insert into usage_rollup (${named([...rollupKey, ...sumNames])})
    select ${named(rollupKey)}, ${figures} from added
    on conflict (${named(rollupKey)}) do update set ${addTo('usage_rollup', [sumColumns.sessions])}`
})

const sumOfSource = keepWritten<StoredSums>('usage_sum_of_source', () => {
  const sums = sumNames.map(
    (name) => sql`coalesce(sum(${sql.identifier(name)}), 0)::text as ${sql.identifier(name)}`,
  )
  return sql`select ${listed(sums)} from usage_record where source_id = ${given('sourceId')}`
})

export function makeUsageLedger(handle: Handle): UsageLedger {
  return {
    async add(record) {
      const rows = await addRecord(handle, valuesOf(record))
      return { isNew: rows[0]?.added === '1', counters: rows.flatMap(counterOf) }
    },

    async addSession(record) {
      await addSession(handle, valuesOf(record))
    },

    async counters(organizationId, subjectIds, { day, month }) {
      if (subjectIds.length === 0) return []
      return handle
        .select({
          subjectId: usageCounter.subjectId,
          period: usageCounter.period,
          startsOn: usageCounter.startsOn,
          tokens: usageCounter.tokens,
          unpricedTokens: usageCounter.unpricedTokens,
          cost: usageCounter.cost,
        })
        .from(usageCounter)
        .where(
          and(
            eq(usageCounter.organizationId, organizationId),
            inArray(usageCounter.subjectId, [...subjectIds]),
            or(
              and(eq(usageCounter.period, 'day'), eq(usageCounter.startsOn, day)),
              and(eq(usageCounter.period, 'month'), eq(usageCounter.startsOn, month)),
            ),
          ),
        )
    },

    async sumOf(sourceId): Promise<UsageSums> {
      const [row] = await sumOfSource(handle, { sourceId })
      return sumsOf(row)
    },

    sum: (wanted) => sumGroups(handle, wanted),

    async names(organizationId, ids) {
      if (ids.length === 0) return new Map()
      const of = (table: string) => sql`select id, name from ${sql.identifier(table)}
        where organization_id = ${organizationId} and id = any(${sql.param([...ids])}::uuid[])`
      const { rows } = await handle.execute<{ id: string; name: string }>(
        sql`${of('agent')} union all ${of('api_key')} union all ${of('connection')}`,
      )
      return new Map(rows.map(({ id, name }) => [id, name]))
    },
  }
}

function valuesOf(record: SessionRecord): object {
  const day = record.at.slice(0, '2026-11-16'.length)
  return { ...record, day, apiKeyId: record.apiKeyId ?? noKey, channel: storedChannel(record) }
}

function counterOf(row: AddedRow): UsageCounter[] {
  if (row.subject_id === null) return []
  return [
    {
      subjectId: row.subject_id,
      period: row.period,
      startsOn: row.starts_on,
      tokens: Number(row.tokens),
      unpricedTokens: Number(row.unpriced_tokens),
      cost: row.cost,
    },
  ]
}
