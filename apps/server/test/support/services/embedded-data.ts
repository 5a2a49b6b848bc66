import { execFile } from 'node:child_process'
import { access, mkdir, mkdtemp, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { openEmbeddedDatabase } from '@parley/embedded-database'
import { inject, vi } from 'vitest'
import { migrate } from '#server/adapters/database/migrate.js'
import { keepCompiled } from '../../../../../packages/embedded-database/test/support/compiled-database.js'
import { testSigning } from '../audit/chain-secrets.js'
import { temporaryParent } from './temporary-parent.js'

const copyProgram = promisify(execFile)

/**
 * Copies a migrated embedded database into a data directory. The template is migrated once per run: a
 * migration takes ten times as long as a copy.
 */
export async function copyMigratedDatabase(dataDir: string): Promise<void> {
  await keepCompiled()
  await copyProgram('cp', ['-R', await makeTemplateOnce(), join(dataDir, 'database')])
}

/**
 * Creates a migrated data directory in `parent`, whose owner removes it. Without `parent`, the caller removes
 * it.
 */
export async function makeMigratedDataDir(parent?: string): Promise<string> {
  const dataDir = await mkdtemp(join(parent ?? (await temporaryParent()), 'parley-test-'))
  await copyMigratedDatabase(dataDir)
  return dataDir
}

/** How long to wait for another worker to make the template on a busy machine. */
const patiently = { timeout: 60_000, interval: 20 }

/** The first caller makes the template. Other callers wait, so the template is made only once. */
async function makeTemplateOnce(): Promise<string> {
  const template = join(inject('runDirectory'), 'embedded-database')
  if (await isThere(template)) return template
  const dataDir = join(inject('runDirectory'), 'unfinished')
  const isFirst = await mkdir(dataDir).then(
    () => true,
    () => false,
  )
  if (isFirst) await makeTemplate(template, dataDir)
  else await vi.waitUntil(() => isThere(template), patiently)
  return template
}

async function makeTemplate(template: string, dataDir: string): Promise<void> {
  try {
    const { pool, close } = await openEmbeddedDatabase({
      dataDir,
      onCrash: (error) => {
        throw error
      },
    })
    await migrate(pool, testSigning)
    await close()
    await rename(join(dataDir, 'database'), template)
  } finally {
    // After a failure, the next caller tries again.
    await rm(dataDir, { recursive: true, force: true })
  }
}

function isThere(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  )
}
