import { asc, eq } from 'drizzle-orm'
import type { InstallationStore, OrganizationSettings } from '../../ports/installation-stores.js'
import type { Handle } from './handle.js'
import { installation } from './installation-schema.js'
import { lockOrganization, takeAdvisoryLock } from './locks.js'
import { organization } from './schema.js'

const organizationFields = { id: organization.id, name: organization.name, createdAt: organization.createdAt }

export function makeInstallationStore(handle: Handle): InstallationStore {
  async function readSettings(id: string): Promise<OrganizationSettings> {
    const [row] = await handle
      .select({ conversationRetentionDays: organization.conversationRetentionDays })
      .from(organization)
      .where(eq(organization.id, id))
    return row ?? { conversationRetentionDays: null }
  }

  return {
    async find() {
      const rows = await handle.select().from(installation)
      return rows[0] ?? null
    },

    lock: () => takeAdvisoryLock(handle, 'firstStart'),

    async insert(record) {
      await handle.insert(installation).values({ id: 1, ...record })
    },

    async replaceSecretCheck(secretCheck) {
      await handle.update(installation).set({ secretCheck })
    },

    async insertOrganization(record) {
      await handle.insert(organization).values(record)
    },

    listOrganizations: () =>
      handle
        .select(organizationFields)
        .from(organization)
        .orderBy(asc(organization.createdAt), asc(organization.id)),

    async findOrganization(id) {
      const rows = await handle.select(organizationFields).from(organization).where(eq(organization.id, id))
      return rows[0] ?? null
    },

    readSettings,

    async lockSettings(id) {
      await lockOrganization(handle, id)
      return readSettings(id)
    },

    async saveSettings(id, settings) {
      await handle.update(organization).set(settings).where(eq(organization.id, id))
    },
  }
}
