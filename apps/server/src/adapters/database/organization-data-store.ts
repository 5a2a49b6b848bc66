import { type SQL, sql } from 'drizzle-orm'
import type { ExportedPage, OrganizationDataStore } from '../../ports/installation-stores.js'
import type { Handle } from './handle.js'
import { type OrganizationTable, organizationTables } from './organization-tables.js'

const defaultAtATime = 500
/**
 * The longest possible lease. An instance that has not renewed its lease for this long is not running
 * anything.
 */
const lostSeconds = 60

const exported = organizationTables.filter(({ isExported }) => isExported !== false)
const removed = organizationTables.filter(({ isShared }) => isShared !== true)

export function makeOrganizationDataStore(handle: Handle): OrganizationDataStore {
  return {
    exportedTables: exported.map(({ name }) => name),

    async page(organizationId, name, after) {
      const table = exported.find((one) => one.name === name)
      if (table === undefined) throw new Error(`The table ${name} is not exported.`)
      return readPage(handle, { table, belongs: belongsTo(table, organizationId), after })
    },

    async closeAccess(organizationId) {
      const ofOrganization = sql`organization_id = ${organizationId}`
      await handle.execute(sql`delete from api_key where ${ofOrganization}`)
      await handle.execute(sql`delete from mcp_grant where ${ofOrganization}`)
      await handle.execute(sql`delete from invitation where ${ofOrganization}`)
      // Locks the people first. A concurrent change to their memberships is then either visible or waits.
      const { rows } = await handle.execute<{ id: string }>(sql`
        select id from person
        where id in (select person_id from member where ${ofOrganization}) or home_organization_id = ${organizationId}
        order by id for update`)
      await handle.execute(sql`delete from member where ${ofOrganization}`)
      if (rows.length === 0) return
      const ids = sql`${`{${rows.map(({ id }) => id).join()}}`}::uuid[]`
      const alone = sql`select id from person where id = any(${ids})
        and not exists (select 1 from member where member.person_id = person.id)`
      await handle.execute(sql`delete from mcp_grant where person_id in (${alone})`)
      await handle.execute(sql`delete from sign_in_tries where person_id in (${alone})`)
      await handle.execute(sql`delete from person_session where person_id in (${alone})`)
      await handle.execute(sql`delete from person_identity where person_id in (${alone})`)
      await handle.execute(sql`delete from person where id in (${alone})`)
      await handle.execute(sql`
        update person set home_organization_id = null
        where home_organization_id = ${organizationId} and proven_at is not null`)
    },

    async stopWork(organizationId) {
      const ofOrganization = sql`organization_id = ${organizationId}`
      await handle.execute(sql`update webhook set is_enabled = false where ${ofOrganization} and is_enabled`)
      await handle.execute(
        sql`update task set next_run_at = null where ${ofOrganization} and next_run_at is not null`,
      )
      await handle.execute(sql`
        delete from realtime_session where ${ofOrganization} and state = 'issued' and started_at is null`)
      await handle.execute(sql`
        update realtime_session set end_requested_at = now()
        where ${ofOrganization} and state = 'consumed' and ended_at is null and end_requested_at is null`)
      await handle.execute(sql`
        update turn set stop_requested_at = now() where ${ofOrganization} and ended_at is null and stop_requested_at is null`)
      const isLive = sql`instance_id in (
        select instance_id from instance_lease where renewed_at > now() - make_interval(secs => ${lostSeconds}))`
      const { rows } = await handle.execute<{ running: number }>(sql`
        select (
          (select count(*) from realtime_session where ${ofOrganization} and state = 'consumed' and ended_at is null and ${isLive}) +
          (select count(*) from turn where ${ofOrganization} and ended_at is null and ${isLive}))::int as running`)
      return rows[0]?.running ?? 0
    },

    async removeSome(organizationId) {
      // A connection may refer to another connection that it uses for speech.
      await handle.execute(sql`
        update connection set chat_connection_id = null
        where organization_id = ${organizationId} and chat_connection_id is not null`)
      for (const table of removed) {
        const name = sql.identifier(table.name)
        const { rowCount } = await handle.execute(sql`
          delete from ${name} where ctid = any(array(
            select ctid from ${name} where ${belongsTo(table, organizationId)} limit ${atATimeOf(table)}))`)
        if (rowCount !== null && rowCount > 0) return { table: table.name, count: rowCount }
      }
      return null
    },

    async removeOrganization(organizationId) {
      await handle.execute(sql`delete from organization where id = ${organizationId}`)
    },
  }
}

const atATimeOf = ({ atATime = defaultAtATime }: OrganizationTable) => atATime

function belongsTo({ by }: OrganizationTable, organizationId: string): SQL {
  if (by === undefined) return sql`organization_id = ${organizationId}`
  const { column, table, target = 'id' } = by
  return sql`${sql.identifier(column)} in (
    select ${sql.identifier(target)} from ${sql.identifier(table)} where organization_id = ${organizationId})`
}

/** Returns one page of a table's rows that meet the condition `belongs`. */
export async function readPage(
  handle: Handle,
  {
    table,
    belongs,
    after,
  }: { readonly table: OrganizationTable; readonly belongs: SQL; readonly after: readonly string[] | null },
): Promise<ExportedPage> {
  const limit = atATimeOf(table)
  const key = Object.entries(table.key)
  const columns = sql.join(
    key.map(([column]) => sql.identifier(column)),
    sql`, `,
  )
  const places = (values: readonly string[]) =>
    sql.join(
      key.map(([, type], index) => sql`${values[index] ?? ''}::${sql.raw(type)}`),
      sql`, `,
    )
  const isBehind = after === null ? sql`true` : sql`(${columns}) > (${places(after)})`
  const texts = sql.join(
    key.map(([column]) => sql`${sql.identifier(column)}::text`),
    sql`, `,
  )
  const name = sql.identifier(table.name)
  const hidden = `{${(table.hidden ?? []).join()}}`
  const { rows } = await handle.execute<{ row: Record<string, unknown>; key: string[] }>(sql`
    select to_jsonb(${name}) - ${hidden}::text[] as row, array[${texts}] as key
    from ${name} where ${belongs} and ${isBehind}
    order by ${columns} limit ${limit}`)
  const last = rows.at(-1)
  return {
    rows: rows.map(({ row }) => row),
    after: rows.length < limit || last === undefined ? null : last.key,
  }
}
