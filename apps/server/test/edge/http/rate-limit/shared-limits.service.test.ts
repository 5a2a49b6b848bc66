import { Redis } from 'ioredis'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Credentials } from '../../../support/api-client.js'
import { addOrganization } from '../../../support/organizations.js'
import type { PostgresDatabase } from '../../../support/services/postgres-database.js'
import { createRedisUrl } from '../../../support/services/redis-database.js'
import { startTcpProxy, type TcpProxy } from '../../../support/services/tcp-proxy.js'
import { migratedDatabase, type RunningService, startService } from '../../../support/start-service.js'

const limit = 10
const patiently = { timeout: 60_000, interval: 50 }

let postgres: PostgresDatabase
let redisUrl: string
let redis: Redis
let proxy: TcpProxy
let first: RunningService
let second: RunningService

/** Only the second service reaches Redis through the proxy. */
beforeAll(async () => {
  postgres = await migratedDatabase()
  redisUrl = await createRedisUrl()
  redis = new Redis(redisUrl)
  const { hostname, port } = new URL(redisUrl)
  proxy = await startTcpProxy(hostname, Number(port))
  first = await start(redisUrl)
  second = await start(proxy.rewriteUrl(redisUrl))
})

afterAll(async () => {
  await first.close()
  await second.close()
  redis.disconnect()
  await proxy.close()
  await postgres.drop()
})

function start(url: string): Promise<RunningService> {
  const env = { DATABASE_URL: postgres.url, REDIS_URL: url, PARLEY_RATE_LIMIT_PER_MINUTE: String(limit) }
  return startService({ env })
}

function call(service: RunningService, organization: Credentials) {
  return service.client.as(organization).call('GET', '/api/v1/Task?Limit=1')
}

async function callTimes(times: number, service: RunningService, organization: Credentials) {
  const statuses: number[] = []
  for (let count = 0; count < times; count += 1) statuses.push((await call(service, organization)).status)
  return statuses
}

async function countedInRedis(organization: Credentials): Promise<number> {
  const key = await first.service.database.stores.apiKeys.findByPrefix(organization.apiKey.slice(4, 12))
  return Number(await redis.get(`parley:rate:key:${key?.id}`))
}

/** Waits until the service counts in Redis, because it connects in the background. */
async function waitUntilShared(service: RunningService): Promise<void> {
  await expect
    .poll(async () => {
      const newcomer = await addOrganization(first)
      await call(service, newcomer)
      return countedInRedis(newcomer)
    }, patiently)
    .toBe(1)
}

/** The Redis status that load balancers and Prometheus see. */
async function statusOf({ client }: RunningService) {
  const { status, body } = await client.call('GET', '/readyz')
  const { text } = await client.call('GET', '/metrics')
  return { ready: { status, body }, metric: /^parley_redis_up .*$/m.exec(text)?.[0] }
}

const linesWith = (service: RunningService, text: string) => service.log.filter((line) => line.includes(text))

describe('rate limits with Redis [API-8]', () => {
  test('count the requests of all instances together', async () => {
    await waitUntilShared(first)
    await waitUntilShared(second)
    const organization = await addOrganization(first)
    expect(await callTimes(6, first, organization)).toEqual(Array(6).fill(200))
    expect(await callTimes(5, second, organization)).toEqual([200, 200, 200, 200, 429])
    expect(await callTimes(1, first, organization)).toEqual([429])
    expect((await call(second, organization)).headers.get('ratelimit-remaining')).toBe('0')
  })

  test('keep a burst on both instances within the limit', async () => {
    const organization = await addOrganization(first)
    const answers = await Promise.all(
      Array.from({ length: 30 }, (_, index) => call(index % 2 === 0 ? first : second, organization)),
    )
    expect(answers.filter((answer) => answer.status === 200)).toHaveLength(limit)
  })

  test('start a new count when the minute is over', async () => {
    const organization = await addOrganization(first)
    expect((await callTimes(limit + 1, first, organization)).at(-1)).toBe(429)
    const key = await first.service.database.stores.apiKeys.findByPrefix(organization.apiKey.slice(4, 12))
    await redis.pexpire(`parley:rate:key:${key?.id}`, 1)
    await expect.poll(async () => (await call(first, organization)).status, patiently).toBe(200)
  })

  test('an instance that loses Redis counts alone, reports it, and counts with the others after the reconnect [OPS-17]', async () => {
    const organization = await addOrganization(first)
    expect(await callTimes(4, first, organization)).toEqual(Array(4).fill(200))
    await proxy.cut()
    expect(await callTimes(limit + 1, second, organization)).toEqual([...Array(limit).fill(200), 429])
    expect(await countedInRedis(organization)).toBe(4)
    expect(await callTimes(6, first, organization)).toEqual(Array(6).fill(200))
    expect(await statusOf(second)).toEqual({
      ready: { status: 200, body: expect.objectContaining({ status: 'ready', redis: 'away' }) },
      metric: 'parley_redis_up 0',
    })
    const connected = {
      ready: { status: 200, body: { status: 'ready', redis: 'connected' } },
      metric: 'parley_redis_up 1',
    }
    expect(await statusOf(first)).toEqual(connected)

    await proxy.restore()
    await waitUntilShared(second)
    expect(await statusOf(second)).toEqual(connected)
    const newcomer = await addOrganization(first)
    expect(await callTimes(6, first, newcomer)).toEqual(Array(6).fill(200))
    expect((await callTimes(5, second, newcomer)).at(-1)).toBe(429)
    expect(linesWith(second, 'Redis is unavailable')).toHaveLength(1)
    expect(linesWith(second, 'Redis is available again')).toHaveLength(1)
  })

  test('a service starts while Redis is unavailable', async () => {
    await proxy.cut()
    const third = await start(proxy.rewriteUrl(redisUrl))
    const organization = await addOrganization(first)
    expect((await callTimes(limit + 1, third, organization)).at(-1)).toBe(429)
    await proxy.restore()
    await waitUntilShared(third)
    await third.close()
  })
})
