import { allOperations, type ErrorCode, type Operation, operations } from '@parley/contract'
import { v7 as uuid } from 'uuid'
import { describe, expect, test } from 'vitest'
import { mapValues, named, useAccessService } from '../../support/http/access-service.js'
import { expectProblem } from '../../support/http/expect-problem.js'
import {
  chosenParams,
  countedParams,
  headersOf,
  makeParams,
  paramNamesOf,
  requestOf,
  unknownParams,
} from '../../support/http/operation-requests.js'
import type { RawAnswer } from '../../support/http/send.js'

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

// Every store keeps organizations apart on both databases (test/adapters/database); these are the calls.
describe('organizations', () => {
  const access = useAccessService('postgres')
  const { call, headersWithout, leavingOtherAlone, outcomesOf } = access

  test('lists and exports show nothing of another organization [7.1-1]', async () => {
    const foreignIds = [access.callers.other.organizationId]
    const ofEachKind = new Map(allOperations.map((each) => [paramNamesOf(each).join(), each])).values()
    for (const operation of ofEachKind) {
      const params = await makeParams(operation, access.running, access.callers.other)
      for (const [name, id] of Object.entries(params)) if (!countedParams.includes(name)) foreignIds.push(id)
    }
    for (const operation of allOperations.filter(({ method, params }) => method === 'GET' && !params)) {
      const { status, text } = await call(requestOf(operation, {}, headersOf(access.callers.own)))
      expect(status).toBe(operation.status)
      expect(foreignIds.filter((id) => text.includes(id))).toEqual([])
    }
  })

  test.each(references)(
    "%s cannot be another organization's [7.1-1]",
    async (_, { operation, param, bodyWith, code }) => {
      const elsewhere = allOperations.find((each) => paramNamesOf(each).includes(param))
      const foreign = elsewhere ? await makeParams(elsewhere, access.running, access.callers.other) : {}
      const request = requestOf(
        operation,
        await makeParams(operation, access.running),
        headersOf(access.callers.own),
      )
      const naming = (id = '') => call({ ...request, body: JSON.stringify(bodyWith(id)) })
      const answer = await naming(foreign[param])
      expectProblem(answer, code)
      expect(comparable(answer)).toEqual(comparable(await naming(uuid())))
    },
  )

  describe.each(named(allOperations.filter(isById)))('%s', (_, operation) => {
    test("another organization's resource looks like none at all [7.1-1]", async () => {
      const foreignParams = await makeParams(operation, access.running, access.callers.other)
      await leavingOtherAlone(async () => {
        const foreign = await call(requestOf(operation, foreignParams, headersOf(access.callers.own)))
        const unknown = await call(
          requestOf(operation, unknownParams(operation), headersOf(access.callers.own)),
        )
        expectProblem(foreign, 'NotFound')
        expect(comparable(foreign)).toEqual(comparable(unknown))
      })
    })

    test('the scope is checked before the resource is looked for [ACC-2]', async () => {
      expectProblem(
        await call(requestOf(operation, unknownParams(operation), headersWithout(operation))),
        'Forbidden',
      )
    })

    test('a malformed id is 404 [API-1]', async () => {
      const params = await makeParams(operation, access.running)
      const requests = mapValues(malformedIds, (malform) =>
        requestOf(operation, mapValues(params, malform), headersOf(access.callers.own)),
      )
      expect(await outcomesOf(requests)).toEqual(mapValues(requests, () => 'NotFound'))
    })
  })

  describe.each(named(allOperations.filter(isByName)))('%s', (_, operation) => {
    test("another organization's name is free for one's own [7.1-1]", async () => {
      const params = await makeParams(operation, access.running, access.callers.other)
      await leavingOtherAlone(async () => {
        const answer = await call(requestOf(operation, params, headersOf(access.callers.own)))
        expect(answer.status).toBe(operation.mayCreate ? 201 : operation.status)
      })
    })

    test('a malformed name is 404 [API-1]', async () => {
      const params = await makeParams(operation, access.running)
      const requests = mapValues(malformedNames, (malform) =>
        requestOf(operation, mapValues(params, malform), headersOf(access.callers.own)),
      )
      expect(await outcomesOf(requests)).toEqual(mapValues(requests, () => 'NotFound'))
    })
  })
})

/** What a caller could tell two answers apart by. */
function comparable({ status, headers, text }: RawAnswer): object {
  const { requestId: _, ...problem } = JSON.parse(text)
  const moving = ['x-request-id', 'date', 'ratelimit-remaining', 'ratelimit-reset']
  return { status, problem, headers: [...headers].filter(([name]) => !moving.includes(name)) }
}
