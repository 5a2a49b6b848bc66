import type { Check } from '../check.js'
import { expectEqual, expectRejection } from '../expectations.js'

const needs = ['task:write'] as const

export const taskChecks: readonly Check[] = [
  {
    title: 'a task can be created, found, completed and deleted',
    needs,
    look: 'the log of the request',
    async run({ parley, run }) {
      const title = `${run.name} task`
      const made = await parley.tasks.create({ title, priority: 'low' })
      expectEqual([made.status, made.priority], ['open', 'low'], 'status and priority')
      const found = await parley.tasks.list({ Search: title, Status: 'open' })
      expectEqual(
        found.items.map(({ id }) => id),
        [made.id],
        'the open tasks of this title',
      )
      const done = await parley.tasks.patch(made.id, { status: 'done', result: 'Nothing to do.' })
      expectEqual([done.status, done.result], ['done', 'Nothing to do.'], 'status and result')
      await parley.tasks.delete(made.id)
      await expectRejection(parley.tasks.get(made.id), 404, 'NotFound')
    },
  },
  {
    title: 'a task with the same external id is created only once',
    needs,
    look: 'the log of the request, and whether the proxy rewrites encoded paths',
    async run({ parley, run }) {
      const externalId = `${run.name}/ticket 1`
      const title = `${run.name} from elsewhere`
      const created = await parley.tasks.upsert(externalId, { title }).withResponse()
      expectEqual([created.status, created.data.externalId], [201, externalId], 'status and externalId')
      const replaced = await parley.tasks.upsert(externalId, { title: `${title}, again` }).withResponse()
      expectEqual(
        [replaced.status, replaced.data.id],
        [200, created.data.id],
        'the status and the id of the second request',
      )
    },
  },
]
