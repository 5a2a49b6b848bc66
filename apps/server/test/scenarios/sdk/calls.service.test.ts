import {
  ApiError,
  AuthenticationError,
  ConflictError,
  ConnectionError,
  InvalidRequestError,
  NotFoundError,
  Parley,
  ParleyError,
  RateLimitError,
  ServiceError,
  TimeoutError,
} from '@parley/sdk'
import { v7 as uuid } from 'uuid'
import { describe, expect, test } from 'vitest'
import { useSdkService } from '../../support/sdk/sdk-service.js'

const service = useSdkService()

describe('a call', () => {
  test('returns typed data, and the ETag on request [SDK-2]', async () => {
    const { parley } = service
    const {
      data: agent,
      etag,
      status,
      requestId,
    } = await parley.agents.create({ name: 'Porter' }).withResponse()
    expect([agent.name, status, requestId]).toEqual(['Porter', 201, expect.any(String)])
    const ifMatch = etag ?? ''
    expect((await parley.agents.patch(agent.id, { voice: 'echo' }, { ifMatch })).voice).toBe('echo')
    const late = parley.agents.replace(agent.id, { name: 'Late' }, { ifMatch })
    await expect(late).rejects.toBeInstanceOf(ConflictError)
    expect(await parley.agents.delete(agent.id)).toBeUndefined()
    await expect(parley.agents.get(agent.id)).rejects.toBeInstanceOf(NotFoundError)
  })

  test('escapes ids in its path [SDK-2]', async () => {
    const { parley } = service
    const externalId = 'crm/1 ?#%'
    const task = await parley.tasks.upsert(externalId, { title: 'Call back' })
    expect(task.externalId).toBe(externalId)
    for (const id of ['', '.', '..']) expect(() => parley.agents.get(id)).toThrow(ParleyError)
  })
})

describe('an error', () => {
  test('has a class, a code, fields and a request id [SDK-3]', async () => {
    const error = await service.parley.agents.create({ name: ' ' }).catch((thrown: unknown) => thrown)
    expect(error).toBeInstanceOf(InvalidRequestError)
    expect(error).toBeInstanceOf(ApiError)
    expect(error).toMatchObject({
      status: 400,
      errorCode: 'InvalidRequest',
      errors: [{ path: 'name', message: expect.any(String) }],
      requestId: expect.stringMatching(/./),
    })
  })

  test('names a missing or wrong key [SDK-3]', async () => {
    const apiKey = 'prl_wrong'
    await expect(service.connect({ apiKey }).agents.list()).rejects.toBeInstanceOf(AuthenticationError)
    expect(() => service.connect({ apiKey: '' })).toThrow('apiKey is required')
    expect(() => service.connect({ baseUrl: 'parley.example.com' })).toThrow('baseUrl')
  })

  test('has no code if a proxy sent it, and its body is not treated as data [SDK-3]', async () => {
    const { parley, proxy } = service
    proxy.failNext({ status: 418, body: '<html>' })
    await expect(parley.agents.list()).rejects.toMatchObject({ status: 418, errorCode: null })
    proxy.failNext({ status: 200, body: '<html>' })
    await expect(parley.agents.list()).rejects.toThrow('baseUrl')
  })

  test('is thrown for a redirect, because it would send the key elsewhere [SDK-3]', async () => {
    const { parley, proxy } = service
    proxy.failNext({ status: 307, headers: { location: proxy.url } })
    await expect(parley.agents.list()).rejects.toThrow('sent a redirect')
    expect(proxy.requests).toHaveLength(1)
  })
})

describe('a failed attempt', () => {
  test.each(['drop-request', 'drop-answer', { status: 503 }, { status: 502, body: '<html>' }] as const)(
    'is repeated with the same key if it was a creation, and creates one resource: %j [SDK-4]',
    async (fault) => {
      const { parley, proxy } = service
      proxy.failNext(fault, fault)
      const name = `Porter ${uuid()}`
      const agent = await parley.agents.create({ name })
      const keys = proxy.requests.map(({ headers }) => headers['idempotency-key'])
      expect([keys.length, new Set(keys).size]).toEqual([3, 1])
      expect((await parley.agents.list({ Search: name })).items).toEqual([agent])
    },
  )

  test('uses the given key, and the next creation uses another one [SDK-4]', async () => {
    const { parley, proxy } = service
    proxy.failNext()
    await parley.tasks.create({ title: 'One' }, { idempotencyKey: 'mine' })
    await parley.tasks.create({ title: 'Two' })
    await parley.tasks.create({ title: 'Three' })
    const keys = proxy.requests.map(({ headers }) => headers['idempotency-key'])
    expect([keys[0], new Set(keys).size]).toEqual(['mine', 3])
  })

  test('may have succeeded if it was a deletion, so a repetition accepts NotFound [SDK-4]', async () => {
    const { parley, proxy } = service
    const { id } = await parley.tasks.create({ title: 'Water the plants' })
    proxy.failNext('drop-answer')
    await parley.tasks.delete(id)
    expect(proxy.requests).toHaveLength(2)
    await expect(parley.tasks.delete(id)).rejects.toBeInstanceOf(NotFoundError)
  })

  test('is not repeated if it may have had an effect [SDK-4]', async () => {
    const { agentId, parley, proxy } = service
    proxy.failNext('drop-answer')
    await expect(parley.realtimeSessions.create(agentId)).rejects.toBeInstanceOf(ConnectionError)
    expect(proxy.requests).toHaveLength(1)
    proxy.failNext({ status: 503 })
    await expect(parley.agents.patch(agentId, { voice: 'echo' })).rejects.toBeInstanceOf(ServiceError)
    expect(proxy.requests).toHaveLength(1)
  })

  test('is not repeated with If-Match, because the repetition would conflict [SDK-4]', async () => {
    const { parley, proxy } = service
    const { data, etag } = await parley.tasks.create({ title: 'One' }).withResponse()
    proxy.failNext('drop-answer')
    const replaced = parley.tasks.replace(data.id, { title: 'Two' }, { ifMatch: etag ?? '' })
    await expect(replaced).rejects.toBeInstanceOf(ConnectionError)
    expect((await parley.tasks.get(data.id)).title).toBe('Two')
  })

  test('is not repeated if the request is invalid [SDK-4]', async () => {
    const { parley, proxy } = service
    proxy.failNext()
    await expect(parley.agents.get(uuid())).rejects.toBeInstanceOf(NotFoundError)
    await expect(
      parley.connections.create({ name: 'x', kind: 'openai', isDefault: true }),
    ).resolves.toBeDefined()
    expect(proxy.requests).toHaveLength(2)
  })

  test('is repeated a limited number of times, and then the error is thrown [SDK-4]', async () => {
    const { parley, proxy } = service
    proxy.failNext('drop-request', 'drop-request', 'drop-request', 'drop-request', 'drop-request')
    const failed = parley.agents.list({}, { maxRetries: 2 })
    await expect(failed).rejects.toMatchObject({ name: 'ConnectionError', cause: expect.any(Error) })
    expect(proxy.requests).toHaveLength(3)
  })
})

describe('Retry-After', () => {
  test('is observed by every kind of call [SDK-5]', async () => {
    const { agentId, parley, proxy } = service
    proxy.failNext({ status: 429, headers: { 'retry-after': '1' } })
    const start = performance.now()
    await parley.realtimeSessions.create(agentId).catch(() => undefined)
    expect(proxy.requests).toHaveLength(2)
    expect(performance.now() - start).toBeGreaterThanOrEqual(999)
  })

  test('is reported to the caller, without a repetition, if it is too long [SDK-5]', async () => {
    const { parley, proxy } = service
    proxy.failNext({ status: 429, headers: { 'retry-after': '3600' } })
    const error = await parley.agents.list().catch((thrown: unknown) => thrown)
    expect(error).toBeInstanceOf(RateLimitError)
    expect(error).toMatchObject({ retryAfterSeconds: 3600 })
    expect(proxy.requests).toHaveLength(1)
  })
})

describe('a call that takes too long', () => {
  test('times out, and is repeated if that is safe [SDK-6]', async () => {
    const { parley, proxy } = service
    proxy.failNext('silence', 'pass')
    expect((await parley.agents.list({}, { timeoutMilliseconds: 300 })).items.length).toBeGreaterThan(0)
    proxy.failNext('silence')
    const late = parley.agents.list({}, { timeoutMilliseconds: 50, maxRetries: 0 })
    await expect(late).rejects.toBeInstanceOf(TimeoutError)
  })

  test('can be cancelled while it is sent and while it waits [SDK-6]', async () => {
    const { parley, proxy } = service
    const reason = new Error('The visitor has left.')
    await expect(parley.agents.list({}, { signal: AbortSignal.abort(reason) })).rejects.toBe(reason)
    for (const fault of ['silence', { status: 429, headers: { 'retry-after': '30' } }] as const) {
      proxy.failNext(fault)
      const controller = new AbortController()
      const left = parley.agents.list({}, { signal: controller.signal })
      await expect.poll(() => proxy.requests.length).toBe(1)
      controller.abort(reason)
      await expect(left).rejects.toBe(reason)
    }
  })
})

describe('a list', () => {
  test('returns one page, all pages, or all items without duplicates [SDK-7]', async () => {
    const { parley } = service
    const mark = uuid()
    const make = (count: number) => parley.tasks.create({ title: `${mark} ${count}` })
    for (const count of [1, 2, 3, 4, 5]) await make(count)
    const page = await parley.tasks.list({ Search: mark, Limit: 2 })
    expect([page.items.length, page.totalCount]).toEqual([2, 5])
    const sizes: number[] = []
    for await (const { items } of parley.tasks.list({ Search: mark, Limit: 2 }).pages())
      sizes.push(items.length)
    expect(sizes).toEqual([2, 2, 1])
    const titles: string[] = []
    for await (const { title } of parley.tasks.list({ Search: mark, Limit: 2 })) {
      // A task that is created now shifts the others to the next page.
      if (titles.length === 0) await make(6)
      titles.push(title)
    }
    expect(titles).toEqual([5, 4, 3, 2, 1].map((count) => `${mark} ${count}`))
  })
})

test('a client that cannot reach its service names the address [SDK-2]', async () => {
  const { apiKey, organizationId } = service.running
  const nowhere = new Parley({ baseUrl: 'http://127.0.0.1:9', apiKey, organizationId, maxRetries: 0 })
  await expect(nowhere.agents.list()).rejects.toThrow('http://127.0.0.1:9')
})
