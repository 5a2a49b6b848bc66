import { ApiKeyInput, Scope } from '@parley/contract'
import { z } from 'zod'
import type { Stores } from '../../ports/database.js'
import type { ApiKeyRecord } from '../../ports/people-stores.js'
import { makeApiKeys } from '../access/api-keys.js'
import { recordChange } from '../audit/record-change.js'
import { DomainError } from '../domain-error.js'
import { removeResource } from '../resources/resource.js'
import { defineAct, type OperatorWorld, operatorCaller } from './operator-act.js'
import { requireOrganization } from './organizations.js'

const pageSize = 200

const KeyLine = z.object({
  organizationId: z.string(),
  id: z.string(),
  name: z.string(),
  prefix: z.string(),
  scopes: z.array(Scope),
  createdAt: z.string(),
  expiresAt: z.string().nullable(),
  lastUsedAt: z.string().nullable(),
})

export const listKeys = defineAct({
  name: 'key.list',
  input: z.strictObject({ organizationId: z.string().nullable().default(null) }),
  output: z.array(KeyLine),
  async run(world, _operator, { organizationId }) {
    const { stores } = world.database
    if (organizationId !== null) {
      await requireOrganization(world, organizationId)
      return keysOf(stores, organizationId)
    }
    const lines: z.output<typeof KeyLine>[] = []
    for (const { id } of await stores.installation.listOrganizations())
      lines.push(...(await keysOf(stores, id)))
    return lines
  },
})

async function keysOf(stores: Stores, organizationId: string): Promise<z.output<typeof KeyLine>[]> {
  const lines: z.output<typeof KeyLine>[] = []
  for (;;) {
    const page = { offset: lines.length, limit: pageSize }
    const { items } = await stores.apiKeys.list(organizationId, {}, page)
    lines.push(...items.map((record) => KeyLine.parse(record)))
    if (items.length < pageSize) return lines
  }
}

const NewKey = z.object({
  organizationId: z.string(),
  id: z.string(),
  name: z.string(),
  key: z.string(),
})

/** Creates a key as the operator, so that an installation can be recovered if all of its keys were lost. */
export const createKey = defineAct({
  name: 'key.create',
  /** If null, the only organization is used. */
  input: z.strictObject({ organizationId: z.string().nullable(), key: ApiKeyInput }),
  output: NewKey,
  async run(world, operator, { organizationId: wanted, key: input }) {
    const organizationId = wanted ?? (await findOnlyOrganization(world))
    await requireOrganization(world, organizationId)
    const caller = operatorCaller(organizationId, operator)
    const keys = makeApiKeys(world)
    const made = await world.database.transaction((stores) => keys.create({ stores, caller }, input))
    const { id, name, key } = made
    return { organizationId, id, name, key }
  },
})

/** Returns the only organization. Used by commands without an organization argument. */
export async function findOnlyOrganization({ database }: OperatorWorld): Promise<string> {
  const [only, ...others] = await database.stores.installation.listOrganizations()
  if (only !== undefined && others.length === 0) return only.id
  throw new DomainError(
    'InvalidRequest',
    'Select the organization with --org ID. parley org list shows the ids.',
  )
}

/**
 * Deletes any key. The last one of an organization may be deleted too, because `key create` can create
 * another.
 */
export const deleteKey = defineAct({
  name: 'key.delete',
  input: z.strictObject({ id: z.string() }),
  output: z.object({ organizationId: z.string(), id: z.string(), name: z.string() }),
  run: ({ database, clock }, operator, { id }) =>
    database.transaction(async (stores) => {
      const { organizationId, name } = await requireKey(stores, id)
      const scope = { stores, caller: operatorCaller(organizationId, operator) }
      const kind = { type: 'ApiKey', clock, store: ({ apiKeys }: Stores) => apiKeys }
      await removeResource(kind, scope, { id, ifMatch: null })
      await recordChange(clock, scope, { action: 'api_key.delete', type: 'ApiKey', id, details: { name } })
      return { organizationId, id, name }
    }),
})

async function requireKey(stores: Stores, id: string): Promise<ApiKeyRecord> {
  const found = z.uuid().safeParse(id).success ? await stores.apiKeys.findAnywhere(id) : null
  if (found !== null) return found
  throw new DomainError('NotFound', `API key ${id} not found. parley key list shows all keys.`)
}
