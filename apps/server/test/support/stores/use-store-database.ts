import { beforeAll, beforeEach } from 'vitest'
import type { Stores } from '#server/ports/database.js'
import type { DatabaseKind } from '../start-service.js'
import { newOrganization, type StoreDatabase, sharedStoreDatabase } from './store-database.js'

export interface StoreDatabaseInUse {
  readonly database: StoreDatabase
  readonly stores: Stores
  /** A new organization for each test. */
  readonly organizationId: string
}

/** A shared database for a group of tests. It also contains other organizations. */
export function useStoreDatabase(kind: DatabaseKind): StoreDatabaseInUse {
  let database: StoreDatabase
  let organizationId: string

  beforeAll(async () => {
    database = await sharedStoreDatabase(kind)
  })

  beforeEach(async () => {
    organizationId = await newOrganization(database)
  })

  return {
    get database() {
      return database
    },
    get stores() {
      return database.stores
    },
    get organizationId() {
      return organizationId
    },
  }
}
