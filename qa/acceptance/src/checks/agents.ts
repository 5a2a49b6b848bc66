import type { Check } from '../check.js'
import { expectEqual, expectRejection, expectThat } from '../expectations.js'

const needs = ['agent:write'] as const

export const agentChecks: readonly Check[] = [
  {
    title: 'an agent can be created, read, changed, replaced and deleted',
    needs,
    look: 'the log of the request, and whether the proxy forwards PUT, PATCH and DELETE',
    async run({ parley, run }) {
      const name = `${run.name} agent of an hour`
      const made = await parley.agents.create({ name, description: 'Made', systemMessage: 'You wait.' })
      expectEqual(await parley.agents.get(made.id), made, 'the agent that was created')
      const changed = await parley.agents.patch(made.id, { description: 'Changed' })
      expectEqual(
        [changed.description, changed.systemMessage],
        ['Changed', 'You wait.'],
        'the agent after a PATCH',
      )
      const replaced = await parley.agents.replace(made.id, { name })
      expectEqual([replaced.description, replaced.systemMessage], [null, ''], 'the agent after a PUT')
      await parley.agents.delete(made.id)
      await expectRejection(parley.agents.get(made.id), 404, 'NotFound')
    },
  },
  {
    title: 'a change with an outdated ETag is rejected and changes nothing',
    needs,
    look: 'whether the proxy forwards ETag and If-Match: its own compression may weaken or drop them',
    async run({ parley, run }) {
      const made = await parley.agents.create({ name: `${run.name} versions` }).withResponse()
      const { id } = made.data
      expectThat(made.etag !== null, 'an ETag with the created agent', made.etag)
      const first = await parley.agents
        .patch(id, { description: 'First' }, { ifMatch: made.etag })
        .withResponse()
      expectThat(first.etag !== null && first.etag !== made.etag, 'another ETag after a change', first.etag)
      const late = parley.agents.patch(id, { description: 'Late' }, { ifMatch: made.etag })
      await expectRejection(late, 412, 'PreconditionFailed')
      expectEqual((await parley.agents.get(id)).description, 'First', 'the description')
    },
  },
  {
    title: 'lists come in pages',
    needs,
    look: 'whether the proxy keeps the query unchanged: Offset, Limit and Search',
    async run({ parley, run }) {
      const Search = `${run.name} page`
      for (const number of [1, 2, 3]) await parley.agents.create({ name: `${Search} ${number}` })
      const names = async (Offset: number, Limit: number) => {
        const { items, ...page } = await parley.agents.list({ Search, Offset, Limit })
        return { ...page, names: items.map(({ name }) => name.slice(Search.length + 1)) }
      }
      expectEqual(
        await names(0, 2),
        { totalCount: 3, offset: 0, limit: 2, names: ['3', '2'] },
        'the first page of two',
      )
      expectEqual((await names(2, 2)).names, ['1'], 'the second page')
      await expectRejection(parley.agents.list({ Limit: 201 }), 400, 'InvalidRequest')
    },
  },
  {
    title: 'two creations with the same Idempotency-Key create one resource',
    needs,
    look: 'whether the proxy forwards Idempotency-Key, and all instances use the same database',
    async run({ parley, run }) {
      const name = `${run.name} once`
      const options = { idempotencyKey: `${run.name}-once` }
      const [one, other] = await Promise.all([
        parley.agents.create({ name }, options),
        parley.agents.create({ name }, options),
      ])
      expectEqual(other.id, one.id, 'the id of the agent for both requests')
      await expectRejection(parley.agents.create({ name: `${name} more` }, options), 409, 'Conflict')
    },
  },
  {
    title: 'an invalid request gets 400 with the name of the field',
    needs,
    look: 'the log of the request',
    async run(visit) {
      const answer = await visit.send('/api/v1/Agent', { method: 'POST', body: { name: '', color: 'red' } })
      expectEqual(answer.status, 400, 'the status')
      const { errors = [] }: { errors?: readonly { path: string }[] } = JSON.parse(answer.text)
      expectEqual(errors.map(({ path }) => path).sort(), ['color', 'name'], 'the fields that the error names')
    },
  },
]
