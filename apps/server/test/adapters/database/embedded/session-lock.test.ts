import { describe, expect, test } from 'vitest'
import { SessionLock } from '#server/adapters/database/embedded/session-lock.js'

describe('the lock on the one session', () => {
  test('goes round in the order in which it was asked for', async () => {
    const lock = new SessionLock()
    const owners = ['a', 'b', 'c', 'd'].map((name) => ({ name }))
    const order: string[] = []
    await Promise.all(
      owners.map(async (owner) => {
        expect(await lock.acquire(owner, 1000)).toBe('held')
        order.push(owner.name)
        lock.release(owner)
      }),
    )
    expect(order).toEqual(['a', 'b', 'c', 'd'])
  })

  test('stays with its owner, who may ask again', async () => {
    const lock = new SessionLock()
    const [owner, other] = [{}, {}]
    await lock.acquire(owner)
    expect(await lock.acquire(owner, 0)).toBe('held')
    expect(await lock.acquire(other, 1)).toBe('timed out')
    lock.release(other)
    expect(lock.isHeldBy(owner)).toBe(true)
  })

  test('passes over those whose time ran out and those who are gone', async () => {
    const lock = new SessionLock()
    const [owner, late, gone, next] = [{}, {}, {}, {}]
    await lock.acquire(owner)
    const waiting = [lock.acquire(late, 1), lock.acquire(gone, 1000), lock.acquire(next)]
    lock.abandon(gone)
    expect(await waiting[0]).toBe('timed out')
    expect(await waiting[1]).toBe('abandoned')
    lock.release(owner)
    expect(await waiting[2]).toBe('held')
    lock.release(next)
    expect(await lock.acquire(late, 0)).toBe('held')
  })
})
