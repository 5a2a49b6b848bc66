import {
  allOperations,
  coversScope,
  type ErrorCode,
  type Operation,
  operations,
  type Scope,
  scopes,
} from '@parley/contract'
import { v7 as uuid } from 'uuid'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { generateApiKey } from '#server/domain/access/api-key-secret.js'
import type { Credentials } from '../../support/api-client.js'
import { expectProblem, outcomeOf } from '../../support/http/expect-problem.js'
import {
  chosenParams,
  headersOf,
  makeParams,
  paramNamesOf,
  requestOf,
} from '../../support/http/operation-requests.js'
import { routesOf } from '../../support/http/routes.js'
import { type RawAnswer, type RawRequest, send } from '../../support/http/send.js'
import { snapshotOf } from '../../support/http/snapshot.js'
import { addApiKey, addOrganization } from '../../support/organizations.js'
import { databaseKinds, type RunningService, startService } from '../../support/start-service.js'

type HeaderMap = Readonly<Record<string, string>>

interface World {
  readonly running: RunningService
  readonly own: Credentials
  readonly other: Credentials
  readonly expiredKey: string
  readonly deletedKey: string
  /** A key of the own organization that may do all but this. */
  readonly keysWithout: ReadonlyMap<Scope, string>
}

/** What every operation answers with 401, however right the rest of the request is. */
const unknownCallers: Readonly<Record<string, (world: World) => string | undefined>> = {
  'no key': () => undefined,
  'an empty key': () => '',
  'a well-formed key nobody has': () => generateApiKey(),
  'a text that is no key': () => 'letmein',
  'bytes that are no text': () => '\xff\xfe',
  'a key cut short': ({ own }) => own.apiKey.slice(0, -1),
  'a key and a letter more': ({ own }) => `${own.apiKey}a`,
  'a key in upper case': ({ own }) => own.apiKey.toUpperCase(),
  'a key as a bearer token': ({ own }) => `Bearer ${own.apiKey}`,
  'a key sent twice': ({ own }) => `${own.apiKey}, ${own.apiKey}`,
  'a known prefix with another secret': ({ own }) =>
    `${own.apiKey.slice(0, 13)}${generateApiKey().slice(13)}`,
  'an expired key': ({ expiredKey }) => expiredKey,
  'a deleted key': ({ deletedKey }) => deletedKey,
}

/** What every operation answers with 403 to a good key. */
const wrongOrganizations: Readonly<Record<string, (world: World) => string | undefined>> = {
  'no organization': () => undefined,
  'an empty organization': () => '',
  'an organization that is no id': () => 'mine',
  'its organization sent twice': ({ own }) => `${own.organizationId}, ${own.organizationId}`,
  'an organization nobody has': () => uuid(),
  "another organization's id": ({ other }) => other.organizationId,
}

const malformedIds: Readonly<Record<string, (id: string) => string>> = {
  'a word': () => 'mine',
  'an id with a digit more': (id) => `${id}0`,
  'an id without its dashes': (id) => id.replaceAll('-', ''),
  'an id in braces': (id) => `{${id}}`,
  'a NUL': () => '\0',
  'a quote': (id) => `${id}' or '1'='1`,
  '2000 letters': () => 'a'.repeat(2000),
}

const malformedNames: typeof malformedIds = {
  blank: () => ' ',
  'with a NUL': (name) => `${name}\0`,
  '2000 letters': () => 'a'.repeat(2000),
}

const named = (some: readonly Operation[]) =>
  some.map((operation) => [`${operation.method} ${operation.path}`, operation] as const)
const isById = (operation: Operation) =>
  paramNamesOf(operation).some((param) => !chosenParams.includes(param))
const isByName = (operation: Operation) =>
  paramNamesOf(operation).some((param) => chosenParams.includes(param))

interface Reference {
  readonly operation: Operation
  /** The path parameter under which such a resource is found elsewhere. */
  readonly param: string
  readonly bodyWith: (id: string) => object
  readonly code: ErrorCode
}

/** Where bodies name other resources. */
const references: readonly (readonly [title: string, Reference])[] = [
  [
    "an agent's connection",
    {
      operation: operations.createAgent,
      param: 'connectionId',
      bodyWith: (id) => ({ name: 'A', connectionId: id }),
      code: 'InvalidRequest',
    },
  ],
  [
    "an agent's sub-agent",
    {
      operation: operations.createAgent,
      param: 'agentId',
      bodyWith: (id) => ({ name: 'A', subAgentIds: [id] }),
      code: 'InvalidRequest',
    },
  ],
  [
    "a task's agent",
    {
      operation: operations.createTask,
      param: 'agentId',
      bodyWith: (id) => ({ title: 'T', agentId: id }),
      code: 'InvalidRequest',
    },
  ],
  [
    "a session's conversation",
    {
      operation: operations.createRealtimeSession,
      param: 'conversationId',
      bodyWith: (id) => ({ conversationId: id }),
      code: 'NotFound',
    },
  ],
]

describe.each(databaseKinds)('access on %s', (database) => {
  let world: World
  const call = (request: RawRequest) => send(world.running.url, request)

  /** Sends every request and says what came of each, by its title. */
  async function outcomesOf(requests: Readonly<Record<string, RawRequest>>): Promise<Record<string, string>> {
    const sent = Object.entries(requests).map(
      async ([title, request]) => [title, outcomeOf(await call(request))] as const,
    )
    return Object.fromEntries(await Promise.all(sent))
  }

  /** Runs `act` and finds everything of the other organization as it was. */
  async function leavingOtherAlone(act: () => Promise<void>): Promise<void> {
    const before = await snapshotOf(world.running, world.other.organizationId)
    await act()
    expect(await snapshotOf(world.running, world.other.organizationId)).toEqual(before)
  }

  function headersWithout({ scope }: Operation): HeaderMap {
    return headersOf({ ...world.own, apiKey: world.keysWithout.get(scope) ?? '' })
  }

  beforeAll(async () => {
    const running = await startService({ database, env: { LOG_LEVEL: 'error' } })
    world = await makeWorld(running)
  })

  afterAll(() => world.running.close())

  describe.each(named(allOperations))('%s', (_, operation) => {
    let params: Record<string, string>

    beforeAll(async () => {
      params = await makeParams(operation, world.running)
    })

    test('[5-6] answers 401 to callers it does not know', () =>
      leavingOtherAlone(async () => {
        const requests = mapValues(unknownCallers, (keyOf) =>
          requestOf(operation, params, given({ ...headersOf(world.own), 'x-api-key': keyOf(world) })),
        )
        expect(await outcomesOf(requests)).toEqual(mapValues(requests, () => 'Unauthenticated'))
      }))

    test('[5-2] [5-6] answers 403 to a key outside its organization', () =>
      leavingOtherAlone(async () => {
        const requests = mapValues(wrongOrganizations, (organizationOf) =>
          requestOf(operation, params, given({ ...headersOf(world.own), 'x-org-id': organizationOf(world) })),
        )
        expect(await outcomesOf(requests)).toEqual(mapValues(requests, () => 'Forbidden'))
      }))

    test('[5-6] [ACC-2] answers 403 to a key with every scope but the needed one', async () => {
      const problem = expectProblem(
        await call(requestOf(operation, params, headersWithout(operation))),
        'Forbidden',
      )
      expect(problem.detail).toContain(operation.scope)
    })

    test('[5-1] takes the same request with the right key and organization', async () => {
      const upperCase = { ...world.own, organizationId: world.own.organizationId.toUpperCase() }
      const answer = await call(requestOf(operation, params, headersOf(upperCase)))
      expect(answer.text).not.toContain('errorCode')
      expect(answer.status).toBe(operation.status)
    })
  })

  test.each(named(allOperations.filter(({ scope }) => scope.endsWith(':read'))))(
    '[ACC-2] write includes read: %s',
    async (_, operation) => {
      const params = await makeParams(operation, world.running)
      const write = operation.scope.replace(/:read$/, ':write')
      for (const scope of scopes.filter((each) => each === operation.scope || each === write)) {
        const { stores } = world.running.service.database
        const apiKey = await addApiKey(stores, world.own.organizationId, [scope])
        const answer = await call(requestOf(operation, params, headersOf({ ...world.own, apiKey })))
        expect(answer.status).toBe(operation.status)
      }
    },
  )

  test.each(named(allOperations.filter(({ body }) => body)))(
    '[5-6] [ACC-2] looks at key and scope before the body: %s',
    async (_, operation) => {
      const params = await makeParams(operation, world.running)
      const broken = { ...requestOf(operation, params), body: '{"broken' }
      for (const type of ['application/json', 'text/plain']) {
        const headers = { 'content-type': type }
        expectProblem(await call({ ...broken, headers }), 'Unauthenticated')
        const scopeless = { ...headers, ...headersWithout(operation) }
        expectProblem(await call({ ...broken, headers: scopeless }), 'Forbidden')
      }
    },
  )

  describe.each(named(allOperations.filter(isById)))('%s', (_, operation) => {
    const unknownParams = () => Object.fromEntries(paramNamesOf(operation).map((name) => [name, uuid()]))

    test("[7.1-1] another organization's resource looks like none at all", async () => {
      const foreignParams = await makeParams(operation, world.running, world.other)
      await leavingOtherAlone(async () => {
        const foreign = await call(requestOf(operation, foreignParams, headersOf(world.own)))
        const unknown = await call(requestOf(operation, unknownParams(), headersOf(world.own)))
        expectProblem(foreign, 'NotFound')
        expect(comparable(foreign)).toEqual(comparable(unknown))
      })
    })

    test('[ACC-2] the scope is checked before the resource is looked for', async () => {
      expectProblem(await call(requestOf(operation, unknownParams(), headersWithout(operation))), 'Forbidden')
    })

    test('[API-1] a malformed id is 404', async () => {
      const params = await makeParams(operation, world.running)
      const requests = mapValues(malformedIds, (malform) =>
        requestOf(operation, mapValues(params, malform), headersOf(world.own)),
      )
      expect(await outcomesOf(requests)).toEqual(mapValues(requests, () => 'NotFound'))
    })
  })

  describe.each(named(allOperations.filter(isByName)))('%s', (_, operation) => {
    test("[7.1-1] another organization's name is free for one's own", async () => {
      const params = await makeParams(operation, world.running, world.other)
      await leavingOtherAlone(async () => {
        const answer = await call(requestOf(operation, params, headersOf(world.own)))
        expect(answer.status).toBe(operation.status)
      })
    })

    test('[API-1] a malformed name is 404', async () => {
      const params = await makeParams(operation, world.running)
      const requests = mapValues(malformedNames, (malform) =>
        requestOf(operation, mapValues(params, malform), headersOf(world.own)),
      )
      expect(await outcomesOf(requests)).toEqual(mapValues(requests, () => 'NotFound'))
    })
  })

  test('[7.1-1] lists and exports show nothing of another organization', async () => {
    const foreignIds = [world.other.organizationId]
    for (const operation of allOperations)
      foreignIds.push(...Object.values(await makeParams(operation, world.running, world.other)))
    for (const operation of allOperations.filter(({ method, params }) => method === 'GET' && !params)) {
      const { status, text } = await call(requestOf(operation, {}, headersOf(world.own)))
      expect(status).toBe(operation.status)
      expect(foreignIds.filter((id) => text.includes(id))).toEqual([])
    }
  })

  test.each(references)(
    "[7.1-1] %s cannot be another organization's",
    async (_, { operation, param, bodyWith, code }) => {
      const elsewhere = allOperations.find((each) => paramNamesOf(each).includes(param))
      const foreign = elsewhere ? await makeParams(elsewhere, world.running, world.other) : {}
      const request = requestOf(operation, await makeParams(operation, world.running), headersOf(world.own))
      const naming = (id = '') => call({ ...request, body: JSON.stringify(bodyWith(id)) })
      const answer = await naming(foreign[param])
      expectProblem(answer, code)
      expect(comparable(answer)).toEqual(comparable(await naming(uuid())))
    },
  )

  test('[5-3] a deleted key stops working at once, also one that deletes itself', async () => {
    const body = { name: 'Short-lived', scopes }
    const { client } = world.running
    const made = await client.call<{ id: string; key: string }>('POST', '/api/v1/ApiKey', { body })
    const itself = client.as({ apiKey: made.body.key })
    expect((await itself.call('GET', '/api/v1/Agent')).status).toBe(200)
    expect((await itself.call('DELETE', `/api/v1/ApiKey/${made.body.id}`)).status).toBe(204)
    expectProblem(await itself.call('GET', '/api/v1/Agent'), 'Unauthenticated')
  })

  test('[4-1] [9-1] the documents and the routes name the same calls', async () => {
    const { paths }: { paths: object } = JSON.parse(
      (await call({ method: 'GET', path: '/openapi.json' })).text,
    )
    const { channels }: { channels: Record<string, { address: string }> } = JSON.parse(
      (await call({ method: 'GET', path: '/asyncapi.json' })).text,
    )
    const calls = Object.entries(paths).flatMap(([path, methods]) =>
      Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
    )
    const sockets = Object.values(channels).map(({ address }) => `GET ${address}`)
    const routes = routesOf(world.running.service.app).filter((route) => route.includes('/api/'))
    expect(routes.sort()).toEqual([...new Set([...calls, ...sockets])].sort())
    expect(calls).toEqual(expect.arrayContaining(named(allOperations).map(([name]) => name)))
  })
})

async function makeWorld(running: RunningService): Promise<World> {
  const own = { organizationId: running.organizationId, apiKey: running.apiKey }
  const { stores } = running.service.database
  const expiredKey = await addApiKey(stores, own.organizationId, [...scopes], '2020-01-01T00:00:00.000Z')
  const body = { name: 'Deleted', scopes }
  const deleted = await running.client.call<{ id: string; key: string }>('POST', '/api/v1/ApiKey', { body })
  await running.client.call('DELETE', `/api/v1/ApiKey/${deleted.body.id}`)
  const keysWithout = new Map<Scope, string>()
  for (const needed of scopes) {
    const held = scopes.filter((scope) => !coversScope([scope], needed))
    keysWithout.set(needed, await addApiKey(stores, own.organizationId, held))
  }
  const other = await addOrganization(running)
  return { running, own, other, expiredKey, deletedKey: deleted.body.key, keysWithout }
}

/** What a caller could tell two answers apart by. */
function comparable({ status, headers, text }: RawAnswer): object {
  const { requestId: _, ...problem } = JSON.parse(text)
  const moving = ['x-request-id', 'date', 'ratelimit-remaining', 'ratelimit-reset']
  return { status, problem, headers: [...headers].filter(([name]) => !moving.includes(name)) }
}

function given(headers: Readonly<Record<string, string | undefined>>): HeaderMap {
  const entries = Object.entries(headers)
  return Object.fromEntries(entries.flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])))
}

function mapValues<In, Out>(
  record: Readonly<Record<string, In>>,
  map: (value: In) => Out,
): Record<string, Out> {
  return Object.fromEntries(Object.entries(record).map(([name, value]) => [name, map(value)]))
}
