import { isDeepStrictEqual } from 'node:util'
import { z } from 'zod'
import type { Stores } from '../../ports/database.js'
import type { RecordPage, ResourceRecord } from '../../ports/resource-store.js'
import { resealed, resealToolSecrets } from '../agents/tool-secrets.js'
import { resealHead, retireKeys } from '../audit/key-ring.js'
import { recordChange } from '../audit/record-change.js'
import { secretContext } from '../connections/chat-target.js'
import { DomainError } from '../domain-error.js'
import { resealSecretCheck } from '../first-start/secret-check.js'
import { resealAuthorization } from '../mcp-authorizations/sealed-tokens.js'
import { totpContext } from '../people/password-rules.js'
import {
  secretContext as phoneSecretContext,
  webhookSecretContext as phoneWebhookSecretContext,
} from '../telephone/phone-connections.js'
import { secretContext as webhookSecretContext } from '../webhooks/webhook-secret.js'
import { defineAct, type OperatorWorld, operatorCaller } from './operator-act.js'

const pageSize = 200

/**
 * Reseals, row by row, everything that is sealed with an older secret. Each row has its own transaction, and
 * up-to-date rows are skipped, so the rotation can be interrupted and repeated. Instances that know both
 * secrets can read during the rotation. Versions and dates of resources do not change.
 */
export const rotateSecret = defineAct({
  name: 'secret.rotate',
  input: z.strictObject({}),
  output: z.object({
    connections: z.int(),
    agents: z.int(),
    revisions: z.int(),
    webhooks: z.int(),
    mcpAuthorizations: z.int(),
    phoneConnections: z.int(),
    people: z.int(),
  }),
  async run(world, operator) {
    const { database, clock, secrets } = world
    if ((await database.stores.installation.find()) === null)
      throw new DomainError('Conflict', 'The database is not set up yet, so it has no encrypted secrets.')
    const begun = await secrets.beginRotation()
    if (!begun.ok) throw new DomainError('Conflict', begun.reason)
    // Done first, before the next key seals many records, because every old key must be preserved.
    await database.transaction((stores) => retireKeys(world, stores))
    const total = {
      connections: 0,
      agents: 0,
      revisions: 0,
      webhooks: 0,
      mcpAuthorizations: 0,
      phoneConnections: 0,
      people: 0,
    }
    for (const { id: organizationId } of await database.stores.installation.listOrganizations()) {
      const done = await resealOrganization(world, organizationId)
      await database.transaction((stores) =>
        recordChange(
          clock,
          { stores, caller: operatorCaller(organizationId, operator) },
          { action: 'secret.rotate', type: 'Organization', id: organizationId, details: done },
        ),
      )
      total.connections += done.connections
      total.agents += done.agents
      total.revisions += done.revisions
      total.webhooks += done.webhooks
      total.mcpAuthorizations += done.mcpAuthorizations
      total.phoneConnections += done.phoneConnections
    }
    const personIds = new Set(await database.stores.people.idsWithSecrets())
    total.people = await countWhere(personIds, (id) => resealPerson(world, id))
    const { id: keyId } = world.chainKeys.current()
    for (const organizationId of await database.stores.audit.organizationsNotSealedWith(keyId))
      await database.transaction((stores) => resealHead(world, stores, organizationId))
    // Done last. Until then, startup with only the new secret is rejected, because not everything could be
    // opened.
    await database.transaction((stores) => resealSecretCheck(stores, world.cipher))
    await secrets.finishRotation()
    return total
  },
})

async function resealOrganization(world: OperatorWorld, organizationId: string) {
  const { stores } = world.database
  const connectionIds = await idsOf((page) => stores.connections.list(organizationId, {}, page))
  const agentIds = await idsOf((page) => stores.agents.list(organizationId, {}, page))
  const connections = await countWhere(connectionIds, (id) => resealConnection(world, organizationId, id))
  const agents = await countWhere(agentIds, (id) => resealAgent(world, organizationId, id))
  let revisions = 0
  for (const id of agentIds) revisions += await resealRevisions(world, organizationId, id)
  const webhookIds = await idsOf((page) => stores.webhooks.list(organizationId, {}, page))
  const webhooks = await countWhere(webhookIds, (id) => resealWebhook(world, organizationId, id))
  const authorizationIds = await idsOf((page) => stores.mcpAuthorizations.list(organizationId, {}, page))
  const mcpAuthorizations = await countWhere(authorizationIds, (id) =>
    resealMcpAuthorization(world, organizationId, id),
  )
  const phoneIds = await idsOf((page) => stores.phoneConnections.list(organizationId, {}, page))
  const phoneConnections = await countWhere(phoneIds, (id) =>
    resealPhoneConnection(world, organizationId, id),
  )
  return { connections, agents, revisions, webhooks, mcpAuthorizations, phoneConnections }
}

/** Reads all ids at once, because pages would miss rows if others are added or removed in the meantime. */
async function idsOf(
  list: (page: { offset: number; limit: number }) => Promise<RecordPage<ResourceRecord>>,
): Promise<ReadonlySet<string>> {
  const ids = new Set<string>()
  for (let offset = 0; ; offset += pageSize) {
    const { items } = await list({ offset, limit: pageSize })
    for (const { id } of items) ids.add(id)
    if (items.length < pageSize) return ids
  }
}

async function countWhere(
  ids: ReadonlySet<string>,
  change: (id: string) => Promise<boolean>,
): Promise<number> {
  let count = 0
  for (const id of ids) if (await change(id)) count += 1
  return count
}

function resealConnection(world: OperatorWorld, organizationId: string, id: string): Promise<boolean> {
  return world.database.transaction(async ({ connections }: Stores) => {
    const current = await connections.findLocked(organizationId, id)
    if (current === null || current.sealedApiKey === null) return false
    const sealedApiKey = resealed(world.cipher, current.sealedApiKey, secretContext(current))
    if (sealedApiKey === current.sealedApiKey) return false
    await connections.update({ ...current, sealedApiKey }, current.version)
    return true
  })
}

function resealPhoneConnection(world: OperatorWorld, organizationId: string, id: string): Promise<boolean> {
  return world.database.transaction(async ({ phoneConnections }: Stores) => {
    const current = await phoneConnections.findLocked(organizationId, id)
    if (current === null) return false
    const reseal = (sealed: string | null, context: string) =>
      sealed === null ? null : resealed(world.cipher, sealed, context)
    const next = {
      ...current,
      sealedSecret: reseal(current.sealedSecret, phoneSecretContext(current)),
      sealedWebhookSecret: reseal(current.sealedWebhookSecret, phoneWebhookSecretContext(current)),
    }
    if (isDeepStrictEqual(next, current)) return false
    await phoneConnections.update(next, current.version)
    return true
  })
}

function resealMcpAuthorization(world: OperatorWorld, organizationId: string, id: string): Promise<boolean> {
  return world.database.transaction(async ({ mcpAuthorizations }: Stores) => {
    const current = await mcpAuthorizations.findLocked(organizationId, id)
    if (current === null) return false
    const next = resealAuthorization(world.cipher, current)
    if (isDeepStrictEqual(next, current)) return false
    await mcpAuthorizations.update(next, current.version)
    return true
  })
}

function resealWebhook(world: OperatorWorld, organizationId: string, id: string): Promise<boolean> {
  return world.database.transaction(async ({ webhooks }: Stores) => {
    const current = await webhooks.findLocked(organizationId, id)
    if (current === null) return false
    const renewed = (sealed: string) => resealed(world.cipher, sealed, webhookSecretContext(current))
    const sealedSecret = renewed(current.sealedSecret)
    const { sealedPreviousSecret: previous } = current
    const sealedPreviousSecret = previous === null ? null : renewed(previous)
    if (sealedSecret === current.sealedSecret && sealedPreviousSecret === previous) return false
    await webhooks.update({ ...current, sealedSecret, sealedPreviousSecret }, current.version)
    return true
  })
}

function resealAgent(world: OperatorWorld, organizationId: string, id: string): Promise<boolean> {
  return world.database.transaction(async ({ agents }: Stores) => {
    const current = await agents.findLocked(organizationId, id)
    if (current === null) return false
    const toolSecrets = resealToolSecrets(world.cipher, current)
    if (isDeepStrictEqual(toolSecrets, current.toolSecrets)) return false
    await agents.update({ ...current, toolSecrets }, current.version)
    return true
  })
}

/** Must run after the agent itself, because revisions that are added in between are copies of the agent. */
async function resealRevisions(world: OperatorWorld, organizationId: string, id: string): Promise<number> {
  let count = 0
  for (const number of await world.database.stores.agentRevisions.numbersWithSecrets(organizationId, id))
    if (await resealRevision(world, organizationId, { id, number })) count += 1
  return count
}

function resealRevision(
  world: OperatorWorld,
  organizationId: string,
  { id, number }: { readonly id: string; readonly number: number },
): Promise<boolean> {
  return world.database.transaction(async ({ agents, agentRevisions }: Stores) => {
    // The agent's lock also protects its revisions.
    if ((await agents.findLocked(organizationId, id)) === null) return false
    const revision = await agentRevisions.find(organizationId, id, number)
    if (revision === null) return false
    const toolSecrets = resealToolSecrets(world.cipher, { ...revision, id })
    if (isDeepStrictEqual(toolSecrets, revision.toolSecrets)) return false
    await agentRevisions.updateSecrets(id, number, toolSecrets)
    return true
  })
}

function resealPerson(world: OperatorWorld, id: string): Promise<boolean> {
  return world.database.transaction(async ({ people }: Stores) => {
    const current = await people.findLocked(id)
    if (current === null) return false
    const renewed = (sealed: string | null) =>
      sealed === null ? null : resealed(world.cipher, sealed, totpContext(current))
    const next = { sealedTotp: renewed(current.sealedTotp), pendingTotp: renewed(current.pendingTotp) }
    if (next.sealedTotp === current.sealedTotp && next.pendingTotp === current.pendingTotp) return false
    await people.update({ ...current, ...next })
    return true
  })
}

/** Returns the sealed keys of old audit records. The caller opens them with the secret. */
export const readRetiredKeys = defineAct({
  name: 'audit.keys',
  input: z.strictObject({}),
  output: z.array(z.object({ id: z.string(), sealedKey: z.string() })),
  run: async ({ database }) => [...(await database.stores.audit.retiredKeys())],
})
