import { AgentInput, type ConnectionInput, scopes } from '@parley/contract'
import { v7 as uuid } from 'uuid'
import type { Database, Stores } from '../../ports/database.js'
import type { ApiKeyRecord } from '../../ports/people-stores.js'
import type { ChainKeys, Cipher } from '../../ports/secrets.js'
import type { Clock } from '../../ports/time.js'
import { generateApiKey, makeApiKey } from '../access/api-keys.js'
import type { Agents } from '../agents/agents.js'
import { keyChains } from '../audit/add-chain-keys.js'
import { beginChain, type Sealing } from '../audit/chain-head.js'
import { recordChange } from '../audit/record-change.js'
import { type CallerScope, systemCaller } from '../caller-scope.js'
import type { Connections } from '../connections/connections.js'
import { addOwnerLink } from '../people/members.js'
import { openSecretCheck, resealSecretCheck, secretCheckContext, secretCheckText } from './secret-check.js'

export interface FirstStart {
  readonly organizationId: string
  readonly apiKey: string
  readonly agentIds: readonly string[]
  /** The token of a link that is valid for an hour. The first person who opens the link becomes an owner. */
  readonly ownerToken: string
}

interface FirstStartDependencies {
  readonly database: Database
  readonly clock: Clock
  readonly cipher: Cipher
  readonly chainKeys: ChainKeys
  readonly agents: Agents
  readonly connections: Connections
}

/**
 * Sets up the installation in one transaction, unless it is already set up. Therefore, instances that start
 * concurrently set it up once, and a crash leaves no partial setup. Returns the new organization and its
 * credentials, or null if the installation was already set up.
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

/**
 * Upgrades an installation from a version without keys for audit chains, at the first start of this version.
 */
async function keyAuditChains(
  dependencies: FirstStartDependencies,
  stores: Stores,
  secretCheck: string,
): Promise<void> {
  await keyChains(dependencies, stores)
  // During a rotation, the check is sealed with the previous secret until everything is sealed with the next
  // one.
  if (dependencies.cipher.isCurrent(secretCheck, secretCheckContext))
    await resealSecretCheck(stores, dependencies.cipher)
}

/** The connection to the built-in engine, which needs no configuration. */
export const builtInEngine: ConnectionInput = {
  name: 'Built-in engine',
  kind: 'embedded',
  baseUrl: null,
  models: {},
  realtimeEnabled: true,
  governanceDisabled: false,
  chatConnectionId: null,
  realtimeProtocol: null,
  isDefault: true,
  externalId: null,
  managedBy: null,
}

/** Creates an organization, a key with all scopes, and the built-in engine as the default connection. */
export async function addOrganization(
  { connections, ...sealing }: Sealing & { readonly connections: Connections },
  scope: CallerScope,
  { name, apiKey }: { readonly name: string; readonly apiKey: string },
): Promise<ApiKeyRecord> {
  const { stores, caller } = scope
  const { organizationId } = caller
  const { clock } = sealing
  await stores.installation.insertOrganization({
    id: organizationId,
    name,
    createdAt: clock.now().toISOString(),
  })
  await beginChain(sealing, stores.audit, organizationId)
  await recordChange(clock, scope, {
    action: 'organization.create',
    type: 'Organization',
    id: organizationId,
  })
  const key = makeApiKey(clock, organizationId, {
    key: apiKey,
    name: 'First key',
    scopes: [...scopes],
    expiresAt: null,
  })
  await stores.apiKeys.insert(key)
  await recordChange(clock, scope, {
    action: 'api_key.create',
    type: 'ApiKey',
    id: key.id,
    details: { name: key.name },
  })
  await connections.create(scope, builtInEngine)
  return key
}

/** The agent that new users see first. It can call the second agent. */
const frontDesk = AgentInput.parse({
  name: 'Front desk',
  description: 'Greets visitors, tells the time and notes their requests.',
  systemMessage:
    'You are the front desk. Greet people with "Hello, this is the front desk. How can I help?" ' +
    'Be brief and kind. When someone needs something done, create a task for it.',
  firstMessage: 'Hello, this is the front desk. How can I help?',
  exampleQuestions: ['What time is it?', 'Remind me to water the plants tomorrow.', 'What is 15% of 240?'],
  icon: 'bell',
  iconColor: '#2f6f4f',
  tools: [
    { kind: 'builtin', name: 'current_time', title: 'Look at the clock', builtin: 'current_time' },
    {
      kind: 'builtin',
      name: 'create_task',
      title: 'Create a task',
      builtin: 'create_task',
      approvalRequired: true,
    },
  ],
})

const librarian = AgentInput.parse({
  name: 'Librarian',
  description: 'Finds passages in the files of a conversation.',
  systemMessage:
    'You are a librarian. Answer from the files you are given, and say in which one you found it.',
  exampleQuestions: ['What do these files say about opening hours?'],
  icon: 'book',
  iconColor: '#4a5a8a',
  tools: [{ kind: 'builtin', name: 'search_files', title: 'Search the files', builtin: 'search_files' }],
})
