import { beforeAll, beforeEach } from 'vitest'
import type { Stores } from '#server/ports/database.js'
import type { DatabaseKind } from '../start-service.js'
import { newOrganization, type StoreDatabase, sharedStoreDatabase } from './store-database.js'

export interface StoreDatabaseInUse {
  readonly database: StoreDatabase
  readonly stores: Stores
  /** Another one in each test. */
  readonly organizationId: string
}

/** A database for the tests of a group, in which others have organizations too. */
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
