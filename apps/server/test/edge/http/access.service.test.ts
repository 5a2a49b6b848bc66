import { scopes } from '@parley/contract'
import { v7 as uuid } from 'uuid'
import { beforeAll, describe, expect, test } from 'vitest'
import { generateApiKey } from '#server/domain/access/api-keys.js'
import {
  type AccessService,
  type Callers,
  mapValues,
  named,
  useAccessService,
} from '../../support/http/access-service.js'
import { expectProblem } from '../../support/http/expect-problem.js'
import { headersOf, makeParams, requestOf } from '../../support/http/operation-requests.js'
import { rotatingSubset } from '../../support/http/rotating-subset.js'
import { routesOf } from '../../support/http/routes.js'
import { snapshotOf } from '../../support/http/snapshot.js'
import { addApiKey } from '../../support/organizations.js'

/** Every operation answers these callers with 401, even if the rest of the request is valid. */
const unknownCallers: Readonly<Record<string, (callers: Callers) => string | undefined>> = {
  'no key': () => undefined,
  'an empty key': () => '',
  'a well-formed key that does not exist': () => generateApiKey(),
  'a text that is not a key': () => 'letmein',
  'bytes that are not text': () => '\xff\xfe',
  'a key cut short': ({ own }) => own.apiKey.slice(0, -1),
  'a key with an extra letter': ({ own }) => `${own.apiKey}a`,
  'a key in upper case': ({ own }) => own.apiKey.toUpperCase(),
  'a key as a bearer token': ({ own }) => `Bearer ${own.apiKey}`,
  'a key sent twice': ({ own }) => `${own.apiKey}, ${own.apiKey}`,
  'a known prefix with another secret': ({ own }) =>
    `${own.apiKey.slice(0, 13)}${generateApiKey().slice(13)}`,
  'an expired key': ({ expiredKey }) => expiredKey,
  'a deleted key': ({ deletedKey }) => deletedKey,
}

/** Every operation answers a valid key with one of these organizations with 403. */
const wrongOrganizations: Readonly<Record<string, (callers: Callers) => string | undefined>> = {
  'no organization': () => undefined,
  'an empty organization': () => '',
  'an organization that is not an id': () => 'mine',
  'its organization sent twice': ({ own }) => `${own.organizationId}, ${own.organizationId}`,
  'an organization that does not exist': () => uuid(),
  "another organization's id": ({ other }) => other.organizationId,
}

/** One hook checks the access of every operation, so three of the cases are enough for each. */
const threeOf = <Value>(all: Readonly<Record<string, Value>>, turn: number): Record<string, Value> =>
  Object.fromEntries(rotatingSubset(Object.entries(all), turn, 3))

function forgetsDeletedKeys(access: AccessService): void {
  test('a deleted key stops working immediately, also if it deletes itself [5-3]', async () => {
    const body = { name: 'Short-lived', scopes }
    const { client } = access.running
    const made = await client.call<{ id: string; key: string }>('POST', '/api/v1/ApiKey', { body })
    const itself = client.as({ apiKey: made.body.key })
    expect((await itself.call('GET', '/api/v1/Agent')).status).toBe(200)
    expect((await itself.call('DELETE', `/api/v1/ApiKey/${made.body.id}`)).status).toBe(204)
    expectProblem(await itself.call('GET', '/api/v1/Agent'), 'Unauthenticated')
  })
}

// conventions.service.test.ts shows that PostgreSQL serves every operation.
describe('access on the embedded database', () => {
  const access = useAccessService('embedded')

  test.each(named())(
    'accepts the same request with the right key and organization: %s [5-1]',
    async (_, operation) => {
      const { own } = access.callers
      const upperCase = { ...own, organizationId: own.organizationId.toUpperCase() }
      const params = await makeParams(operation, access.running)
      const answer = await access.call(requestOf(operation, params, headersOf(upperCase)))
      expect(answer.text).not.toContain('errorCode')
      expect(answer.status).toBe(operation.status)
    },
  )

  forgetsDeletedKeys(access)
})

// The access check runs before any code that depends on the database, so one database is enough.
describe('access on PostgreSQL', () => {
  const access = useAccessService('postgres')
  const { call, headersWithout, outcomesOf } = access
  let otherBefore: object

  beforeAll(async () => {
    otherBefore = await snapshotOf(access.running, access.callers.other.organizationId)
  })

  forgetsDeletedKeys(access)

  describe.each(named().map(([name, operation], turn) => [name, operation, turn] as const))(
    '%s',
    (_, operation, turn) => {
      const { scope, body } = operation
      let params: Record<string, string>

      beforeAll(async () => {
        params = await makeParams(operation, access.running)
      })

      test('returns 401 to unknown callers and 403 to a key outside its organization [5-2] [5-6]', async () => {
        const headers = headersOf(access.callers.own)
        const request = (sent: Readonly<Record<string, string | undefined>>) =>
          requestOf(operation, params, given({ ...headers, ...sent }))
        const unknown = mapValues(threeOf(unknownCallers, turn), (keyOf) =>
          request({ 'x-api-key': keyOf(access.callers) }),
        )
        const outside = mapValues(threeOf(wrongOrganizations, turn), (organizationOf) =>
          request({ 'x-org-id': organizationOf(access.callers) }),
        )
        expect(await outcomesOf({ ...unknown, ...outside })).toEqual({
          ...mapValues(unknown, () => 'Unauthenticated'),
          ...mapValues(outside, () => 'Forbidden'),
        })
      })

      if (scope === null) return

      test('returns 403 to a key with every scope except the required one [5-6] [ACC-2]', async () => {
        const problem = expectProblem(
          await call(requestOf(operation, params, headersWithout(operation))),
          'Forbidden',
        )
        expect(problem.detail).toContain(scope)
      })

      if (scope.endsWith(':read'))
        test('accepts the write scope for a read operation [ACC-2]', async () => {
          const write = scope.replace(/:read$/, ':write')
          for (const held of scopes.filter((each) => each === scope || each === write)) {
            const { stores } = access.running.service.database
            const apiKey = await addApiKey(stores, access.callers.own.organizationId, [held])
            const headers = headersOf({ ...access.callers.own, apiKey })
            expect((await call(requestOf(operation, params, headers))).status).toBe(operation.status)
          }
        })

      if (body)
        test('checks the key and the scope before the body [5-6] [ACC-2]', async () => {
          const broken = { ...requestOf(operation, params), body: '{"broken' }
          for (const type of ['application/json', 'text/plain']) {
            const headers = { 'content-type': type }
            expectProblem(await call({ ...broken, headers }), 'Unauthenticated')
            const scopeless = { ...headers, ...headersWithout(operation) }
            expectProblem(await call({ ...broken, headers: scopeless }), 'Forbidden')
          }
        })
    },
  )

  test('the rejected requests have changed nothing in the other organization [5-6]', async () => {
    expect(await snapshotOf(access.running, access.callers.other.organizationId)).toEqual(otherBefore)
  })

  test('the documents and the routes list the same operations [4-1] [9-1]', async () => {
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
    const routes = routesOf(access.running.service.app).filter((route) => route.includes('/api/'))
    expect(routes.sort()).toEqual([...new Set([...calls, ...sockets])].sort())
    expect(calls).toEqual(expect.arrayContaining(named().map(([name]) => name)))
  })
})

function given(headers: Readonly<Record<string, string | undefined>>): Readonly<Record<string, string>> {
  const entries = Object.entries(headers)
  return Object.fromEntries(entries.flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])))
}
