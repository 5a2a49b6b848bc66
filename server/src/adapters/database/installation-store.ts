import type { InstallationStore } from '../../ports/installation-store.js'
import type { Handle } from './handle.js'
import { lockOccasion } from './locks.js'
import { installation, organization } from './schema.js'

export function makeInstallationStore(handle: Handle): InstallationStore {
  return {
    async find() {
      const rows = await handle.select().from(installation)
      return rows[0] ?? null
    },

    lock: () => lockOccasion(handle, 'firstStart'),

    async insert(record) {
      await handle.insert(installation).values({ id: 1, ...record })
    },

    async insertOrganization(record) {
      await handle.insert(organization).values(record)
    },
  }
}
