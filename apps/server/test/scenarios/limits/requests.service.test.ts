import type { Problem } from '@parley/contract'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Credentials } from '../../support/api-client.js'
import { addApiKey, addOrganization } from '../../support/organizations.js'
import { type RunningService, startService } from '../../support/start-service.js'

const perKey = 5
const perOrganization = 8

describe('the requests of an organization', () => {
  let running: RunningService

  beforeAll(async () => {
    running = await startService({
      env: {
        PARLEY_RATE_LIMIT_PER_MINUTE: String(perKey),
        PARLEY_ORG_MAX_REQUESTS_PER_MINUTE: String(perOrganization),
      },
    })
  })

  afterAll(() => running.close())

  const get = (credentials: Credentials) =>
    running.client.as(credentials).call<Problem>('GET', '/api/v1/Task')

  async function colleagueOf({ organizationId }: Credentials): Promise<Credentials> {
    const { stores } = running.service.database
    return { organizationId, apiKey: await addApiKey(stores, organizationId, ['task:read']) }
  }

  test('requests count together over all keys, and a rejected one says when to retry [LIM-1]', async () => {
    const first = await addOrganization(running)
    const second = await colleagueOf(first)
    for (let count = 0; count < perKey; count += 1) expect((await get(first)).status).toBe(200)
    // Requests beyond a key's own limit do not count for its organization.
    for (let count = 0; count < perKey; count += 1) expect((await get(first)).status).toBe(429)
    for (let count = perKey; count < perOrganization; count += 1) expect((await get(second)).status).toBe(200)

    const refused = await get(second)
    expect(refused.body).toMatchObject({ status: 429, errorCode: 'RateLimited', limit: 'requestsPerMinute' })
    expect(refused.body.detail).toContain('PARLEY_ORG_MAX_REQUESTS_PER_MINUTE')
    const retryAfter = refused.headers.get('retry-after')
    expect(Number(retryAfter)).toSatisfy((seconds: number) => seconds >= 1 && seconds <= 60)
    expect(refused.headers.get('ratelimit-limit')).toBe(String(perOrganization))
    expect(refused.headers.get('ratelimit-remaining')).toBe('0')
    expect(refused.headers.get('ratelimit-reset')).toBe(retryAfter)
    expect((await get(await colleagueOf(first))).status).toBe(429)
  })

  test('requests of one organization do not affect another [LIM-1]', async () => {
    const busy = await addOrganization(running)
    const keys = await Promise.all(Array.from({ length: 4 }, () => colleagueOf(busy)))
    await Promise.all(keys.flatMap((key) => Array.from({ length: perKey }, () => get(key))))
    const other = await get(await addOrganization(running))
    expect(other.status).toBe(200)
    expect(other.headers.get('ratelimit-remaining')).toBe(String(perKey - 1))
  })
})
