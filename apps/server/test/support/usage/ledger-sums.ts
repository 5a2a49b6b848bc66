import { expect } from 'vitest'
import type { Stores } from '#server/ports/database.js'

const groupBy = ['day', 'agent', 'key', 'model', 'connection', 'channel'] as const
const ever = { from: '2000-01-01', to: '2100-01-01' }
const never = { from: '2000-01-01', to: '2000-01-01' }

/** Expects that the sums by day and for budgets equal the sums of the records. */
export async function expectSumsOfRecords({ usageLedger }: Stores, organizationId: string): Promise<void> {
  const all = { organizationId, groupBy, filter: {}, limit: 10_000 }
  const records = await usageLedger.sum({ ...all, days: never, parts: [ever] })
  expect(records).not.toEqual([])
  expect(await usageLedger.sum({ ...all, days: ever, parts: [] })).toEqual(records)
  const days = new Set(records.map(({ day = '' }) => day))
  for (const day of days) {
    const ofDay = records.filter((record) => record.day === day)
    const tokens = ofDay.map((sum) => sum.textInput + sum.textOutput + sum.audioInput + sum.audioOutput)
    const counters = await usageLedger.counters(organizationId, [organizationId], { day, month: ever.from })
    expect(counters).toMatchObject([{ period: 'day', tokens: tokens.reduce((sum, each) => sum + each, 0) }])
  }
}
