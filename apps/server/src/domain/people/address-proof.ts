import type { Clock } from '../../ports/clock.js'
import type { Stores } from '../../ports/database.js'
import type { IssuedIdentity } from '../../ports/identity-issuer.js'
import type { PersonRecord } from '../../ports/person-store.js'

/** What the first proof of an address ended, for the audit log. */
export interface DroppedCredentials {
  readonly password: boolean
  readonly secondFactor: boolean
  readonly sessions: number
  readonly grants: number
  readonly identities: number
  /** Other accounts of the address, whose memberships are now those of the proven one. */
  readonly mergedPersonIds: readonly string[]
}

/**
 * Proves the address of accounts that invitations made. Until now anyone who had a link may have set their passwords, so
 * all that signs in or acts for them ends: passwords, second factors, recovery codes, sessions, MCP grants and other
 * identities. Their memberships were granted to the address, and belong to the one account that is left.
 */
export async function proveAddress(
  clock: Clock,
  stores: Stores,
  {
    accounts,
    survivor,
    identity,
  }: {
    /** All accounts of the address, locked and unproven. */
    readonly accounts: readonly PersonRecord[]
    readonly survivor: PersonRecord
    readonly identity: IssuedIdentity
  },
): Promise<{ readonly person: PersonRecord; readonly dropped: DroppedCredentials }> {
  const { people, members, mcpGrants } = stores
  const now = clock.now().toISOString()
  const others = accounts.filter(({ id }) => id !== survivor.id)
  let [sessions, grants] = [0, 0]
  for (const { id } of accounts) {
    sessions += await people.removeOtherSessions(id, null)
    grants += await mcpGrants.removeOfPerson(id)
  }
  let identities = await people.removeOtherIdentities(survivor.id, identity)
  for (const { id } of others) {
    identities += await people.removeOtherIdentities(id, identity)
    await members.move(id, survivor.id, now)
    await people.remove(id)
  }
  const person: PersonRecord = {
    ...survivor,
    // The name was chosen by the same stranger.
    name: identity.name ?? survivor.name,
    ...{ passwordHash: null, sealedTotp: null, pendingTotp: null, lastTotpStep: null, recoveryHashes: [] },
    ...{ wrongCodes: 0, wrongCodesSince: null, provenAt: now, updatedAt: now },
  }
  await people.update(person)
  const dropped = {
    password: accounts.some(({ passwordHash }) => passwordHash !== null),
    secondFactor: accounts.some(({ sealedTotp }) => sealedTotp !== null),
    ...{ sessions, grants, identities, mergedPersonIds: others.map(({ id }) => id) },
  }
  return { person, dropped }
}
