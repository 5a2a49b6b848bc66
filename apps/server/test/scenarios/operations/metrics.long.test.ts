import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ask } from '../../support/questions/ask.js'
import { useQuestionService } from '../../support/questions/question-service.js'
import { refundTool } from '../../support/realtime/waiting-calls.js'
import type { PostgresDatabase } from '../../support/services/postgres-database.js'
import { startTcpProxy, type TcpProxy } from '../../support/services/tcp-proxy.js'
import { migratedDatabase } from '../../support/start-service.js'

const patiently = { timeout: 30_000, interval: 100 }

let postgres: PostgresDatabase
let proxy: TcpProxy

beforeAll(async () => {
  postgres = await migratedDatabase()
  const { hostname, port } = new URL(postgres.url)
  proxy = await startTcpProxy(hostname, Number(port))
})

// afterAll hooks run in reverse, so the service closes before its database.
afterAll(async () => {
  await proxy.close()
  await postgres.drop()
})

const service = useQuestionService(() => ({ env: { DATABASE_URL: proxy.rewriteUrl(postgres.url) } }))

async function metricsText(): Promise<string> {
  const response = await fetch(`${service.running.url}/metrics`)
  return response.text()
}

/** Returns the value of a sample, or null if it does not exist. */
async function sample(name: string): Promise<number | null> {
  const line = (await metricsText()).split('\n').find((one) => one.startsWith(`${name} `))
  return line === undefined ? null : Number(line.slice(name.length))
}

describe('metrics', () => {
  test('metrics name the version of the service and of Node [WATCH-3]', async () => {
    expect(await metricsText()).toMatch(
      new RegExp(
        `^parley_build_info\\{version="[^"]+",node="${process.versions.node.replaceAll('.', '\\.')}"\\} 1$`,
        'm',
      ),
    )
  })

  test('metrics measure statements, connections and the backlog in the database [WATCH-1] [WATCH-2]', async () => {
    const select = 'parley_database_statement_duration_seconds_count{operation="select"}'
    const before = (await sample(select)) ?? 0
    await service.running.client.call('GET', '/api/v1/Agent')
    expect(await sample(select)).toBeGreaterThan(before)
    expect(await sample('parley_database_up')).toBe(1)
    expect(await sample('parley_database_connections_max')).toBe(20)
    expect(await sample('parley_database_connections{state="idle"}')).toBeGreaterThan(0)
    expect(await sample('parley_database_waiting')).toBe(0)
    expect(await sample('parley_writes_waiting')).toBe(0)
    for (const kind of ['webhook_events', 'webhook_deliveries', 'turns', 'task_runs', 'audit_records'])
      expect(await sample(`parley_backlog{kind="${kind}"}`)).toBeGreaterThanOrEqual(0)
  })

  test('metrics measure tools and models by kind, never by name or id [WATCH-3]', async () => {
    const tool = refundTool(service.tools, { name: 'pay_customer', approvalRequired: false })
    const agentId = await service.makeAgent({ tools: [tool] })
    service.tools.expect('POST /refund', { body: 'Paid 5.' })
    service.tools.expect('POST /refund', { status: 500, body: 'No.' })
    const call = { name: 'pay_customer', arguments: '{"amount": 5}' }
    service.model.answer(
      { text: '', calls: [{ id: 'call_a', ...call }] },
      { text: '', calls: [{ id: 'call_b', ...call }] },
      { text: 'One is paid.' },
    )
    await ask(service.running, agentId, { question: 'Pay twice.' })
    expect(await sample('parley_tool_call_duration_seconds_count{kind="http",outcome="ok"}')).toBe(1)
    expect(await sample('parley_tool_call_duration_seconds_count{kind="http",outcome="failed"}')).toBe(1)
    const labels = 'channel="text",kind="openai-compatible"'
    expect(await sample(`parley_model_tokens_total{${labels},type="input"}`)).toBeGreaterThan(0)
    expect(await sample(`parley_model_tokens_total{${labels},type="output"}`)).toBeGreaterThan(0)
    expect(await sample(`parley_model_unpriced_uses_total{${labels}}`)).toBe(3)
    expect(await metricsText()).not.toMatch(new RegExp(`pay_customer|${agentId}`))
  })

  test('metrics report an unavailable database and count failing jobs [WATCH-1] [WATCH-3]', {
    timeout: 60_000,
  }, async () => {
    const seal = 'parley_background_failures_total{name="seal the audit log"}'
    expect(await sample(seal)).toBe(0)
    await proxy.cut()
    await expect.poll(() => sample(seal), patiently).toBeGreaterThan(0)
    await expect.poll(() => sample('parley_database_up'), patiently).toBe(0)
    expect(await sample('parley_database_statement_failures_total{reason="away"}')).toBeGreaterThan(0)
    expect(await sample('parley_backlog{kind="turns"}')).toBeNull()
    await proxy.restore()
    await expect.poll(() => sample('parley_database_up'), patiently).toBe(1)
    expect(await sample('parley_backlog{kind="turns"}')).toBe(0)
  })
})
