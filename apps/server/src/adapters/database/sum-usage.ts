import type { UsageGroupName } from '@parley/contract'
import { getTableColumns, type SQL, sql } from 'drizzle-orm'
import type {
  SummedUsage,
  UsageFilter,
  UsageGroupSums,
  UsageRecord,
  UsageSums,
} from '../../ports/usage-stores.js'
import type { Handle } from './handle.js'
import { type StoredChannel, usageRollup } from './ledger-schema.js'

const ofRehearsals = '/rehearsal'

export function storedChannel({
  channel,
  rehearsal,
}: Pick<UsageRecord, 'channel' | 'rehearsal'>): StoredChannel {
  return rehearsal ? `${channel}${ofRehearsals}` : channel
}

/** The channel without the rehearsal suffix. */
const bareChannel: SQL = sql`split_part(channel, '/', 1)`

const isRehearsal: SQL = sql`(channel like ${sql.raw(`'%${ofRehearsals}'`)})`

/**
 * The key id of usage without a key. Primary key columns cannot be null, so such usage is stored under the
 * nil UUID.
 */
export const noKey = '00000000-0000-0000-0000-000000000000'

const groups = ['organizationId', 'day', 'agentId', 'apiKeyId', 'connectionId', 'model', 'channel']

/** The names of the summed columns, by field name. */
export const sumColumns = Object.fromEntries(
  Object.entries(getTableColumns(usageRollup))
    .filter(([field]) => !groups.includes(field))
    .map(([field, column]) => [field, column.name]),
) as Readonly<Record<keyof UsageSums, string>>

/**
 * Sums as the driver returns them. They are text, because a sum may exceed the range of the summed values.
 */
export type StoredSums = Record<string, string>

export function parseSums(row: StoredSums | undefined): UsageSums {
  const { cost, ...counted } = sumColumns
  const counts = Object.entries(counted).map(([field, name]) => [field, Number(row?.[name] ?? 0)])
  return { ...Object.fromEntries(counts), cost: row?.[cost] ?? '0' } as UsageSums
}

interface Group {
  readonly name: string
  /** The expression for the group, if it is not simply the column of this name. */
  readonly value?: SQL
}

const groupsByName: Readonly<Record<UsageGroupName, Group>> = {
  day: { name: 'day' },
  agent: { name: 'agent_id' },
  key: { name: 'api_key_id' },
  model: { name: 'model' },
  connection: { name: 'connection_id' },
  channel: { name: 'channel', value: bareChannel },
  rehearsal: { name: 'rehearsal', value: isRehearsal },
  endUser: { name: 'end_user_id' },
}

const listed = (parts: readonly SQL[]) => sql.join([...parts], sql`, `)

/**
 * Returns the sums by group. Whole days come from the rollups, partial days from individual records. Uses a
 * single statement, so that all sums reflect the same snapshot.
 */
export async function sumGroups(
  handle: Handle,
  { organizationId, days, parts, groupBy, filter, limit }: SummedUsage,
): Promise<readonly UsageGroupSums[]> {
  const wantedGroups = groupBy.map((name) => groupsByName[name])
  const groups = wantedGroups.map(({ name }) => sql.identifier(name))
  const names = Object.values(sumColumns).map((name) => sql.identifier(name))
  const wanted = listed([
    ...wantedGroups.map(
      ({ name, value }) => sql`${value ?? sql.identifier(name)} as ${sql.identifier(name)}`,
    ),
    ...names.map((name) => sql`${name}`),
  ])
  const isMatching = matching(organizationId, filter)
  const sources = [
    ...(groupBy.includes('endUser') || filter.endUserId !== undefined
      ? []
      : ['usage_rollup', 'usage_rollup_part']
    ).map(
      (table) => sql`select ${wanted} from ${sql.identifier(table)}
        where ${isMatching} and day >= ${days.from}::date and day < ${days.to}::date`,
    ),
    ...parts.map(
      ({ from, to }) => sql`select ${wanted} from usage_record
        where ${isMatching} and at >= ${from}::timestamptz and at < ${to}::timestamptz`,
    ),
  ]
  const shown = groups.map((name) => sql`${name}::text as ${name}`)
  const sums = names.map((name) => sql`sum(${name})::text as ${name}`)
  // Without groups, SQL would return one row even if no records match.
  const grouping =
    groups.length === 0
      ? sql`having count(*) > 0`
      : sql`group by ${listed(groups.map((name) => sql`used.${name}`))} order by ${listed(groups.map((name) => sql`used.${name}`))}`
  const { rows } = await handle.execute<StoredSums>(sql`
    select ${listed([...shown, ...sums])} from (${sql.join(sources, sql` union all `)}) as used
    ${grouping} limit ${limit}`)
  return rows.map((row) => ({ ...groupOf(row), ...parseSums(row) }))
}

function matching(organizationId: string, filter: UsageFilter): SQL {
  const conditions = [
    sql`organization_id = ${organizationId}`,
    ...(filter.agentId === undefined ? [] : [sql`agent_id = ${filter.agentId}`]),
    ...(filter.apiKeyId === undefined ? [] : [sql`api_key_id = ${filter.apiKeyId}`]),
    ...(filter.connectionId === undefined ? [] : [sql`connection_id = ${filter.connectionId}`]),
    ...(filter.model === undefined ? [] : [sql`model = ${filter.model}`]),
    ...(filter.channel === undefined ? [] : [sql`${bareChannel} = ${filter.channel}`]),
    ...(filter.rehearsal === undefined ? [] : [sql`${isRehearsal} = ${filter.rehearsal}`]),
    ...(filter.endUserId === undefined ? [] : [sql`end_user_id = ${filter.endUserId}`]),
  ]
  return sql.join(conditions, sql` and `)
}

function groupOf(row: StoredSums): Omit<UsageGroupSums, keyof ReturnType<typeof parseSums>> {
  const { day, agent_id, api_key_id, connection_id, model, channel, rehearsal, end_user_id } = row
  return {
    ...(day !== undefined && { day }),
    ...(agent_id !== undefined && { agentId: agent_id }),
    ...(api_key_id !== undefined && { apiKeyId: api_key_id === noKey ? null : api_key_id }),
    ...(connection_id !== undefined && { connectionId: connection_id }),
    ...(model !== undefined && { model }),
    ...(channel !== undefined && { channel: channel as UsageRecord['channel'] }),
    ...(rehearsal !== undefined && { rehearsal: rehearsal === 'true' }),
    ...(end_user_id !== undefined && { endUserId: end_user_id }),
  }
}
