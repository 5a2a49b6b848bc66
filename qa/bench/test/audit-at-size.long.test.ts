import { expect, test } from 'vitest'
import { findFaults } from '#bench/audit/audit-faults.js'
import { runAudit } from '#bench/audit/audit-run.js'
import { migratedDatabase } from '../../../apps/server/test/support/start-service.js'

/*
 * Runs `npm run bench:audit` with 3000 records, because a million would take minutes. Memory is not checked:
 * 3000 records do not show in it.
 */
const bars = { exportMegabytes: 100, verifySeconds: 30 }

test('exports and verifies an audit log of many records, and finds every tampering [AUD-13]', async () => {
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
