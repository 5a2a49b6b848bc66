import type { Task } from '@parley/contract'
import { describe, expect, test } from 'vitest'
import { useQuestionService } from '../../support/questions/question-service.js'
import { patiently } from '../../support/realtime/spoken-turns.js'
import { makeTestClock } from '../../support/test-clock.js'
import { makeTestTimers } from '../../support/test-timers.js'

const tasks = '/api/v1/Task'
const clock = makeTestClock(new Date('2030-03-29T08:00:00.000Z'))
const timers = makeTestTimers()
const service = useQuestionService(() => ({ clock, timers, database: 'embedded' }))
const broken = { status: 400, body: { error: { message: 'No such model.' } } } as const

const call = <Body>(method: string, path: string, body?: object) =>
  service.running.client.call<Body>(method, path, { ...(body && { body }) })
const read = async ({ id }: Pick<Task, 'id'>) => (await call<Task>('GET', `${tasks}/${id}`)).body

async function create(fields: object) {
  const agentId = await service.makeAgent()
  const made = await call<Task>('POST', tasks, { title: 'Report', agentId, ...fields })
  expect(made.status, made.text).toBe(201)
  return made.body
}

/** Advances clock and timers, so that due work starts. */
function pass(seconds: number): void {
  clock.advance(seconds * 1000)
  timers.advance(seconds * 1000)
}

/** An attempt is committed before the following poll has set the timer for the next one. */
const nextIn = (seconds: number) => expect.poll(() => timers.firesIn(seconds * 1000), patiently).toBe(true)

const detailOf = (task: Pick<Task, 'id'>) => async () => (await read(task)).statusDetail
const statusOf = (task: Pick<Task, 'id'>) => async () => (await read(task)).status
const until = (task: Pick<Task, 'id'>, words: RegExp) => expect.poll(detailOf(task), patiently).toMatch(words)

describe('a run whose attempts fail', () => {
  test('is retried after growing pauses from 10 s on, and fails with a reason [RUN-3]', async () => {
    // Fires the timers of regular work, so that they are not mistaken for the pause of the run.
    timers.advance(3000)
    const task = await create({})
    service.model.answer(broken, broken, broken)
    await call('POST', `${tasks}/${task.id}/run`)
    await until(task, /^Attempt 1 of 3 failed: .*The next attempt starts at 2030-03-29T08:00:10\.000Z\.$/)
    expect(await read(task)).toMatchObject({
      ...{ status: 'in_progress', attempts: 1, nextRunAt: '2030-03-29T08:00:10.000Z', result: null },
    })
    await nextIn(10)
    pass(9)
    expect(service.model.requests).toHaveLength(1)
    pass(1)
    await until(task, /^Attempt 2 of 3 failed: .*The next attempt starts at 2030-03-29T08:00:30\.000Z\.$/)
    const again = JSON.stringify(service.model.requests.at(-1)?.body.messages)
    expect(again).toContain('was interrupted. Continue where it stopped')
    await nextIn(20)
    pass(20)
    await until(task, /^Attempt 3 of 3 failed: /)
    expect(await read(task)).toMatchObject({
      status: 'failed',
      attempts: 3,
      runStartedAt: null,
      nextRunAt: null,
    })
    expect((await read(task)).statusDetail).not.toContain('next one')
  })

  test('has no attempt after its deadline [RUN-4] [RUN-3]', async () => {
    const runDeadlineAt = new Date(clock.now().getTime() + 15_000).toISOString()
    const task = await create({ runDeadlineAt })
    service.model.answer(broken, broken)
    const startedRun = (await call<Task>('POST', `${tasks}/${task.id}/run`)).body
    expect(startedRun.runDeadlineAt).toBe(runDeadlineAt)
    await until(task, /^Attempt 1 of 3 failed/)
    await nextIn(10)
    pass(10)
    await until(task, /no time for another attempt/)
    expect(await read(task)).toMatchObject({ status: 'failed', attempts: 2, runDeadlineAt: null })
  })
})

test('an attempt that is running is ended at the deadline [RUN-4]', async () => {
  const task = await create({ runDeadlineAt: new Date(clock.now().getTime() + 60_000).toISOString() })
  service.model.answer('silence')
  await call('POST', `${tasks}/${task.id}/run`)
  const request = await service.model.nextRequest()
  await until(task, /is running/)
  // The poll after the start sets the timer.
  await expect.poll(() => timers.waiting > 0, patiently).toBe(true)
  const passing = setInterval(() => pass(5), 20)
  await request.closed
  clearInterval(passing)
  await expect.poll(statusOf(task), patiently).toBe('failed')
  expect((await read(task)).statusDetail).toContain('stopped at its deadline')
  const late = await call<Task>('POST', tasks, {
    title: 'Late',
    runDeadlineAt: '2020-01-01T00:00:00Z',
    agentId: task.agentId,
  })
  expect((await call('POST', `${tasks}/${late.body.id}/run`)).text).toContain('Change runDeadlineAt')
})

test('a task runs once at its runAt, however often that is written [RUN-7]', async () => {
  const runAt = new Date(clock.now().getTime() + 3_600_000).toISOString()
  const task = await create({ runAt })
  expect(task).toMatchObject({ nextRunAt: runAt, status: 'open' })
  const { body } = await call<Task>('PATCH', `${tasks}/${task.id}`, { runAt, priority: 'high' })
  expect(body.nextRunAt).toBe(runAt)
  service.model.answer({ text: 'Reported.' })
  clock.advance(3_600_000)
  // A distant time needs no timer. The next change triggers a poll, which finds the task.
  await call('PATCH', `${tasks}/${task.id}`, { priority: 'low' })
  await expect.poll(statusOf(task), patiently).toBe('done')
  const again = await call<Task>('PATCH', `${tasks}/${task.id}`, { runAt, status: 'open' })
  expect(again.body.nextRunAt).toBe(null)
  for (const [field, value, words] of [
    ['schedule', 'every day', 'five cron fields'],
    ['schedule', '0 0 31 2 *', 'never fires'],
    ['timeZone', 'Mars/Olympus', 'IANA'],
    ['agentId', null, 'is required'],
  ] as const) {
    const bad = { title: 'Bad', agentId: task.agentId, schedule: '0 9 * * *', [field]: value }
    const refused = await call<{ errors: unknown }>('POST', tasks, bad)
    expect([refused.status, refused.body.errors]).toEqual([
      400,
      [{ path: field, message: expect.stringContaining(words) }],
    ])
  }
})

test('a task recurs in its time zone, and missed runs are reported and not repeated [RUN-8]', async () => {
  // The schedule is 9:30 in Berlin, on the Friday before summer time starts. This is 8:30 in UTC, and 7:30
  // from Sunday on.
  const now = Date.parse('2030-03-29T10:00:00.000Z')
  clock.advance(now - clock.now().getTime())
  const task = await create({ schedule: '30 9 * * *', timeZone: 'Europe/Berlin' })
  expect(task.nextRunAt).toBe('2030-03-30T08:30:00.000Z')
  const arrive = async (moment: string) => {
    clock.advance(Date.parse(moment) - clock.now().getTime())
    await call('PATCH', `${tasks}/${task.id}`, { description: moment })
  }
  service.model.answer({ text: 'Saturday.' })
  await arrive('2030-03-30T08:30:00.500Z')
  await expect.poll(async () => (await read(task)).result, patiently).toBe('Saturday.')
  const saturday = await read(task)
  expect(saturday).toMatchObject({ status: 'done', missedRuns: 0, nextRunAt: '2030-03-31T07:30:00.000Z' })
  // The service was stopped until Wednesday noon. It skips the missed runs and makes up for them with one
  // run.
  service.model.answer({ text: 'Wednesday.' })
  await arrive('2030-04-03T12:00:00.000Z')
  await expect.poll(async () => (await read(task)).result, patiently).toBe('Wednesday.')
  const wednesday = await read(task)
  expect(wednesday).toMatchObject({
    ...{ status: 'done', missedRuns: 3, nextRunAt: '2030-04-04T07:30:00.000Z' },
    statusDetail: 'Scheduled runs that were skipped since the previous run: 3.',
  })
  expect(wednesday.conversationId).not.toBe(saturday.conversationId)
  const { body } = await call<Task>('PATCH', `${tasks}/${task.id}`, { status: 'open' })
  expect(body.nextRunAt).toBe('2030-04-04T07:30:00.000Z')
  expect((await call<Task>('PATCH', `${tasks}/${task.id}`, { status: 'cancelled' })).body.nextRunAt).toBe(
    null,
  )
})
