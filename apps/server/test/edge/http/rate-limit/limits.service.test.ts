import type { Problem } from '@parley/contract'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { ApiAnswer, Credentials } from '../../../support/api-client.js'
import { addApiKey, addOrganization } from '../../../support/organizations.js'
import { type RunningService, startService } from '../../../support/start-service.js'

const limit = 5

let running: RunningService
let addressCount = 0

beforeAll(async () => {
  running = await startService({
    env: { PARLEY_RATE_LIMIT_PER_MINUTE: String(limit), PARLEY_TRUST_PROXY: 'true' },
  })
})

afterAll(() => running.close())

/** An address without earlier calls. */
function newAddress(): string {
  addressCount += 1
  return `198.51.100.${addressCount}`
}

const from = (address: string) => ({ headers: { 'x-forwarded-for': address } })

function get(path: string, credentials: Partial<Credentials> = {}, address = newAddress()) {
  return running.client.as(credentials).call<Problem>('GET', path, from(address))
}

async function repeat<Result>(times: number, task: () => Promise<Result>): Promise<Result[]> {
  const results: Result[] = []
  for (let count = 0; count < times; count += 1) results.push(await task())
  return results
}

const statuses = (answers: readonly ApiAnswer<unknown>[]) => answers.map((answer) => answer.status)

function figures({ headers }: ApiAnswer<unknown>) {
  return {
    limit: headers.get('ratelimit-limit'),
    remaining: headers.get('ratelimit-remaining'),
    reset: headers.get('ratelimit-reset'),
    retryAfter: headers.get('retry-after'),
  }
}

describe('rate limit headers [API-6]', () => {
  test('count down, and Retry-After says when to try again', async () => {
    const organization = await addOrganization(running)
    const answers = await repeat(limit + 2, () => get('/api/v1/Task', organization))
    expect(statuses(answers)).toEqual([200, 200, 200, 200, 200, 429, 429])
    expect(answers.map((answer) => figures(answer).remaining)).toEqual(['4', '3', '2', '1', '0', '0', '0'])
    for (const answer of answers) {
      expect(figures(answer).limit).toBe(String(limit))
      expect(Number(figures(answer).reset)).toSatisfy((seconds: number) => seconds >= 1 && seconds <= 60)
      const isRefused = answer.status === 429
      expect(figures(answer).retryAfter).toBe(isRefused ? figures(answer).reset : null)
    }
  })

  test('accompany an error like any other [7.1-2]', async () => {
    const organization = await addOrganization(running)
    const refused = (await repeat(limit + 1, () => get('/api/v1/Task', organization))).at(-1)
    expect(refused?.headers.get('content-type')).toContain('application/problem+json')
    expect(refused?.body).toEqual({
      status: 429,
      errorCode: 'RateLimited',
      detail: `Too many requests. The limit is 5 requests per minute. Try again in ${refused?.headers.get('retry-after')} seconds.`,
      requestId: refused?.headers.get('x-request-id'),
    })
  })

  const counted = [
    ['a 200 response', 200, '/api/v1/Task', {}],
    ['a 400 response', 400, '/api/v1/Task?Limit=0', {}],
    ['a 401 response', 401, '/api/v1/Task', { apiKey: 'unknown' }],
    ['a 403 response for the organization', 403, '/api/v1/Task', { organizationId: 'another' }],
    ['a 404 response for a resource', 404, '/api/v1/Task/none', {}],
    ['a 404 response for a path', 404, '/api/v1/Nothing', {}],
    ['a 404 response outside the API', 404, '/nothing', {}],
    ['the contract', 200, '/openapi.json', {}],
  ] as const

  test.each(counted)('accompany %s', async (_, status, path, credentials) => {
    const answer = await get(path, { ...(await addOrganization(running)), ...credentials })
    expect(answer.status).toBe(status)
    expect(figures(answer)).toMatchObject({ limit: '5', remaining: '4', retryAfter: null })
  })
})

describe('the rate limit count [API-7]', () => {
  test('is separate for each key, from any address and for any operation', async () => {
    const organization = await addOrganization(running)
    const { stores } = running.service.database
    const apiKey = await addApiKey(stores, organization.organizationId, ['task:read'])
    const colleague = { ...organization, apiKey }
    const paths = [
      '/api/v1/Task',
      '/api/v1/Task/none',
      '/api/v1/Agent',
      '/api/v1/Task?Limit=0',
      '/api/v1/ApiKey',
    ]
    const answers = await Promise.all(paths.map((path) => get(path, organization)))
    expect(statuses(answers)).toEqual([200, 404, 200, 400, 200])
    expect((await get('/api/v1/Task', organization)).status).toBe(429)
    expect((await get('/api/v1/Task', colleague)).status).toBe(200)
    expect((await get('/api/v1/Task', await addOrganization(running))).status).toBe(200)
  })

  test('includes the rejected requests of a key', async () => {
    const organization = await addOrganization(running)
    const lost = { ...organization, organizationId: 'another' }
    expect(statuses(await repeat(limit, () => get('/api/v1/Task', lost)))).toEqual(Array(limit).fill(403))
    expect((await get('/api/v1/Task', organization)).status).toBe(429)
  })

  test('is separate for each address of callers without a valid key', async () => {
    const organization = await addOrganization(running)
    const address = newAddress()
    const { stores } = running.service.database
    const expired = await addApiKey(
      stores,
      organization.organizationId,
      ['task:read'],
      '2020-01-01T00:00:00Z',
    )
    const attempts = [
      get('/api/v1/Task', { ...organization, apiKey: '' }, address),
      get('/api/v1/Task', { ...organization, apiKey: 'password' }, address),
      get('/api/v1/Task', { ...organization, apiKey: expired }, address),
      get('/nothing', {}, address),
      get('/openapi.json', {}, address),
    ]
    expect(statuses(await Promise.all(attempts))).toEqual([401, 401, 401, 404, 200])
    const late = await Promise.all([
      get('/api/v1/Task', { ...organization, apiKey: 'another' }, address),
      get('/nothing', {}, address),
      get('/openapi.json', {}, address),
    ])
    expect(statuses(late)).toEqual([429, 429, 429])
    expect((await get('/api/v1/Task', { apiKey: 'another' })).status).toBe(401)
    // A valid key behind the same address has its own count.
    expect((await get('/api/v1/Task', organization, address)).status).toBe(200)
  })

  test('ignores a forwarding header from an untrusted proxy', async () => {
    const direct = await startService({ env: { PARLEY_RATE_LIMIT_PER_MINUTE: '2' } })
    const guess = () => direct.client.as({ apiKey: 'guess' }).call('GET', '/api/v1/Task', from(newAddress()))
    expect(statuses(await repeat(3, guess))).toEqual([401, 401, 429])
    await direct.close()
  })

  test.each(['/healthz', '/readyz', '/metrics'])('excludes %s', async (path) => {
    const address = newAddress()
    const answers = await repeat(limit * 2, () => get(path, {}, address))
    expect(statuses(answers)).toEqual(Array(limit * 2).fill(200))
    const none = { limit: null, remaining: null, reset: null, retryAfter: null }
    for (const answer of answers) expect(figures(answer)).toEqual(none)
    expect(figures(await get('/nothing', {}, address)).remaining).toBe('4')
  })
})

describe('a rate-limited caller [7.1-2]', () => {
  test('gets a response that is not stored under its Idempotency-Key [API-9]', async () => {
    const organization = await addOrganization(running)
    await repeat(limit, () => get('/api/v1/Task', organization))
    const create = (apiKey: string) =>
      running.client.as({ ...organization, apiKey }).call('POST', '/api/v1/Task', {
        body: { title: 'In time' },
        headers: { 'idempotency-key': 'quick' },
      })
    expect((await create(organization.apiKey)).status).toBe(429)
    const { stores } = running.service.database
    const another = await addApiKey(stores, organization.organizationId, ['task:write'])
    expect((await create(another)).status).toBe(201)
  })

  test('changes nothing and is counted in the metrics', async () => {
    const organization = await addOrganization(running)
    const limited = async () => {
      const { text } = await get('/metrics')
      return Number(/^parley_rate_limited_total (\d+)$/m.exec(text)?.[1])
    }
    const before = await limited()
    const create = () =>
      running.client.as(organization).call('POST', '/api/v1/Task', { body: { title: 'Quick' } })
    const answers = await Promise.all(Array.from({ length: limit + 3 }, create))
    expect(statuses(answers).sort()).toEqual([201, 201, 201, 201, 201, 429, 429, 429])
    expect(await limited()).toBe(before + 3)
    const { tasks } = running.service.database.stores
    const page = await tasks.list(organization.organizationId, {}, { offset: 0, limit: 1 })
    expect(page.totalCount).toBe(limit)
  })
})
