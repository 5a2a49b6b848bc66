import type {
  AgentTest,
  AgentTestRun,
  AgentTestRunSummary,
  Conversation,
  Page,
  Problem,
} from '@parley/contract'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { addApiKey } from '../../support/organizations.js'
import { joinInstance } from '../../support/questions/instances.js'
import { messagesSentTo, useQuestionService } from '../../support/questions/question-service.js'
import { hold } from '../../support/questions/received-events.js'
import { patiently } from '../../support/realtime/spoken-turns.js'
import { refundTool } from '../../support/realtime/waiting-calls.js'
import { withPostgresClient } from '../../support/services/postgres-connection.js'
import type { PostgresDatabase } from '../../support/services/postgres-database.js'
import { migratedDatabase } from '../../support/start-service.js'

let postgres: PostgresDatabase

beforeAll(async () => {
  postgres = await migratedDatabase()
})

afterAll(() => postgres.drop())

const asked = useQuestionService(() => ({ env: { DATABASE_URL: postgres.url } }))

const call = <Body>(method: string, path: string, body?: object) =>
  asked.running.client.call<Body>(method, `/api/v1/Agent/${path}`, body && { body })

async function addTest(agentId: string, definition: string, name = 'Desk'): Promise<AgentTest> {
  const answer = await call<AgentTest>('POST', `${agentId}/test`, { name, definition })
  expect(answer.status, answer.text).toBe(201)
  return answer.body
}

async function start(agentId: string, body: object = {}): Promise<AgentTestRun> {
  const answer = await call<AgentTestRun>('POST', `${agentId}/test-run`, body)
  expect(answer.status, answer.text).toBe(202)
  return answer.body
}

const read = async ({ agentId, id }: AgentTestRun) =>
  (await call<AgentTestRun>('GET', `${agentId}/test-run/${id}`)).body

async function ended(run: AgentTestRun): Promise<AgentTestRun> {
  await expect.poll(async () => (await read(run)).state, patiently).not.toBe('running')
  return read(run)
}

const says = (words: string, name = 'greets') => `
tests:
  - name: ${name}
    turns:
      - user: Good day!
        expect: [{ says: ${words} }]
`

async function mistakesOf(agentId: string, definition: string) {
  const { status, body } = await call<Problem>('POST', `${agentId}/test`, { name: 'Wrong', definition })
  expect(status).toBe(400)
  return body.errors
}

describe('the stored tests of an agent', () => {
  test('name an end user, and fill variables of the agent [KIT-16]', async () => {
    const systemMessage = 'You serve {{name}} on the plan {{plan}}. The user is {{endUser.externalId}}.'
    const variables = [{ name: 'name' }, { name: 'plan' }]
    const agentId = await asked.makeAgent({ systemMessage, variables })
    await addTest(
      agentId,
      `
defaults: { variables: { name: Ada, plan: free }, metadata: { run: nightly } }
tests:
  - name: greets
    externalUserId: a-tester
    variables: { plan: pro }
    turns: [{ user: Good day!, expect: [{ says: hello }] }]
`,
    )
    asked.model.answer({ text: 'Hello.' })
    expect(await ended(await start(agentId))).toMatchObject({ state: 'completed' })
    const [system] = messagesSentTo(asked.model)
    expect(system?.content).toBe('You serve Ada on the plan pro. The user is a-tester.')
  })

  test('are kept in the format of test files, and list the tests in it [KIT-10]', async () => {
    const agentId = await asked.makeAgent({ externalId: 'desk' })
    const made = await addTest(
      agentId,
      `agent: desk${says('hello')}${says('x', 'speaks').replace('\ntests:\n', '')}`,
    )
    expect(made.tests).toEqual([
      { name: 'greets', channel: 'text' },
      { name: 'speaks', channel: 'text' },
    ])
    const replaced = await call<AgentTest>('PUT', `${agentId}/test/${made.id}`, {
      name: 'Voice',
      definition: `defaults: { channel: voice }${says('hello')}`,
    })
    expect(replaced.body.tests).toEqual([{ name: 'greets', channel: 'voice' }])
    expect((await call<Page<AgentTest>>('GET', `${agentId}/test`)).body.items).toEqual([replaced.body])
    expect((await call('DELETE', `${agentId}/test/${made.id}`)).status).toBe(204)
    expect((await call<Page<AgentTest>>('GET', `${agentId}/test`)).body.totalCount).toBe(0)
  })

  test('report each mistake with line, column and field [KIT-10]', async () => {
    const agentId = await asked.makeAgent()
    expect(await mistakesOf(agentId, 'tests:\n  - name: greets\n    turn: []\n')).toEqual([
      {
        path: 'definition',
        message: expect.stringMatching(/^has an error in line 3, column 5: tests\[0\]\.turn /),
      },
    ])
    expect(await mistakesOf(agentId, 'tests: [')).toMatchObject([
      { message: expect.stringMatching(/line 1/) },
    ])
    expect(await mistakesOf(agentId, `agent: another${says('hello')}`)).toMatchObject([
      { message: expect.stringMatching(/line 1, column 1: agent is another, but these are tests of Helper/) },
    ])
    expect(await mistakesOf(agentId, says(`'\${env:PATH}'`))).toMatchObject([
      { message: expect.stringMatching(/must not use/) },
      {},
    ])
    expect(await mistakesOf(agentId, `a: &a [*a]${says('hello')}`)).toMatchObject([{ path: 'definition' }])
    expect(await mistakesOf(agentId, '['.repeat(60_000))).toHaveLength(20)
    expect(await mistakesOf(agentId, ' '.repeat(10) + 'x'.repeat(65_536))).toMatchObject([
      { path: 'definition' },
    ])
  })

  test('are limited to 100 for each agent, and deleted with it [KIT-10]', async () => {
    const agentId = await asked.makeAgent()
    const { id } = await addTest(agentId, says('hello'))
    const { agentTests } = asked.running.service.database.stores
    const stored = await agentTests.find(asked.running.organizationId, id)
    if (stored === null) throw new Error('The test is not stored.')
    for (let count = 1; count < 100; count += 1)
      await agentTests.insert({ ...stored, id: id.replace(/.{3}$/, String(count).padStart(3, '0')) })
    const refused = await call<Problem>('POST', `${agentId}/test`, {
      name: 'More',
      definition: says('hello'),
    })
    expect(refused.body).toMatchObject({ status: 403, errorCode: 'QuotaExceeded' })
    await call('DELETE', agentId)
    expect(await agentTests.find(asked.running.organizationId, id)).toBeNull()
  })
})

describe('a run of stored tests', () => {
  test('rehearses with the stubs of the test, and decides like a person [KIT-11]', async () => {
    const pay = refundTool(asked.tools, { name: 'pay', title: 'Pay out', approvalRequired: true })
    const agentId = await asked.makeAgent({ tools: [pay] })
    await addTest(
      agentId,
      `
tools: { pay: { output: As if paid. } }
tests:
  - name: pays after approval
    turns:
      - user: Pay five!
        expect: [{ waitsFor: { pay: { amount: 5 } } }]
        decide: approve
        then: [{ called: { pay: { status: success, text: As if } } }, { says: /done/i }]
`,
    )
    asked.model.answer({ calls: [{ id: 'a', name: 'pay', arguments: { amount: 5 } }] }, { text: 'All done.' })
    const run = await ended(await start(agentId))
    expect(run).toMatchObject({
      ...{ state: 'completed', failure: null, testCount: 1 },
      results: [
        {
          ...{
            name: 'pays after approval',
            verdict: 'passed',
            previousVerdict: null,
            reason: null,
            unmet: [],
          },
          ...{ passed: 1, required: 1, repetitions: 1 },
          transcript: [
            'user:   Pay five!',
            expect.stringMatching(/^calls: {2}pay .*As if paid\./),
            'person: approves',
            expect.stringMatching(/^agent: {2}All done\./),
          ],
        },
      ],
    })
    const left = await asked.running.client.call<Page<Conversation>>(
      'GET',
      `/api/v1/Conversation?AgentId=${agentId}`,
    )
    expect(left.body.totalCount).toBe(0)
  })

  test('shows unmet expectations, and the verdict of the run before [KIT-12]', async () => {
    const agentId = await asked.makeAgent()
    const { id: testId } = await addTest(agentId, says('welcome'))
    asked.model.answer({ text: 'Welcome!' })
    await ended(await start(agentId))
    asked.model.answer({ text: 'Go away!' })
    const second = await ended(await start(agentId, { testIds: [testId] }))
    expect(second.results).toMatchObject([
      {
        ...{ testId, verdict: 'failed', previousVerdict: 'passed' },
        unmet: [{ expectation: 'says', expected: '"welcome"', actual: '"Go away!"' }],
      },
    ])
    const { body } = await call<Page<AgentTestRunSummary>>('GET', `${agentId}/test-run`)
    const [{ reason: _, unmet: __, transcript: ___, ...outcome } = { reason: 0, unmet: 0, transcript: 0 }] =
      second.results
    expect(body.items.map(({ results }) => results.map(({ verdict }) => verdict))).toEqual([
      ['failed'],
      ['passed'],
    ])
    expect(body.items[0]?.results).toEqual([outcome])
  })

  test('gives no verdict to voice tests, without a judge, and for endless patterns [KIT-11] [KIT-14]', async () => {
    const agentId = await asked.makeAgent()
    await addTest(
      agentId,
      `
tests:
  - { name: speaks, channel: voice, turns: [{ user: Hello }] }
  - { name: is judged, turns: [{ user: Hello, expect: [{ judge: it is polite }] }] }
  - { name: is played, goal: Find out the time. }
  - { name: never ends, turns: [{ user: Hello, expect: [{ says: '/^(a+)+$/' }] }] }
`,
    )
    asked.model.answer({ text: `${'a'.repeat(40)}!` })
    const { results } = await ended(await start(agentId))
    expect(results.map(({ name, verdict, reason }) => [name, verdict, reason])).toEqual([
      ['speaks', 'not_run', expect.stringMatching(/parley test/)],
      ['is judged', 'not_run', expect.stringMatching(/judge/)],
      ['is played', 'not_run', expect.stringMatching(/simulated user/)],
      ['never ends', 'not_run', expect.stringMatching(/takes too long/)],
    ])
  })

  test('lets another agent judge [KIT-11]', async () => {
    const agentId = await asked.makeAgent()
    const judgeAgentId = await asked.makeAgent({ name: 'Judge' })
    await addTest(
      agentId,
      'tests: [{ name: is polite, turns: [{ user: Hi, expect: [{ judge: it is polite }] }] }]',
    )
    asked.model.answer({ text: 'Good day, madam.' }, { text: 'PASS\nIt greets.' })
    expect((await ended(await start(agentId, { judgeAgentId }))).results).toMatchObject([
      { verdict: 'passed' },
    ])
  })

  test('is the only one of its agent, and can be stopped [KIT-12] [KIT-13]', async () => {
    const agentId = await asked.makeAgent()
    await addTest(agentId, says('welcome'))
    const more = hold()
    asked.model.answer({ text: ['Wel', more.released, 'come!'] })
    const run = await start(agentId)
    await asked.model.nextRequest()
    expect((await call('POST', `${agentId}/test-run`, {})).status).toBe(409)
    const stopped = await call<AgentTestRun>('POST', `${agentId}/test-run/${run.id}/stop`)
    expect(stopped.body).toMatchObject({ state: 'stopped', endedAt: expect.any(String), results: [] })
    more.release()
    const again = await call<AgentTestRun>('POST', `${agentId}/test-run/${run.id}/stop`)
    expect(again.body).toEqual(stopped.body)
  })

  test('needs a test of the agent, known helpers, and the right to ask [KIT-12] [ACC-2]', async () => {
    const agentId = await asked.makeAgent()
    expect((await call('POST', `${agentId}/test-run`, {})).status).toBe(409)
    const other = await addTest(await asked.makeAgent(), says('hello'))
    await addTest(agentId, `defaults: { repeat: 501 }${says('hello')}`)
    for (const body of [{ testIds: [other.id] }, { judgeAgentId: other.id }])
      expect((await call('POST', `${agentId}/test-run`, body)).status).toBe(400)
    expect(await call('POST', `${agentId}/test-run`, {})).toMatchObject({
      ...{ status: 409, body: { detail: expect.stringMatching(/501 conversations/) } },
    })
    expect((await call('GET', `${agentId}/test/${other.id}`)).status).toBe(404)
    const { organizationId, service, client } = asked.running
    const apiKey = await addApiKey(service.database.stores, organizationId, ['agent:write'])
    const caller = client.as({ organizationId, apiKey })
    expect((await caller.call('POST', `/api/v1/Agent/${agentId}/test-run`, { body: {} })).status).toBe(403)
  })

  test('is kept with the 19 runs before it [KIT-12]', async () => {
    const agentId = await asked.makeAgent()
    await addTest(agentId, 'tests: [{ name: speaks, channel: voice, turns: [{ user: Hello }] }]')
    for (let count = 1; count <= 21; count += 1) await ended(await start(agentId))
    expect((await call<Page<unknown>>('GET', `${agentId}/test-run`)).body.totalCount).toBe(20)
  })

  test('fails if its instance shuts down or dies [KIT-13]', async () => {
    const agentId = await asked.makeAgent()
    await addTest(agentId, says('welcome'))
    const other = await joinInstance(asked.running, postgres.url)
    const more = hold()
    asked.model.answer({ text: ['Wel', more.released, 'come!'] })
    const path = `/api/v1/Agent/${agentId}/test-run`
    const { body: run } = await other.client.call<AgentTestRun>('POST', path, { body: {} })
    await asked.model.nextRequest()
    const closing = other.service.close()
    expect(await ended(run)).toMatchObject({
      state: 'failed',
      failure: expect.stringMatching(/^The service ended/),
    })
    more.release()
    await closing
    await withPostgresClient(postgres.url, (client) =>
      client.query(
        `update agent_test_run set state = 'running', ended_at = null, instance_id = gen_random_uuid() where id = $1`,
        [run.id],
      ),
    )
    expect(await ended(run)).toMatchObject({ state: 'failed', endedAt: expect.any(String) })
  })
})
