import type { ServerResponse } from 'node:http'
import type { AuditLogVerification, RealtimeSessionTicket, Task } from '@parley/contract'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { makeApiClient } from '../../support/api-client.js'
import {
  bootstrap,
  cleanUp,
  credentials,
  newPostgres,
  patiently,
  slow,
  startParley,
} from '../../support/process/parley-process.js'
import { joinModels, type ModelAddress } from '../../support/questions/model-address.js'
import { openSocket } from '../../support/realtime/open-socket.js'
import { type ScriptedProvider, startScriptedProvider } from '../../support/realtime/scripted-provider.js'
import { makeTextAgent } from '../../support/realtime/text-agents.js'
import { playCalls } from '../../support/realtime/tool-calls.js'
import { type ScriptedChatServer, startScriptedChatServer } from '../../support/scripted-chat-server.js'
import { type ScriptedHttpServer, startScriptedHttpServer } from '../../support/scripted-http-server.js'
import { withPostgresClient } from '../../support/services/postgres-connection.js'
import { startService } from '../../support/start-service.js'
import { makeGate } from '../../support/stores/store-database.js'
import { startReceiver } from '../../support/webhooks/receiver.js'

let model: ScriptedChatServer
let voice: ScriptedProvider
let tools: ScriptedHttpServer
let address: ModelAddress

beforeAll(async () => {
  model = await startScriptedChatServer()
  voice = await startScriptedProvider()
  tools = await startScriptedHttpServer()
  address = await joinModels(model, voice)
})

afterAll(async () => {
  await cleanUp()
  for (const server of [model, voice, tools, address]) await server.close()
})

/** Returns the rows of everything that the frozen instance was working on. */
const readWorkRows = (databaseUrl: string) =>
  withPostgresClient(databaseUrl, async (client) => {
    const rows = async (table: string, condition = 'true') =>
      (await client.query(`select to_jsonb(t) as row from ${table} t where ${condition} order by t.id`)).rows
    return {
      // Latencies are ignored, because they are known only to the frozen instance.
      sessions: (await rows('realtime_session', 'ended_at is not null')).map(({ row }) => ({
        row: { ...row, latency: null },
      })),
      turns: await rows('turn'),
      messages: await rows('message'),
      tasks: await rows('task'),
      deliveries: await rows('webhook_delivery'),
    }
  })

/** Holds the first response until it is released. Later ones are sent immediately. */
function holdFirst(answer: (response: ServerResponse) => void) {
  const gate = makeGate()
  let isFirst = true
  return {
    release: gate.open,
    answer(response: ServerResponse) {
      if (isFirst) void gate.opened.then(() => answer(response))
      else answer(response)
      isFirst = false
    },
  }
}

describe('an instance that was frozen for longer than its lease', slow, () => {
  test('changes nothing that others took over, and keeps serving [RT-44]', async () => {
    const env = {
      ...(await newPostgres()),
      ...bootstrap,
      ...{ PARLEY_ALLOWED_PRIVATE_HOSTS: '127.0.0.1', PARLEY_LEASE_SECONDS: '2' },
      ...{ PARLEY_TASK_RETRY_SECONDS: '0', LOG_LEVEL: 'warn' },
    }
    const frozen = await startParley({ env })
    const url = await frozen.ready()
    const client = makeApiClient(url, credentials)
    const charge = {
      ...{ kind: 'http', name: 'charge', description: 'Takes money.' },
      request: { method: 'POST', url: `${tools.url}/charge` },
    }
    const agentId = await makeTextAgent({ client }, address, { name: 'Cashier', tools: [charge] })
    const receiver = await startReceiver()
    const hook = { name: 'Tasks', url: `${receiver.url}/tasks`, events: ['task.created'] }
    await client.call('POST', '/api/v1/Webhook', { body: hook })
    const speak = async () => {
      const path = `/api/v1/Agent/${agentId}/realtime-session`
      const { body: ticket } = await client.call<RealtimeSessionTicket>('POST', path, { body: {} })
      const socket = await openSocket(url, ticket.webSocketPath)
      const provider = await voice.accept()
      await provider.inbox.takeType('session.update')
      return { socket, provider }
    }

    // A delivery is being sent, an agent is working, and a session's tool runs. Then the instance freezes.
    const delivery = holdFirst((response) => response.writeHead(204).end())
    receiver.behave('/tasks', delivery.answer)
    const thinking = makeGate()
    model.answer({ text: ['Half', thinking.opened, ' of it.'] })
    const { body: task } = await client.call<Task>('POST', '/api/v1/Task', {
      body: { title: 'Count', agentId },
    })
    await client.call('POST', `/api/v1/Task/${task.id}/run`)
    await model.nextRequest()
    const { socket, provider } = await speak()
    const tool = holdFirst((response) => response.writeHead(200).end('Charged.'))
    const called = tools.expect('POST /charge', tool.answer)
    playCalls(provider, 'resp_1', [{ callId: 'call_1', name: 'charge' }])
    await Promise.all([called, receiver.received('/tasks', 1)])
    frozen.signal('SIGSTOP')

    model.answer({ text: 'All of it.' })
    const other = await startService({ env })
    const taken = async () => {
      const { sessions, tasks, deliveries } = await readWorkRows(env.DATABASE_URL)
      return [sessions[0]?.row.end_reason, tasks[0]?.row.status, deliveries[0]?.row.state]
    }
    // Each poll reads five tables over its own connection until a lease has expired.
    await expect.poll(taken, { ...patiently, interval: 250 }).toEqual(['instance_lost', 'done', 'delivered'])
    const before = await readWorkRows(env.DATABASE_URL)
    expect(before.tasks).toMatchObject([{ row: { result: 'All of it.' } }])
    expect(before.messages.filter(({ row }) => row.role === 'tool')).toMatchObject([{ row: { status: 2 } }])

    frozen.signal('SIGCONT')
    for (const { release } of [delivery, tool]) release()
    thinking.open()
    expect(await socket.inbox.closed).toMatchObject({ code: 1012 })
    const next = await speak()
    next.socket.socket.close(1000)
    await next.socket.inbox.closed
    // It exits when everything has been written.
    frozen.signal('SIGTERM')
    expect(await frozen.ended).toEqual({ code: 0, signal: null })
    const after = await readWorkRows(env.DATABASE_URL)
    expect(after).toEqual({ ...before, sessions: [...before.sessions, ...after.sessions.slice(1)] })
    expect(after.sessions).toHaveLength(2)
    const path = '/api/v1/AuditLog/verify'
    const verified = async () => (await other.client.call<AuditLogVerification>('GET', path)).body
    await expect.poll(verified, patiently).toMatchObject({ valid: true, unsealedCount: 0 })
    tools.verify()
    await other.close()
  })
})
