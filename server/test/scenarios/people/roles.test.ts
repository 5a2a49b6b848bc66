import { allOperations, coversScope, type RoleName, roleScopes, roles, scopes } from '@parley/contract'
import { beforeAll, describe, expect, test } from 'vitest'
import { outcomeOf } from '../../support/http/expect-problem.js'
import { makeParams, requestOf } from '../../support/http/operation-requests.js'
import { useService } from '../../support/http/use-service.js'
import { type SignedInPerson, signedIn } from '../../support/people/signed-in.js'

const service = useService({ env: { LOG_LEVEL: 'error' } })
const people = new Map<RoleName, SignedInPerson>()

beforeAll(async () => {
  for (const role of roles) people.set(role, await signedIn(service.running, role))
})

describe.each(roles)('[PPL-1] the role %s', (role) => {
  test.each(allOperations.map((operation) => [operation.operationId, operation] as const))(
    'may call %s where its scopes cover it, and else not',
    async (_, operation) => {
      const { running } = service
      const isAllowed = operation.scope === null || coversScope(roleScopes[role], operation.scope)
      // The role is judged before anything is looked for.
      const params = isAllowed ? await makeParams(operation, running) : {}
      const request = requestOf(operation, params, {
        origin: running.url,
        cookie: people.get(role)?.cookie ?? '',
        'x-org-id': running.organizationId,
      })
      const answer = await service.call(request)
      if (isAllowed) expect(`${answer.status} ${answer.text}`).toMatch(new RegExp(`^${operation.status} `))
      else expect(outcomeOf(answer)).toBe('Forbidden')
    },
  )
})

test('[PPL-1] each role has the scopes that it is known for', () => {
  const without = (role: RoleName) => scopes.filter((scope) => !coversScope(roleScopes[role], scope))
  expect(without('owner')).toEqual([])
  expect(without('admin')).toEqual([])
  expect(without('builder')).toEqual([
    'org:manage',
    'approval:decide',
    'webhook:read',
    'webhook:write',
    'usage:write',
    'audit:read',
  ])
  expect(new Set(roleScopes.approver)).toEqual(new Set([...roleScopes.viewer, 'approval:decide']))
  expect(roleScopes.viewer.every((scope) => scope.endsWith(':read') && scope !== 'audit:read')).toBe(true)
})
