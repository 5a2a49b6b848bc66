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
  /** The path parameter of an operation that finds such a resource. */
  readonly param: string
  readonly bodyWith: (id: string) => object
  readonly code: ErrorCode
}

/** Bodies that refer to other resources. */
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

// The store tests in test/adapters/database show that stores separate organizations. These tests cover the
// operations.
describe('resources of another organization', () => {
  const access = useAccessService('postgres')
  const { call, headersWithout, expectOtherUnchanged, outcomesOf } = access

  test('lists and exports contain nothing of another organization [7.1-1]', async () => {
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
    '%s cannot belong to another organization [7.1-1]',
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
    test("returns the same response for another organization's resource as for a missing one [7.1-1]", async () => {
      const foreignParams = await makeParams(operation, access.running, access.callers.other)
      await expectOtherUnchanged(async () => {
        const foreign = await call(requestOf(operation, foreignParams, headersOf(access.callers.own)))
        const unknown = await call(
          requestOf(operation, unknownParams(operation), headersOf(access.callers.own)),
        )
        expectProblem(foreign, 'NotFound')
        expect(comparable(foreign)).toEqual(comparable(unknown))
      })
    })

    test('checks the scope before it looks for the resource [ACC-2]', async () => {
      expectProblem(
        await call(requestOf(operation, unknownParams(operation), headersWithout(operation))),
        'Forbidden',
      )
    })

    test('returns 404 for a malformed id [API-1]', async () => {
      const params = await makeParams(operation, access.running)
      const requests = mapValues(malformedIds, (malform) =>
        requestOf(operation, mapValues(params, malform), headersOf(access.callers.own)),
      )
      expect(await outcomesOf(requests)).toEqual(mapValues(requests, () => 'NotFound'))
    })
  })

  describe.each(named(allOperations.filter(isByName)))('%s', (_, operation) => {
    test('accepts a name that another organization uses [7.1-1]', async () => {
      const params = await makeParams(operation, access.running, access.callers.other)
      await expectOtherUnchanged(async () => {
        const answer = await call(requestOf(operation, params, headersOf(access.callers.own)))
        expect(answer.status).toBe(operation.mayCreate ? 201 : operation.status)
      })
    })

    test('returns 404 for a malformed name [API-1]', async () => {
      const params = await makeParams(operation, access.running)
      const requests = mapValues(malformedNames, (malform) =>
        requestOf(operation, mapValues(params, malform), headersOf(access.callers.own)),
      )
      expect(await outcomesOf(requests)).toEqual(mapValues(requests, () => 'NotFound'))
    })
  })
})

/** The parts of a response by which a caller could distinguish two responses. */
function comparable({ status, headers, text }: RawAnswer): object {
  const { requestId: _, ...problem } = JSON.parse(text)
  const moving = ['x-request-id', 'date', 'ratelimit-remaining', 'ratelimit-reset']
  return { status, problem, headers: [...headers].filter(([name]) => !moving.includes(name)) }
}
