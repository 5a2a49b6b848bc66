import { v7 as uuid } from 'uuid'
import { z } from 'zod'
import type { OrganizationRecord } from '../../ports/installation-store.js'
import { generateApiKey } from '../access/api-key-secret.js'
import { DomainError } from '../domain-error.js'
import { addOrganization } from '../first-start/new-organization.js'
import { defineAct, type OperatorWorld, operatorCaller } from './operator-act.js'

const OrganizationLine = z.object({
  organizationId: z.string(),
  name: z.string(),
  createdAt: z.string(),
  isFirst: z.boolean(),
  keys: z.int(),
})

export const listOrganizations = defineAct({
  name: 'org.list',
  input: z.strictObject({}),
  output: z.array(OrganizationLine),
  async run({ database }) {
    const { stores } = database
    const installation = await stores.installation.find()
    const organizations = await stores.installation.listOrganizations()
    const lines: z.output<typeof OrganizationLine>[] = []
    for (const { id, name, createdAt } of organizations) {
      const { totalCount } = await stores.apiKeys.list(id, {}, { offset: 0, limit: 1 })
      const isFirst = id === installation?.firstOrganizationId
      lines.push({ organizationId: id, name, createdAt, isFirst, keys: totalCount })
    }
    return lines
  },
})

export const createOrganization = defineAct({
  name: 'org.create',
  input: z.strictObject({
    name: z
      .string()
      .trim()
      .min(1)
      .max(200)
      .regex(/^\P{Cc}*$/u, { error: 'must not contain control characters, such as line breaks' }),
  }),
  output: z.object({ organizationId: z.string(), name: z.string(), keyId: z.string(), key: z.string() }),
  async run(world, operator, { name }) {
    await requireInstallation(world)
    const organizationId = uuid()
    const key = generateApiKey()
    const record = await world.database.transaction((stores) =>
      addOrganization(
        world,
        { stores, caller: operatorCaller(organizationId, operator) },
        { name, apiKey: key },
      ),
    )
    return { organizationId, name, keyId: record.id, key }
  },
})

/** Returns the organization. Throws if there is none of this id. */
export async function requireOrganization(
  { database }: OperatorWorld,
  id: string,
): Promise<OrganizationRecord> {
  const isUuid = z.uuid().safeParse(id).success
  const found = isUuid ? await database.stores.installation.findOrganization(id) : null
  if (found !== null) return found
  throw new DomainError('NotFound', `There is no organization ${id}. parley org list shows those there are.`)
}

async function requireInstallation({ database }: OperatorWorld): Promise<void> {
  if ((await database.stores.installation.find()) === null)
    throw new DomainError('Conflict', 'Nothing is set up yet. parley start makes the first organization.')
}
