import { describe, expect, test } from 'vitest'
import { DatabaseSlots, NoSlotInTime } from '#server/adapters/database/database-slots.js'
import type { WorkOwner } from '#server/ports/database.js'

/** Runs jobs that end when the test says so, and records which have begun. */
function makeWork(atOnce: number, atOncePerOrganization: number, waitMilliseconds = 10_000) {
  const places = new DatabaseSlots({ atOnce, atOncePerOrganization, waitMilliseconds })
  const begun: string[] = []
  const finish = new Map<string, (outcome: 'done' | 'failed') => void>()
  return {
    begun,
    finish: async (name: string, outcome: 'done' | 'failed' = 'done') => {
      finish.get(name)?.(outcome)
      await passed()
    },
    start: (organizationId: string, name: string, kind: WorkOwner['kind'] = 'call') =>
      places.run({ organizationId, kind }, async () => {
        begun.push(name)
        const outcome = await new Promise((resolve) => finish.set(name, resolve))
        if (outcome === 'failed') throw new Error(name)
        return name
      }),
  }
}

const passed = () => new Promise((resolve) => void setImmediate(resolve))

describe('database slots of an organization [BND-13]', () => {
  test('runs a limited number of jobs at a time and the others in order', async () => {
    const { begun, start, finish } = makeWork(10, 4)
    const calls = ['1', '2', '3', '4', '5', '6'].map((name) => start('a', name))
    await passed()
    expect(begun).toEqual(['1', '2', '3', '4'])
    const first = expect(calls[0]).rejects.toThrow('1')
    await finish('2')
    await finish('1', 'failed')
    await first
    expect(begun).toEqual(['1', '2', '3', '4', '5', '6'])
    for (const name of ['3', '4', '5', '6']) await finish(name)
    expect(await Promise.all(calls.slice(1))).toEqual(['2', '3', '4', '5', '6'])
  })

  test('leaves room for another organization, which goes next if all slots are taken', async () => {
    const { begun, start, finish } = makeWork(3, 2)
    const all = ['1', '2', '3', '4', '5'].map((name) => start('a', name))
    all.push(start('b', 'other 1'), start('b', 'other 2'), start('c', 'third'))
    await passed()
    expect(begun).toEqual(['1', '2', 'other 1'])
    await finish('1')
    await finish('2')
    await finish('other 1')
    expect(begun).toEqual(['1', '2', 'other 1', '3', 'other 2', 'third'])
    for (const name of ['3', 'other 2', 'third', '4', '5']) await finish(name)
    await Promise.all(all)
    expect(begun).toEqual(['1', '2', 'other 1', '3', 'other 2', 'third', '4', '5'])
  })

  test('schedules calls and session writes in separate turns', async () => {
    const { begun, start, finish } = makeWork(1, 1)
    const all = ['1', '2', '3', '4'].map((name) => start('a', name))
    all.push(start('a', 'entry', 'log'), start('a', 'piece', 'file'))
    await passed()
    for (const name of ['1', '2', 'entry', 'piece', '3', '4']) await finish(name)
    await Promise.all(all)
    expect(begun).toEqual(['1', '2', 'entry', 'piece', '3', '4'])
  })

  test('leaves one slot to requests, however many log entries wait [BND-13]', async () => {
    const { begun, start, finish } = makeWork(10, 3)
    const entries = ['e1', 'e2', 'e3', 'e4', 'e5', 'e6'].map((name) => start('a', name, 'log'))
    const requests = ['c1', 'c2', 'c3'].map((name) => start('a', name))
    requests.push(start('a', 'f1', 'follow'))
    await passed()
    expect(begun).toEqual(['e1', 'e2', 'e3'])
    await finish('e1')
    expect(begun.slice(3)).toEqual(['c1'])
    // The third slot is reserved for requests while some wait. The other two are filled again when they
    // become free.
    for (const name of ['c1', 'f1', 'c2']) await finish(name)
    expect(begun.slice(4)).toEqual(['f1', 'c2', 'c3'])
    await finish('e2')
    await finish('c3')
    expect(begun.slice(7)).toEqual(['e4', 'e5'])
    for (const name of ['e3', 'e4', 'e5', 'e6']) await finish(name)
    await Promise.all([...entries, ...requests])
  })

  test('lets log entries wait for a slot without a time limit [BND-13]', async () => {
    const { begun, start, finish } = makeWork(1, 1, 50)
    const call = start('a', 'call')
    const entry = start('a', 'entry', 'log')
    await expect(start('a', 'late')).rejects.toThrow(NoSlotInTime)
    await finish('call')
    await finish('entry')
    await Promise.all([call, entry])
    expect(begun).toEqual(['call', 'entry'])
  })

  test('gives up waiting for a slot after a time limit and keeps no slot', async () => {
    const { begun, start, finish } = makeWork(10, 4, 50)
    const calls = ['1', '2', '3', '4'].map((name) => start('a', name))
    await expect(start('a', 'late')).rejects.toThrow(NoSlotInTime)
    const next = start('a', 'next')
    await finish('1')
    expect(begun).toEqual(['1', '2', '3', '4', 'next'])
    for (const name of ['2', '3', '4', 'next']) await finish(name)
    await Promise.all([...calls, next])
  })
})
