import type { RunningService } from '../start-service.js'

const everything = { offset: 0, limit: 100_000 }

/** Everything that is stored for an organization, but for what reading itself moves: last use and seals. */
export async function snapshotOf({ service }: RunningService, organizationId: string): Promise<object> {
  const {
    members,
    invitations,
    agents,
    connections,
    tasks,
    conversations,
    realtimeSessions,
    approvals,
    apiKeys,
    audit,
  } = service.database.stores
  const keys = await apiKeys.list(organizationId, {}, everything)
  const calls = await approvals.list(organizationId, {}, everything)
  const records = await audit.list(organizationId, {}, everything)
  return {
    agents: await agents.list(organizationId, {}, everything),
    connections: await connections.list(organizationId, {}, everything),
    tasks: await tasks.list(organizationId, {}, everything),
    conversations: await conversations.list(organizationId, {}, everything),
    realtimeSessions: await realtimeSessions.list(organizationId, {}, everything),
    // What was approved is run and finished by the service itself.
    approvals: calls.items.map(({ id, state, decidedBy, reason }) => ({ id, state, decidedBy, reason })),
    apiKeys: keys.items.map(({ lastUsedAt: _, ...key }) => key),
    members: await members.listWithPeople(organizationId, everything),
    invitations: await invitations.list(organizationId, {}, everything),
    auditIds: records.items.map(({ id }) => id),
  }
}
