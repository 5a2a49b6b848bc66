import { randomBytes, randomUUID } from 'node:crypto'
import type { Check } from '../check.js'
import { expectEqual, expectProblem, expectRejection, expectThat } from '../expectations.js'

const path = '/api/v1/Agent?Limit=1'
const unknownKey = () => `prl_${randomBytes(4).toString('hex')}_${randomBytes(32).toString('base64url')}`

/** The key expires even if this process dies. */
const keyMinutes = 10

export const accessChecks: readonly Check[] = [
  {
    title: 'the key is valid and belongs to the organization',
    look: '--key and --org: 401 means a wrong key, 403 a wrong organization',
    async run(visit) {
      const { status, text } = await visit.send(path)
      const isOtherwise = status === 403 && text.includes('lacks the scope')
      expectThat(status === 200 || isOtherwise, 'HTTP 200', `HTTP ${status}: ${text}`)
    },
  },
  {
    title: 'a request without a key or with an unknown key gets 401',
    look: 'whether a proxy adds a key, or answers instead of Parley',
    async run(visit) {
      expectProblem(await visit.send(path, { headers: { 'x-api-key': null } }), 401, 'Unauthenticated')
      expectProblem(
        await visit.send(path, { headers: { 'x-api-key': unknownKey() } }),
        401,
        'Unauthenticated',
      )
    },
  },
  {
    title: 'a request without the organization or for another one gets 403',
    look: 'whether a proxy sets X-Org-Id',
    async run(visit) {
      expectProblem(await visit.send(path, { headers: { 'x-org-id': null } }), 403, 'Forbidden')
      expectProblem(await visit.send(path, { headers: { 'x-org-id': randomUUID() } }), 403, 'Forbidden')
    },
  },
  {
    title: 'a key without the scope gets 403, and 401 after its deletion',
    needs: ['org:manage', 'task:read'],
    look: 'whether all instances use the same database',
    async run(visit) {
      const { name } = visit.run
      const expiresAt = new Date(Date.now() + keyMinutes * 60_000).toISOString()
      const made = await visit.parley.apiKeys.create({
        name: `${name} key`,
        scopes: ['task:read'],
        expiresAt,
      })
      const limited = visit.clientOf(made.key)
      expectEqual((await limited.tasks.list({ Search: name, Limit: 1 })).limit, 1, 'a list of tasks')
      await expectRejection(limited.agents.list({ Limit: 1 }), 403, 'Forbidden')
      await visit.parley.apiKeys.delete(made.id)
      await expectRejection(limited.tasks.list({ Limit: 1 }), 401, 'Unauthenticated')
    },
  },
  {
    title: 'an unknown resource gets 404, whatever its id',
    needs: ['agent:read'],
    look: 'whether the proxy rewrites paths',
    async run(visit) {
      await expectRejection(visit.parley.agents.get(randomUUID()), 404, 'NotFound')
      await expectRejection(visit.parley.agents.get('no-id-at-all'), 404, 'NotFound')
    },
  },
]
