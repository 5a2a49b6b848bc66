import { type SQL, sql } from 'drizzle-orm'
import type { OrganizationUsageStore, UsageKind } from '../../ports/usage-stores.js'
import type { Handle } from './handle.js'
import { placeholder, sqlStatement } from './statement.js'
import { storedAmount } from './usage-schema.js'

/** Longer than the renewal interval, which is a third of the lease duration and at most 10 s. */
const silenceSeconds = 15

export const isInstanceAlive = (instanceId: SQL): SQL => sql`exists (
  select from instance_lease where instance_lease.instance_id = ${instanceId}
    and instance_lease.renewed_at > now() - make_interval(secs => ${silenceSeconds}))`

/**
 * The number of an organization's running sessions. It is the sum of a few rows per instance, which a trigger
 * maintains. Sessions of an instance without a lease do not count, even if they are not closed yet.
 */
export function countRunningSessions(organizationId: SQL): SQL<number> {
  return sql<number>`(select coalesce(sum(running.sessions), 0)::bigint
    from running_session_count as running
    join instance_lease on instance_lease.instance_id = running.instance_id
      and instance_lease.renewed_at > now() - make_interval(secs => ${silenceSeconds})
    where running.organization_id = ${organizationId})`
}

const countQueuedTurns = (organizationId: SQL) => sql`(
  select count(*) from turn
  where turn.organization_id = ${organizationId} and turn.state = 'queued' and turn.ended_at is null)`

/** Counts the invitations that can be accepted. Expiry is checked here, because no trigger detects it. */
const countOpenInvitations = (organizationId: SQL) => sql`(
  select count(*) from invitation
  where invitation.organization_id = ${organizationId}
    and invitation.accepted_at is null and invitation.expires_at > now())`

const countRows = (table: 'budget' | 'phone_connection' | 'phone_number', organizationId: SQL) =>
  sql`(select count(*) from ${sql.identifier(table)} as counted where counted.organization_id = ${organizationId})`

/** Counts the outgoing calls that were requested within an hour, in any state. */
const countCallsOfHour = (organizationId: SQL) => sql`(
  select count(*) from phone_call
  where phone_call.organization_id = ${organizationId} and phone_call.direction = 'outgoing'
    and phone_call.created_at > now() - interval '1 hour')`

interface AmountRow {
  readonly kind: UsageKind
  readonly amount: string
}

/** One statement per requested set of kinds. There are about a dozen sets. */
const made = new Map<string, ReturnType<typeof sqlStatement<AmountRow>>>()

function statementFor(kinds: readonly UsageKind[]) {
  const set = kinds.join()
  const cached = made.get(set) ?? sqlStatement<AmountRow>(`amounts_${made.size + 1}`, () => amountsOf(kinds))
  made.set(set, cached)
  return cached
}

function amountsOf(kinds: readonly UsageKind[]): SQL {
  const id = sql`${placeholder('organizationId')}::uuid`
  const parts = kinds.map(
    (kind) => sql`select ${sql.raw(`'${kind}'`)} as kind, ${amountOf(kind, id)}::bigint as amount`,
  )
  return sql.join(parts, sql` union all `)
}

export function makeOrganizationUsageStore(handle: Handle): OrganizationUsageStore {
  return {
    async amounts(organizationId, kinds) {
      const rows = await statementFor(kinds)(handle, { organizationId })
      return new Map(rows.map(({ kind, amount }) => [kind, Number(amount)]))
    },
  }
}

function amountOf(kind: UsageKind, organizationId: SQL): SQL {
  switch (kind) {
    case 'sessions':
      return countRunningSessions(organizationId)
    case 'queuedTurns':
      return countQueuedTurns(organizationId)
    case 'invitations':
      return countOpenInvitations(organizationId)
    case 'budgets':
      return countRows('budget', organizationId)
    case 'phoneConnections':
      return countRows('phone_connection', organizationId)
    case 'phoneNumbers':
      return countRows('phone_number', organizationId)
    case 'callsPerHour':
      return countCallsOfHour(organizationId)
    default:
      return sql`(select coalesce(sum(${storedAmount.amount}), 0) from ${storedAmount}
        where ${storedAmount.organizationId} = ${organizationId} and ${storedAmount.kind} = ${kind})`
  }
}
