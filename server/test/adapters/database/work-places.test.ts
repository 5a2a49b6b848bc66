import { describe, expect, test } from 'vitest'
import { NoPlaceInTime, WorkPlaces } from '#server/adapters/database/work-places.js'
import type { WorkOwner } from '#server/ports/database.js'

/** Work that ends when the test says so, and what of it has begun. */
function makeWork() {
  const places = new WorkPlaces({ placesOfEach: 4, waitMilliseconds: 50 })
  const begun: string[] = []
  const finish = new Map<string, (outcome: 'done' | 'failed') => void>()
  return {
    begun,
    finish: (name: string, outcome: 'done' | 'failed' = 'done') => finish.get(name)?.(outcome),
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

describe('[BND-13] work of an organization at the database', () => {
  test('is so many pieces at a time, the others in their order', async () => {
    const { begun, start, finish } = makeWork()
    const calls = ['1', '2', '3', '4', '5', '6'].map((name) => start('a', name))
    await passed()
    expect(begun).toEqual(['1', '2', '3', '4'])
    finish('2')
    finish('1', 'failed')
    await expect(calls[0]).rejects.toThrow('1')
    await passed()
    expect(begun).toEqual(['1', '2', '3', '4', '5', '6'])
    for (const name of ['3', '4', '5', '6']) finish(name)
    expect(await Promise.all(calls.slice(1))).toEqual(['2', '3', '4', '5', '6'])
  })

  test('keeps neither another organization waiting nor work of another kind', async () => {
    const { begun, start, finish } = makeWork()
    const calls = ['1', '2', '3', '4', '5'].map((name) => start('a', name))
    const others = [start('b', 'other'), start('a', 'log', 'log'), start('a', 'file', 'file')]
    await passed()
    expect(begun).toEqual(['1', '2', '3', '4', 'other', 'log', 'file'])
    for (const name of ['1', 'other', 'log', 'file', '2', '3', '4']) finish(name)
    await passed()
    finish('5')
    await Promise.all([...calls, ...others])
  })

  test('does not wait for its place for ever, and holds none that it did not wait for', async () => {
    const { begun, start, finish } = makeWork()
    const calls = ['1', '2', '3', '4'].map((name) => start('a', name))
    await expect(start('a', 'late')).rejects.toThrow(NoPlaceInTime)
    const next = start('a', 'next')
    finish('1')
    await passed()
    expect(begun).toEqual(['1', '2', '3', '4', 'next'])
    for (const name of ['2', '3', '4', 'next']) finish(name)
    await Promise.all([...calls, next])
  })
})
