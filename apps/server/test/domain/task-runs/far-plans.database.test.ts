import { expect, test } from 'vitest'
import { FarPlans } from '#server/domain/task-runs/task-runs.js'
import type { TaskRecord } from '#server/ports/task-stores.js'
import { makeTask } from '../../support/stores/records.js'
import { newOrganization, sharedStoreDatabase } from '../../support/stores/store-database.js'
import { makeTestClock } from '../../support/test-clock.js'

const now = '2030-01-01T00:00:30.000Z'
const idle = {
  status: 'done',
  schedule: '* * * * *',
  timeZone: 'UTC',
  runAt: null,
  runStartedAt: null,
} as const

test('plans runs again that are later than their schedule allows, and leaves all others [RUN-15]', async () => {
  const database = await sharedStoreDatabase('postgres')
  const organizationId = await newOrganization(database)
  const lines: object[] = []
  const note = (fields: object) => void lines.push(fields)
  const log = { debug: note, info: note, warn: note, error: note }
  const add = async (fields: Partial<TaskRecord>) => {
    const task = makeTask(organizationId, { ...idle, ...fields })
    await database.stores.tasks.insert(task)
    return task.id
  }
  const nextOf = async (id: string) => (await database.stores.tasks.find(organizationId, id))?.nextRunAt
  // Written while the clock was 400 days ahead.
  const lost = await add({ nextRunAt: '2031-02-05T00:01:00.000Z' })
  const pausing = await add({ runStartedAt: now, nextRunAt: '2031-02-05T00:01:00.000Z' })
  const right = await add({ nextRunAt: '2030-01-01T00:01:00.000Z' })
  const yearly = await add({ schedule: '0 0 1 1 *', nextRunAt: '2031-01-01T00:00:00.000Z' })
  const once = { status: 'open', schedule: null, timeZone: 'UTC', runAt: '2040-01-01T00:00:00.000Z' } as const
  const planned = await add({ ...once, nextRunAt: once.runAt })
  const plans = new FarPlans({ database, clock: makeTestClock(new Date(now)), log })
  await plans.correctSome()
  expect(await nextOf(lost)).toBe('2030-01-01T00:01:00.000Z')
  expect(await nextOf(pausing)).toBe('2030-01-01T01:00:30.000Z')
  expect(await nextOf(right)).toBe('2030-01-01T00:01:00.000Z')
  expect(await nextOf(yearly)).toBe('2031-01-01T00:00:00.000Z')
  expect(await nextOf(planned)).toBe(once.runAt)
  expect(
    lines.filter((line) => 'taskId' in line && [lost, pausing].includes(String(line.taskId))),
  ).toHaveLength(2)
})
