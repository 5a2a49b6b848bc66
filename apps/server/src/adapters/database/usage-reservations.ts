import { sql } from 'drizzle-orm'
import type { UsageLedger } from '../../ports/usage-ledger.js'
import type { Handle } from './handle.js'
import { placeholder, sqlStatement } from './statement.js'
import { noKey } from './usage-sums.js'

/** The lock keeps the source from ending before the reservation is committed: its end would not release it. */
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

export function reservationStore(handle: Handle): Pick<UsageLedger, 'reserve' | 'isReserved' | 'reserved'> {
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
