import { v7 as uuid } from 'uuid'
import { z } from 'zod'
import type { OrganizationRecord } from '../../ports/installation-stores.js'
import { generateApiKey } from '../access/api-keys.js'
import { recordChange } from '../audit/record-change.js'
import { DomainError } from '../domain-error.js'
import { addOrganization } from '../first-start/first-start.js'
import { defineAct, type Operator, type OperatorWorld, operatorCaller } from './operator-act.js'

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

/** Returns the organization. Throws if it does not exist. */
export async function requireOrganization(
  { database }: OperatorWorld,
  id: string,
): Promise<OrganizationRecord> {
  const isUuid = z.uuid().safeParse(id).success
  const found = isUuid ? await database.stores.installation.findOrganization(id) : null
  if (found !== null) return found
  throw new DomainError('NotFound', `Organization ${id} not found. parley org list shows all organizations.`)
}

async function requireInstallation({ database }: OperatorWorld): Promise<void> {
  if ((await database.stores.installation.find()) === null)
    throw new DomainError(
      'Conflict',
      'The database is not set up yet. Run parley start to create the first organization.',
    )
}

const OrganizationId = z.strictObject({ organizationId: z.string() })

/** Begins or resumes an export, and returns its tables. The organization's audit log records the export. */
export const beginExport = defineAct({
  name: 'org.export.begin',
  input: OrganizationId,
  output: z.object({ name: z.string(), tables: z.array(z.string()) }),
  async run(world, operator, { organizationId }) {
    const { database, clock } = world
    const { name } = await requireOrganization(world, organizationId)
    await database.transaction((stores) =>
      recordChange(
        clock,
        { stores, caller: operatorCaller(organizationId, operator) },
        { action: 'organization.export', type: 'organization', id: organizationId },
      ),
    )
    return { name, tables: [...database.stores.organizationData.exportedTables] }
  },
})

/** Reads one page of one table. */
export const readExportPage = defineAct({
  name: 'org.export.page',
  input: z.strictObject({
    organizationId: z.uuid(),
    table: z.string(),
    after: z.array(z.string()).nullable(),
  }),
  output: z.object({
    rows: z.array(z.record(z.string(), z.unknown())),
    after: z.array(z.string()).nullable(),
  }),
  async run({ database }, _operator, { organizationId, table, after }) {
    const { organizationData } = database.stores
    if (!organizationData.exportedTables.includes(table))
      throw new DomainError('NotFound', `An export has no table ${table}.`)
    const page = await organizationData.page(organizationId, table, after)
    return { rows: [...page.rows], after: page.after === null ? null : [...page.after] }
  },
})

/**
 * Begins or resumes the deletion of an organization. Its keys, members and MCP clients lose access
 * immediately. Throws if the given name is not the organization's name.
 */
export const beginDeletion = defineAct({
  name: 'org.delete.begin',
  input: z.strictObject({ organizationId: z.string(), name: z.string() }),
  output: z.object({}),
  async run(world, operator, { organizationId, name }) {
    const organization = await requireDeletable(world, organizationId)
    if (organization.name !== name)
      throw new DomainError('Conflict', 'The name does not match the organization. Nothing was deleted.')
    await world.database.transaction(async (stores) => {
      await stores.organizationData.closeAccess(organizationId)
      await stores.organizationData.stopWork(organizationId)
      await recordInFirst(world, operator, { stores, action: 'organization.delete', organizationId })
    })
    return {}
  },
})

/**
 * Performs one step of a deletion: waits for running work, removes some rows, or removes the organization at
 * the end.
 */
export const continueDeletion = defineAct({
  name: 'org.delete.step',
  input: OrganizationId,
  output: z.object({
    /** Sessions and turns that are still running. */
    running: z.int(),
    removed: z.object({ table: z.string(), count: z.int() }).nullable(),
    isOver: z.boolean(),
  }),
  async run(world, operator, { organizationId }) {
    await requireDeletable(world, organizationId)
    const { database } = world
    const running = await database.transaction((stores) => stores.organizationData.stopWork(organizationId))
    if (running > 0) return { running, removed: null, isOver: false }
    const removed = await database.transaction((stores) => stores.organizationData.removeSome(organizationId))
    if (removed !== null) return { running, removed, isOver: false }
    await database.transaction(async (stores) => {
      await stores.organizationData.removeOrganization(organizationId)
      await recordInFirst(world, operator, { stores, action: 'organization.deleted', organizationId })
    })
    // Removes rows that were written during the last step, for example because a record was being sealed or
    // counted.
    while ((await database.stores.organizationData.removeSome(organizationId)) !== null);
    return { running, removed: null, isOver: true }
  },
})

/** Throws for the first organization, because it contains the installation's records. */
async function requireDeletable(world: OperatorWorld, organizationId: string) {
  const organization = await requireOrganization(world, organizationId)
  const installation = await world.database.stores.installation.find()
  if (installation?.firstOrganizationId === organizationId)
    throw new DomainError(
      'Conflict',
      'The first organization cannot be deleted, because its audit log contains the records of the installation.',
    )
  return organization
}

/**
 * Writes the record without the organization's name, because no data of a deleted organization may remain.
 */
async function recordInFirst(
  { clock }: OperatorWorld,
  operator: Operator,
  {
    stores,
    action,
    organizationId,
  }: {
    readonly stores: OperatorWorld['database']['stores']
    readonly action: string
    readonly organizationId: string
  },
): Promise<void> {
  const installation = await stores.installation.find()
  if (installation === null) throw new DomainError('Conflict', 'The database is not set up yet.')
  const caller = operatorCaller(installation.firstOrganizationId, operator)
  await recordChange(clock, { stores, caller }, { action, type: 'organization', id: organizationId })
}
