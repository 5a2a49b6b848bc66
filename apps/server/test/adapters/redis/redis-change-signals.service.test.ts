import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { makeRedisChangeSignals } from '#server/adapters/redis/redis-change-signals.js'
import { connectRedis, type RedisConnection } from '#server/adapters/redis/redis-connection.js'
import type { ChangeSignals } from '#server/ports/changes.js'
import type { Log } from '#server/ports/log.js'
import { createRedisUrl } from '../../support/services/redis-database.js'
import { startTcpProxy, type TcpProxy } from '../../support/services/tcp-proxy.js'

const log: Log = { debug() {}, info() {}, warn() {}, error() {} }

interface Instance {
  readonly redis: RedisConnection
  readonly signals: ChangeSignals
  /** Counts the received signals. */
  count: number
}

let url: string
let proxy: TcpProxy
let one: Instance
let other: Instance
let stranger: Instance

beforeAll(async () => {
  url = await createRedisUrl()
  const { hostname, port } = new URL(url)
  proxy = await startTcpProxy(hostname, Number(port))
  one = join('one', url)
  other = join('other', proxy.rewriteUrl(url))
  stranger = join('stranger', await createRedisUrl())
  // Each subscription begins with a signal. A slow connection that was made again gets another one.
  await vi.waitUntil(() => [one, other, stranger].every(({ count }) => count >= 1), { timeout: 60_000 })
})

beforeEach(() => {
  for (const instance of [one, other, stranger]) instance.count = 0
})

afterAll(async () => {
  for (const { signals, redis } of [one, other, stranger]) {
    await signals.close()
    await redis.close()
  }
  await proxy.close()
})

function join(instanceId: string, redisUrl: string): Instance {
  const redis = connectRedis(redisUrl, log)
  const signals = makeRedisChangeSignals({ redis: redis.client, log, instanceId })
  const instance = { redis, signals, count: 0 }
  signals.subscribe('tasks', () => {
    instance.count += 1
  })
  return instance
}

describe('a change signal over Redis', () => {
  test('reaches the other instances, but not its sender or another database of the same Redis [SIG-1]', async () => {
    one.signals.publish('tasks')
    await expect.poll(() => other.count).toBe(1)
    other.signals.publish('tasks')
    await expect.poll(() => one.count).toBe(1)
    expect([one.count, other.count, stranger.count]).toEqual([1, 1, 0])
  })

  test('is sent at most once in 15 ms during a flood, and once after the last change [SIG-3]', async () => {
    // A slow machine allows more signals: the limit grows with the elapsed time.
    const begin = performance.now()
    await vi.waitUntil(
      () => {
        for (let burst = 0; burst < 100; burst += 1) one.signals.publish('tasks')
        return other.count > 10
      },
      { timeout: 60_000, interval: 1 },
    )
    const count = other.count
    expect(count).toBeLessThanOrEqual((performance.now() - begin) / 15 + 2)
    const before = other.count
    one.signals.publish('tasks')
    await expect.poll(() => other.count).toBeGreaterThan(before)
  })

  test('follows a reconnect if signals were missed, and publishing without a connection is harmless [SIG-2]', async () => {
    await proxy.cut()
    one.signals.publish('tasks')
    other.signals.publish('tasks')
    expect(other.count).toBe(0)
    await proxy.restore()
    await expect.poll(() => other.count, { timeout: 60_000 }).toBe(1)
    one.signals.publish('tasks')
    await expect.poll(() => other.count).toBe(2)
  })
})
