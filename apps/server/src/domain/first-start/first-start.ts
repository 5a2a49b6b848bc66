import { v7 as uuid } from 'uuid'
import type { ChainKeys } from '../../ports/chain-keys.js'
import type { Cipher } from '../../ports/cipher.js'
import type { Clock } from '../../ports/clock.js'
import type { Database, Stores } from '../../ports/database.js'
import { generateApiKey } from '../access/api-key-secret.js'
import type { Agents } from '../agents/agents.js'
import { keyChains } from '../audit/key-chains.js'
import type { CallerScope } from '../caller-scope.js'
import type { Connections } from '../connections/connections.js'
import { addOwnerLink } from '../people/invitations.js'
import { systemCaller } from '../system-caller.js'
import { frontDesk, librarian } from './example-agents.js'
import { addOrganization } from './new-organization.js'
import { openSecretCheck, resealSecretCheck, secretCheckContext, secretCheckText } from './secret-check.js'

export interface FirstStart {
  readonly organizationId: string
  readonly apiKey: string
  readonly agentIds: readonly string[]
  /** Makes an owner of whoever opens its link first, within the hour. */
  readonly ownerToken: string
}

export interface FirstStartDependencies {
  readonly database: Database
  readonly clock: Clock
  readonly cipher: Cipher
  readonly chainKeys: ChainKeys
  readonly agents: Agents
  readonly connections: Connections
}

/**
 * Sets up the installation where that has not been done, in one transaction: instances that start together do it once,
 * and one that dies in the middle leaves nothing behind. Returns what it made, or null where all was there.
 */
export function ensureFirstStart(
  dependencies: FirstStartDependencies,
  wanted: { readonly organizationId: string | null; readonly apiKey: string | null },
): Promise<FirstStart | null> {
  const { database, clock, cipher } = dependencies
  return database.transaction(async (stores) => {
    await stores.installation.lock()
    const installation = await stores.installation.find()
    if (installation !== null) {
      if (openSecretCheck(cipher, installation.secretCheck) !== secretCheckText)
        await keyAuditChains(dependencies, stores, installation.secretCheck)
      return null
    }
    const now = clock.now().toISOString()
    const organizationId = wanted.organizationId ?? uuid()
    const scope = { stores, caller: systemCaller(organizationId) }
    const apiKey = wanted.apiKey ?? generateApiKey()
    await addOrganization(dependencies, scope, { name: 'My organization', apiKey })
    await stores.installation.insert({
      secretCheck: cipher.seal(secretCheckText, secretCheckContext),
      firstOrganizationId: organizationId,
      createdAt: now,
    })
    const agentIds = await addExampleAgents(dependencies, scope)
    return { organizationId, apiKey, agentIds, ownerToken: await addOwnerLink(clock, scope) }
  })
}

async function addExampleAgents(
  { agents }: FirstStartDependencies,
  scope: CallerScope,
): Promise<readonly string[]> {
  const second = await agents.create(scope, librarian)
  const first = await agents.create(scope, { ...frontDesk, subAgentIds: [second.id] })
  return [first.id, second.id]
}

/** The first start of a version that has keys for audit chains, on what an older one has set up. */
async function keyAuditChains(
  dependencies: FirstStartDependencies,
  stores: Stores,
  secretCheck: string,
): Promise<void> {
  await keyChains(dependencies, stores)
  // In the middle of a change of secrets it stays with the one before, until everything is sealed with the next.
  if (dependencies.cipher.isCurrent(secretCheck, secretCheckContext))
    await resealSecretCheck(stores, dependencies.cipher)
}
