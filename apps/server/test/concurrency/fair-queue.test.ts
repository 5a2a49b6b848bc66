import { describe, expect, test } from 'vitest'
import { FairQueue } from '#server/concurrency/fair-queue.js'
import { makeTestTimers } from '../support/test-timers.js'

const limits = { atOnce: 2, maxWaiting: 8, maxWaitingPerOwner: 4, maxWaitMilliseconds: 1000 }

/** A queue whose jobs end when the test ends them. */
function makeQueue(options: Partial<ConstructorParameters<typeof FairQueue>[1]> = {}) {
  const timers = makeTestTimers()
  const queue = new FairQueue(timers, { ...limits, ...options })
  const running: { readonly name: string; readonly end: () => void }[] = []
  const started: string[] = []
  const begin = (owner: string, name: string) =>
    queue.run(owner, () => {
      started.push(name)
      return new Promise<string>((resolve) => {
        running.push({ name, end: () => resolve(name) })
      })
    })
  const endNext = async () => {
    running.shift()?.end()
    await new Promise((resolve) => setImmediate(resolve))
  }
  return { timers, begin, started, endNext }
}

const turn = () => new Promise((resolve) => setImmediate(resolve))

describe('FairQueue', () => {
  test('gives slots to owners in turn, however much work one owner brings [BND-5]', async () => {
    const { begin, started, endNext } = makeQueue()
    const all = ['a1', 'a2', 'a3', 'a4', 'a5', 'b1', 'b2', 'c1'].map((name) => begin(name[0] ?? '', name))
    await turn()
    for (let count = 0; count < all.length; count += 1) await endNext()
    expect(started).toEqual(['a1', 'a2', 'a3', 'b1', 'c1', 'a4', 'b2', 'a5'])
    expect(await Promise.all(all)).toHaveLength(8)
  })

  test('rejects work beyond the limit of one owner and accepts the work of others [BND-5]', async () => {
    const { begin, endNext } = makeQueue()
    const many = Array.from({ length: 20 }, (_, index) => begin('a', `a${index}`))
    const other = begin('b', 'b')
    for (let count = 0; count < 10; count += 1) await endNext()
    expect((await Promise.all(many)).filter(({ ok }) => ok)).toHaveLength(2 + limits.maxWaitingPerOwner)
    expect(await other).toEqual({ ok: true, value: 'b' })
  })

  test('keeps slots free for other owners', async () => {
    const { begin, started, endNext } = makeQueue({ atOncePerOwner: 1 })
    const all = ['a1', 'a2', 'b1'].map((name) => begin(name[0] ?? '', name))
    await turn()
    expect(started).toEqual(['a1', 'b1'])
    for (let count = 0; count < 3; count += 1) await endNext()
    expect(await Promise.all(all)).toHaveLength(3)
  })

  test('rejects work that waits too long and keeps all slots usable', async () => {
    const { timers, begin, started, endNext } = makeQueue()
    const held = [begin('a', 'a1'), begin('a', 'a2')]
    const late = begin('b', 'b1')
    await turn()
    timers.advance(limits.maxWaitMilliseconds)
    expect(await late).toEqual({ ok: false })
    await endNext()
    await endNext()
    await Promise.all(held)
    const again = [begin('b', 'b2'), begin('b', 'b3')]
    await turn()
    expect(started).toEqual(['a1', 'a2', 'b2', 'b3'])
    await endNext()
    await endNext()
    await Promise.all(again)
  })

  test('frees the slot of failed work', async () => {
    const { begin, endNext } = makeQueue()
    const queue = new FairQueue(makeTestTimers(), { ...limits, atOnce: 1 })
    await expect(queue.run('a', () => Promise.reject(new Error('It failed.')))).rejects.toThrow('It failed.')
    expect(await queue.run('a', async () => 1)).toEqual({ ok: true, value: 1 })
    const one = begin('a', 'a')
    await turn()
    await endNext()
    expect(await one).toEqual({ ok: true, value: 'a' })
  })
})
