import { v7 as uuid } from 'uuid'
import { addMember, addPerson } from '../people/signed-in.js'
import type { RunningService } from '../start-service.js'

/** Inserts an MCP client that acts for a member. Returns the id of its grant. */
export async function addGrantedClient(
  { service }: Pick<RunningService, 'service'>,
  organizationId: string,
): Promise<string> {
  const { stores } = service.database
  const { id: personId } = await addPerson(stores)
  await addMember(stores, { organizationId, personId, role: 'viewer' })
  const id = uuid()
  const [now, later] = [new Date().toISOString(), '2090-01-01T00:00:00.000Z']
  await stores.mcpGrants.insert({
    ...{ id, organizationId, personId, createdAt: now, expiresAt: later, lastUsedAt: null },
    ...{ clientName: 'Test', clientHash: '', redirectUri: 'https://example.com/', scopes: ['agent:read'] },
    ...{ codeHash: uuid(), codeChallenge: '', codeExpiresAt: now, codeUsedAt: now },
  })
  return id
}
