import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { type RealtimeTestService, startRealtimeService } from '../../support/realtime/realtime-service.js'
import { patiently } from '../../support/realtime/spoken-turns.js'
import { openToolSession, playCalls, takeOutput } from '../../support/realtime/tool-calls.js'
import { callAndWait, callMessages, customTypes, refundTool } from '../../support/realtime/waiting-calls.js'
import { type ScriptedHttpServer, startScriptedHttpServer } from '../../support/scripted-http-server.js'
import { withPostgresClient } from '../../support/services/postgres-connection.js'
import type { PostgresDatabase } from '../../support/services/postgres-database.js'
import { startTcpProxy, type TcpProxy } from '../../support/services/tcp-proxy.js'
import { migratedDatabase } from '../../support/start-service.js'
import { makeTestTimers } from '../../support/test-timers.js'

const notStored = 'The call could not be stored in time. It was not run.'
const timers = makeTestTimers()

let postgres: PostgresDatabase
let proxy: TcpProxy
let running: RealtimeTestService
let tools: ScriptedHttpServer

beforeAll(async () => {
  postgres = await migratedDatabase()
  const { hostname, port } = new URL(postgres.url)
  proxy = await startTcpProxy(hostname, Number(port))
  running = await startRealtimeService({ timers, env: { DATABASE_URL: proxy.rewriteUrl(postgres.url) } })
  tools = await startScriptedHttpServer()
})

afterEach(async () => {
  tools.verify()
  await proxy.restore()
})

afterAll(async () => {
  const passing = setInterval(() => timers.advance(1000), 10)
  await running.close()
  clearInterval(passing)
  await tools.close()
  await proxy.close()
  await postgres.drop()
})

const sql = (statement: string) => withPostgresClient(postgres.url, (client) => client.query(statement))

const toolOf = (method: string) => ({
  ...{ kind: 'http', name: 'act', description: 'Acts.' },
  request: { method, url: `${tools.url}/act` },
})

const openWorker = (method: string) => openToolSession(running, { tools: [toolOf(method)] })

const calls = (count: number) =>
  Array.from({ length: count }, (_, index) => ({ callId: `call_${index}`, name: 'act' }))

describe('a call that may have an effect', () => {
  test('does not run if it cannot be stored in time, and is stored as failed later [TOOL-16]', async () => {
    const session = await openWorker('POST')
    await proxy.cut()
    playCalls(session.provider, 'resp_1', calls(1))
    const isAway = () => running.log.some((line) => line.includes('database unavailable; writes are queued'))
    await expect.poll(isAway, patiently).toBe(true)
    let passedMilliseconds = 0
    const hasOutput = () => {
      const isThere = session.provider.inbox.types.includes('conversation.item.create')
      if (!isThere) timers.advance(1000)
      passedMilliseconds += isThere ? 0 : 1000
      return isThere
    }
    await expect.poll(hasOutput, patiently).toBe(true)
    expect(passedMilliseconds).toBeGreaterThanOrEqual(10_000)
    expect(await takeOutput(session.provider)).toEqual({ callId: 'call_0', output: notStored })
    await session.provider.inbox.takeType('response.create')
    await proxy.restore()
    const { conversationId } = session.ticket
    const stored = () => {
      timers.advance(1000)
      return callMessages(running.client, conversationId)
    }
    await expect.poll(stored, patiently).toMatchObject([{ status: 2, content: notStored }])
    expect(tools.requests).toEqual([])
    session.client.socket.close()
  })

  test('does not run if its conversation was deleted [TOOL-16]', async () => {
    const session = await openWorker('POST')
    // The state between the deletion and the end of the session that the deletion causes.
    await sql(`update conversation set deleted_at = now() where id = '${session.ticket.conversationId}'`)
    playCalls(session.provider, 'resp_1', calls(1))
    expect((await takeOutput(session.provider)).output).toBe(notStored)
    expect(customTypes(session)).toEqual([])
    session.client.socket.close()
  })
})

/** Slows down each change of a message row. */
const slowDown = (change: 'insert' | 'update') =>
  sql(`
    create function slow_row() returns trigger language plpgsql as $$ begin perform pg_sleep(0.1); return new; end $$;
    create trigger slow_row before ${change} on message for each row execute function slow_row()`)

test('the client learns of an approval before the model receives the output [TOOL-17]', async () => {
  const { client, provider } = await openToolSession(running, { tools: [refundTool(tools)] })
  await slowDown('update')
  for (const callId of ['call_1', 'call_2', 'call_3']) {
    void tools.expect('POST /refund', { body: 'Done.' })
    await callAndWait({ client, provider }, callId)
    client.send({ type: 'approval.approve', callId })
    await takeOutput(provider)
    provider.send({ type: `${callId} has its output` })
    await client.inbox.takeType('approval.approved')
    await client.inbox.takeType(`${callId} has its output`)
  }
  await sql('drop function slow_row cascade')
  client.socket.close()
})

describe.each([
  ['POST', 'that may have an effect'],
  ['GET', 'that has no effect'],
])('the announcement of a call %s', (method) => {
  test('reaches the client before the model receives the output [TOOL-17]', async () => {
    const session = await openWorker(method)
    await slowDown('insert')
    for (const { callId } of calls(5)) {
      void tools.expect(`${method} /act`, { body: 'Done.' })
      playCalls(session.provider, `resp_${callId}`, [{ callId, name: 'act' }])
      await takeOutput(session.provider)
      session.provider.send({ type: `${callId} has its output` })
      await session.client.inbox.takeType('response.function_invocation.start')
      await session.client.inbox.takeType(`${callId} has its output`)
    }
    await sql('drop function slow_row cascade')
    session.client.socket.close()
  })

  test('reaches the client even if the call cannot run [TOOL-17]', async () => {
    const session = await openWorker(method)
    playCalls(session.provider, 'resp_1', [{ callId: 'call_1', name: 'act', arguments: 'no JSON' }])
    await takeOutput(session.provider)
    session.provider.send({ type: 'it has its output' })
    await session.client.inbox.takeType('response.function_invocation.start')
    await session.client.inbox.takeType('it has its output')
    session.client.socket.close()
  })
})
