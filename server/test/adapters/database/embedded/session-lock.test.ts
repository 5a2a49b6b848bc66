import { describe, expect, test } from 'vitest'
import { SessionLock } from '#server/adapters/database/embedded/session-lock.js'

describe('the hold on the one session', () => {
  test('goes round in the order in which it was asked for', async () => {
    const hold = new SessionLock()
    const owners = ['a', 'b', 'c', 'd'].map((name) => ({ name }))
    const order: string[] = []
    await Promise.all(
      owners.map(async (owner) => {
        expect(await hold.acquire(owner, 1000)).toBe('held')
        order.push(owner.name)
        hold.release(owner)
      }),
    )
    expect(order).toEqual(['a', 'b', 'c', 'd'])
  })

  test('stays with its owner, who may ask again', async () => {
    const hold = new SessionLock()
    const [owner, other] = [{}, {}]
    await hold.acquire(owner)
    expect(await hold.acquire(owner, 0)).toBe('held')
    expect(await hold.acquire(other, 1)).toBe('timed out')
    hold.release(other)
    expect(hold.isHeldBy(owner)).toBe(true)
  })

  test('passes over those whose time ran out and those who are gone', async () => {
    const hold = new SessionLock()
    const [owner, late, gone, next] = [{}, {}, {}, {}]
    await hold.acquire(owner)
    const waiting = [hold.acquire(late, 1), hold.acquire(gone, 1000), hold.acquire(next)]
    hold.abandon(gone)
    expect(await waiting[0]).toBe('timed out')
    expect(await waiting[1]).toBe('abandoned')
    hold.release(owner)
    expect(await waiting[2]).toBe('held')
    hold.release(next)
    expect(await hold.acquire(late, 0)).toBe('held')
  })
})
