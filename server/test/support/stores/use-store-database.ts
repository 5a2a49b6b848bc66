import { afterAll, beforeAll, beforeEach } from 'vitest'
import type { Stores } from '#server/ports/database.js'
import type { DatabaseKind } from '../start-service.js'
import { newOrganization, openStoreDatabase, type StoreDatabase } from './store-database.js'

export interface StoreDatabaseInUse {
  readonly database: StoreDatabase
  readonly stores: Stores
  /** Another one in each test. */
  readonly organizationId: string
}

/** Opens a database before the tests of a group and closes it after them. */
export function useStoreDatabase(kind: DatabaseKind): StoreDatabaseInUse {
  let database: StoreDatabase
  let organizationId: string

  beforeAll(async () => {
    database = await openStoreDatabase(kind)
  })

  beforeEach(async () => {
    organizationId = await newOrganization(database)
  })

  afterAll(() => database.close())

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
