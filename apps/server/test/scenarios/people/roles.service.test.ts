import {
  allOperations,
  coversScope,
  type Operation,
  type RoleName,
  roleScopes,
  roles,
  scopes,
} from '@parley/contract'
import { beforeAll, describe, expect, test } from 'vitest'
import { outcomeOf } from '../../support/http/expect-problem.js'
import {
  chosenParams,
  makeParams,
  modelHosts,
  paramNamesOf,
  requestOf,
  unknownParams,
} from '../../support/http/operation-requests.js'
import { useService } from '../../support/http/use-service.js'
import { type SignedInPerson, signedIn } from '../../support/people/signed-in.js'

const service = useService({ env: { LOG_LEVEL: 'error', ...modelHosts } })
const people = new Map<RoleName, SignedInPerson>()

beforeAll(async () => {
  for (const role of roles) people.set(role, await signedIn(service.running, role))
})

const operations = allOperations.map((operation) => [operation.operationId, operation] as const)

const callAs = (role: RoleName, operation: Operation, params: Record<string, string>) =>
  service.call(
    requestOf(operation, params, {
      origin: service.running.url,
      cookie: people.get(role)?.cookie ?? '',
      'x-org-id': service.running.organizationId,
    }),
  )

test.each(operations)('an owner may call %s, like a key [PPL-1]', async (_, operation) => {
  const answer = await callAs('owner', operation, await makeParams(operation, service.running))
  expect(`${answer.status} ${answer.text}`).toMatch(new RegExp(`^${operation.status} `))
})

describe.each(roles.filter((role) => role !== 'owner'))('the role %s', (role) => {
  test.each(operations)('may call %s only if its scopes cover it [PPL-1]', async (_, operation) => {
    const isAllowed = operation.scope === null || coversScope(roleScopes[role], operation.scope)
    // The role is checked before the resource is looked up, so an allowed caller gets NotFound.
    const isFound = paramNamesOf(operation).every((name) => chosenParams.includes(name))
    const answer = await callAs(role, operation, unknownParams(operation))
    if (!isAllowed) expect(outcomeOf(answer)).toBe('Forbidden')
    else if (!isFound) expect(outcomeOf(answer)).toBe('NotFound')
    else expect(answer.status, answer.text).toBe(operation.mayCreate ? 201 : operation.status)
  })
})

test('each role has its documented scopes [PPL-1]', () => {
  const without = (role: RoleName) => scopes.filter((scope) => !coversScope(roleScopes[role], scope))
  expect(without('owner')).toEqual([])
  expect(without('admin')).toEqual([])
  expect(without('builder')).toEqual([
    'org:manage',
    'call:make',
    'approval:decide',
    'webhook:read',
    'webhook:write',
    'usage:write',
    'phone:write',
    'audit:read',
  ])
  expect(new Set(roleScopes.approver)).toEqual(new Set([...roleScopes.viewer, 'approval:decide']))
  expect(roleScopes.viewer.every((scope) => scope.endsWith(':read') && scope !== 'audit:read')).toBe(true)
})
