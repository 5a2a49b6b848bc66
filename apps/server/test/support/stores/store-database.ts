import { rm } from 'node:fs/promises'
import { openEmbeddedDatabase } from '@parley/embedded-database'
import type pg from 'pg'
import { v7 as uuid } from 'uuid'
import { inject } from 'vitest'
import { makeDatabase } from '#server/adapters/database/database.js'
import { openPostgres } from '#server/adapters/database/open-postgres.js'
import type { Database } from '#server/ports/database.js'
import { makeDataDirectory } from '../../../../../packages/embedded-database/test/support/temporary-database.js'
import { testSigning } from '../audit/chain-secrets.js'
import { makeMigratedDataDir } from '../services/embedded-data.js'
import { createPostgresDatabase } from '../services/postgres-database.js'
import { type DatabaseKind, migratedDatabase } from '../start-service.js'

export interface TestPool {
  readonly pool: pg.Pool
  close(): Promise<void>
}

export interface StoreDatabase extends Database {
  /** For SQL that no store offers: reading raw rows and simulating the passage of time. */
  readonly pool: pg.Pool
}

/** Opens an empty database of this kind. */
export async function openEmptyPool(kind: DatabaseKind): Promise<TestPool> {
  return kind === 'embedded'
    ? openEmbedded(await makeDataDirectory())
    : openServer(await createPostgresDatabase())
}

/** Opens a migrated database of this kind, as the service uses it. */
export async function openStoreDatabase(kind: DatabaseKind, parent?: string): Promise<StoreDatabase> {
  const { pool, close } =
    kind === 'embedded'
      ? await openEmbedded(await makeMigratedDataDir(parent))
      : openServer(await migratedDatabase())
  return { ...makeDatabase(pool, { close, signing: testSigning }), pool }
}

const shared = new Map<DatabaseKind, Promise<StoreDatabase>>()

/**
 * A database shared by all test files of this worker. The first caller opens it, and it is removed with the
 * run. Opening one takes longer than most tests. Only for tests that use organizations of their own.
 */
export function sharedStoreDatabase(kind: DatabaseKind): Promise<StoreDatabase> {
  const opening = shared.get(kind) ?? openStoreDatabase(kind, inject('runDirectory'))
  shared.set(kind, opening)
  return opening
}

async function openEmbedded(dataDir: string): Promise<TestPool> {
  const onCrash = (error: Error) => {
    throw error
  }
  const { pool, close } = await openEmbeddedDatabase({ dataDir, onCrash })
  return {
    pool,
    async close() {
      await close()
      await rm(dataDir, { recursive: true, force: true })
    },
  }
}

function openServer(server: { readonly url: string; drop(): Promise<void> }): TestPool {
  const pool = openPostgres(server.url, () => undefined)
  return {
    pool,
    async close() {
      await pool.end()
      await server.drop()
    },
  }
}

/** Creates an organization for a test. */
export async function newOrganization({ stores }: Database): Promise<string> {
  const id = uuid()
  await stores.installation.insertOrganization({
    id,
    name: 'An organization',
    createdAt: new Date().toISOString(),
  })
  return id
}

/** A promise with a separate function that resolves it. Two transactions use it to wait for each other. */
export function makeGate(): { readonly opened: Promise<void>; open(): void } {
  let open = () => {}
  const opened = new Promise<void>((resolve) => {
    open = resolve
  })
  return { opened, open }
}
