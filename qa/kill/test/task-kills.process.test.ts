import { afterAll, expect, test } from 'vitest'
import { findKillFaults } from '#kill/kill-report.js'
import { runKills } from '#kill/kill-run.js'
import {
  cleanUp,
  newMigratedDirectory,
  slow,
} from '../../../apps/server/test/support/process/parley-process.js'
import { databaseKinds, migratedDatabase } from '../../../apps/server/test/support/start-service.js'

/*
 * Runs `npm run kill` at a smaller scale. The tool's endpoint kills the service when its request arrives,
 * once on each database.
 */
afterAll(cleanUp)

test.concurrent.each(databaseKinds)(
  'a service that is killed during a run ends every task once (%s) [RUN-12]',
  slow,
  async (kind) => {
    const postgres = kind === 'postgres' ? await migratedDatabase() : null
    const database = postgres
      ? { kind: 'postgres' as const, url: postgres.url }
      : { kind: 'embedded' as const, dataDir: `${await newMigratedDirectory()}/data` }
    const result = await runKills({ database, mode: 'endpoint', kills: 1, seed: 2, width: 2 })
    await postgres?.drop()
    expect(findKillFaults(result)).toEqual([])
    const unknown = result.tasks.reduce((sum, task) => sum + task.unknown, 0)
    expect(result.kills).toBe(1)
    expect(unknown).toBeGreaterThanOrEqual(1)
  },
)
