import { expect, test } from 'vitest'
import { findFaults } from '#bench/audit/audit-faults.js'
import { runAudit } from '#bench/audit/audit-run.js'
import { migratedDatabase } from '../../../apps/server/test/support/start-service.js'

/*
 * `npm run bench:audit` in small: a million records would take minutes. What it is to find besides the tamperings is a log
 * that is held in memory: 3000 records of which each is kept would not show, so memory is the long one's to judge.
 */
const bars = { exportMegabytes: 100, verifySeconds: 30 }

test('a log of many records is exported, verified, and every tampering with it found [AUD-13]', async () => {
  const { url, drop } = await migratedDatabase()
  const figures = await runAudit({
    database: { kind: 'postgres', url },
    records: 3000,
    measuresMemory: false,
    onStep: () => undefined,
  })
  await drop()
  expect(findFaults(figures, bars)).toEqual([])
  expect(figures.found).toHaveLength(6)
  expect(figures.verified.checkedCount).toBeGreaterThan(3000)
}, 120_000)
