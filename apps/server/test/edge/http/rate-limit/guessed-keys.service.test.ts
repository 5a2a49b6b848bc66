import type { Problem } from '@parley/contract'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { generateApiKey } from '#server/domain/access/api-keys.js'
import { addApiKey } from '../../../support/organizations.js'
import { countLockWaits, withPostgresClient } from '../../../support/services/postgres-connection.js'
import type { PostgresDatabase } from '../../../support/services/postgres-database.js'
import { startTcpProxy, type TcpProxy } from '../../../support/services/tcp-proxy.js'
import { migratedDatabase, type RunningService, startService } from '../../../support/start-service.js'

const limit = 5

let database: PostgresDatabase
let proxy: TcpProxy
let running: RunningService

beforeEach(async () => {
  database = await migratedDatabase()
  const { hostname, port } = new URL(database.url)
  proxy = await startTcpProxy(hostname, Number(port))
  running = await startService({
    env: {
      DATABASE_URL: proxy.rewriteUrl(database.url),
      PARLEY_RATE_LIMIT_PER_MINUTE: String(limit),
      PARLEY_TRUST_PROXY: 'true',
    },
  })
})

afterEach(async () => {
  await running.close()
  await proxy.close()
  await database.drop()
})

async function statusOf(apiKey: string, address: string): Promise<number> {
  const headers = { 'x-forwarded-for': address }
  return (await running.client.as({ apiKey }).call<Problem>('GET', '/api/v1/Agent', { headers })).status
}

const newKey = () => addApiKey(running.service.database.stores, running.organizationId, ['agent:read'])

async function guess(address: string, times: number): Promise<number[]> {
  const statuses: number[] = []
  for (let count = 0; count < times; count += 1) statuses.push(await statusOf(generateApiKey(), address))
  return statuses
}

describe('guessed API keys [API-22]', () => {
  test('are rejected without the database once the limit is reached', async () => {
    expect(await guess('198.51.100.1', limit)).toEqual(Array(limit).fill(401))
    await proxy.cut()
    expect(await guess('198.51.100.1', 3)).toEqual([429, 429, 429])
    await proxy.restore()
  })

  test('do not count for other addresses', async () => {
    await guess('198.51.100.2', limit + 1)
    expect(await guess('198.51.100.3', 1)).toEqual([401])
  })

  test('do not block a key that was in use before', async () => {
    const [known, other] = [await newKey(), await newKey()]
    expect(await statusOf(known, '198.51.100.4')).toBe(200)
    await guess('198.51.100.4', limit)
    expect(await statusOf(known, '198.51.100.4')).toBe(200)
    expect(await statusOf(other, '198.51.100.4')).toBe(429)
    expect(await statusOf(other, '198.51.100.5')).toBe(200)
  })

  test('do not include valid keys, however many come from one address', async () => {
    for (let count = 0; count < limit * 2; count += 1)
      expect(await statusOf(await newKey(), '198.51.100.6')).toBe(200)
  })

  test('do not include valid keys that arrive at once, and a rejected burst does not block later calls', async () => {
    const keys = await Promise.all(Array.from({ length: limit * 4 }, newKey))
    const statuses = await withPostgresClient(database.url, async (client) => {
      // While the table is locked, requests up to the limit reach the database.
      await client.query('begin; lock table api_key in access exclusive mode')
      const answers = keys.map((key) => statusOf(key, '198.51.100.8'))
      await expect.poll(() => countLockWaits(client)).toBe(limit)
      await Promise.race(answers)
      await client.query('commit')
      return Promise.all(answers)
    })
    expect(new Set(statuses)).toEqual(new Set([200, 429]))
    expect(await statusOf(await newKey(), '198.51.100.8')).toBe(200)
  })
})

test('a key in use stops working immediately when it is deleted [5-3]', async () => {
  const made = await running.client.call<{ id: string; key: string }>('POST', '/api/v1/ApiKey', {
    body: { name: 'Short', scopes: ['agent:read'] },
  })
  expect(await statusOf(made.body.key, '198.51.100.7')).toBe(200)
  await running.client.call('DELETE', `/api/v1/ApiKey/${made.body.id}`)
  expect(await statusOf(made.body.key, '198.51.100.7')).toBe(401)
})
