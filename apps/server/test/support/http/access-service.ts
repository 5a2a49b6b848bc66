import { allOperations, coversScope, type Operation, type Scope, scopes } from '@parley/contract'
import { beforeAll, expect } from 'vitest'
import type { Credentials } from '../api-client.js'
import { addApiKey, addOrganization } from '../organizations.js'
import type { DatabaseKind, RunningService } from '../start-service.js'
import { outcomeOf } from './expect-problem.js'
import { headersOf, modelHosts } from './operation-requests.js'
import type { RawAnswer, RawRequest } from './send.js'
import { snapshotOf } from './snapshot.js'
import { useService } from './use-service.js'

export interface Callers {
  readonly own: Credentials
  readonly other: Credentials
  readonly expiredKey: string
  readonly deletedKey: string
  /** A key of the own organization with every scope except this one. */
  readonly keysWithout: ReadonlyMap<Scope, string>
}

export interface AccessService {
  readonly running: RunningService
  readonly callers: Callers
  call(request: RawRequest): Promise<RawAnswer>
  /** Sends every request and returns the outcome of each by its title. */
  outcomesOf(requests: Readonly<Record<string, RawRequest>>): Promise<Record<string, string>>
  /** Runs `act` and checks that it changed nothing of the other organization. */
  expectOtherUnchanged(act: () => Promise<void>): Promise<void>
  /** Headers of a caller who may do everything except this operation. */
  headersWithout(operation: Operation): Readonly<Record<string, string>>
}

export const named = (some: readonly Operation[] = allOperations) =>
  some.map((operation) => [`${operation.method} ${operation.path}`, operation] as const)

export function mapValues<In, Out>(
  record: Readonly<Record<string, In>>,
  map: (value: In) => Out,
): Record<string, Out> {
  return Object.fromEntries(Object.entries(record).map(([name, value]) => [name, map(value)]))
}

/** The service with callers of every kind, for the tests of a group. */
export function useAccessService(database: DatabaseKind): AccessService {
  const service = useService({ database, env: { LOG_LEVEL: 'error', ...modelHosts } })
  const { call } = service
  let callers: Callers

  beforeAll(async () => {
    callers = await makeCallers(service.running)
  })

  return {
    get running() {
      return service.running
    },
    get callers() {
      return callers
    },
    call,
    async outcomesOf(requests) {
      const sent = Object.entries(requests).map(
        async ([title, request]) => [title, outcomeOf(await call(request))] as const,
      )
      return Object.fromEntries(await Promise.all(sent))
    },
    async expectOtherUnchanged(act) {
      const before = await snapshotOf(service.running, callers.other.organizationId)
      await act()
      expect(await snapshotOf(service.running, callers.other.organizationId)).toEqual(before)
    },
    headersWithout: ({ scope }) =>
      headersOf({ ...callers.own, apiKey: (scope !== null && callers.keysWithout.get(scope)) || '' }),
  }
}

async function makeCallers(running: RunningService): Promise<Callers> {
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
  return { own, other, expiredKey, deletedKey: deleted.body.key, keysWithout }
}
