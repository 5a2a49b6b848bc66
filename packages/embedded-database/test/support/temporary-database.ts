import { mkdtemp, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { type EmbeddedDatabase, openEmbeddedDatabase } from '#embedded-database/open-embedded-database.js'
import { temporaryParent } from '../../../../apps/server/test/support/services/temporary-parent.js'
import { keepCompiled } from './compiled-database.js'

type Tuning = Parameters<typeof openEmbeddedDatabase>[1]

export interface TemporaryDatabase extends EmbeddedDatabase {
  readonly dataDir: string
  readonly crashes: readonly Error[]
  /** Resolves at the first crash. */
  readonly crashed: Promise<Error>
}

export async function makeDataDirectory(): Promise<string> {
  return mkdtemp(join(await temporaryParent(), 'parley-embedded-'))
}

/** Opens a database in a temporary directory. Closing the database removes the directory. */
export async function openTemporaryDatabase(tuning: Tuning = {}): Promise<TemporaryDatabase> {
  const dataDir = await makeDataDirectory()
  const crashes: Error[] = []
  let onFirstCrash: (error: Error) => void = () => {}
  const crashed = new Promise<Error>((resolve) => {
    onFirstCrash = resolve
  })
  const onCrash = (error: Error) => {
    crashes.push(error)
    onFirstCrash(error)
  }
  await keepCompiled()
  const { pool, close, dump } = await openEmbeddedDatabase({ dataDir, onCrash }, tuning)
  return {
    pool,
    dump,
    dataDir,
    crashes,
    crashed,
    async close() {
      await close()
      await rm(dataDir, { recursive: true, force: true })
    },
  }
}
