import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { type ApiClient, makeApiClient } from '../../support/api-client.js'
import { bootstrap, cleanUp, credentials, slow, startParley } from '../../support/process/parley-process.js'
import { openSocket } from '../../support/realtime/open-socket.js'
import type { RealtimeClient } from '../../support/realtime/realtime-service.js'
import {
  type ProviderSession,
  type ScriptedProvider,
  startScriptedProvider,
} from '../../support/realtime/scripted-provider.js'
import { sessionsOf } from '../../support/realtime/spoken-turns.js'
import { takeOutput } from '../../support/realtime/tool-calls.js'
import {
  approvalsOf,
  callAndWait,
  callMessages,
  decide,
  refundTool,
  takeQuestion,
} from '../../support/realtime/waiting-calls.js'
import { type ScriptedHttpServer, startScriptedHttpServer } from '../../support/scripted-http-server.js'
import { withPostgresClient } from '../../support/services/postgres-connection.js'
import type { PostgresDatabase } from '../../support/services/postgres-database.js'
import { migratedDatabase, type RunningService, startService } from '../../support/start-service.js'
import { makeTestTimers } from '../../support/test-timers.js'

const patiently = { timeout: 60_000, interval: 50 }
const timers = makeTestTimers()
const env = {
  ...bootstrap,
  PARLEY_SECRET: 'a secret for tests that is long enough',
  PARLEY_ALLOWED_PRIVATE_HOSTS: '127.0.0.1',
  LOG_LEVEL: 'warn',
}
const unknownOutcome = 'The service stopped while the tool was running, so its outcome is unknown.'

let postgres: PostgresDatabase
let provider: ScriptedProvider
let tools: ScriptedHttpServer
let agentId: string
let nextService: RunningService
let restarted: Instance
let passing: NodeJS.Timeout | undefined
let waiting: Left
let due: Left
let unfinished: Left

/** A call whose session was killed while it waited or ran. */
interface Left {
  readonly conversationId: string
  readonly messageId: string
}

// An instance counts as lost only after a lease, so one kill serves all three tests.
beforeAll(async () => {
  provider = await startScriptedProvider()
  tools = await startScriptedHttpServer()
  postgres = await migratedDatabase()
  const parley = await startParley({ env: { ...env, DATABASE_URL: postgres.url } })
  const killed = instanceAt(await parley.ready())
  agentId = await makeAgent(killed.api)
  waiting = await leave(await open(killed), 'call_1')
  due = await leave(await open(killed), 'call_2')
  await sql(`update approval set deadline = now() + interval '2 seconds' where call_id = 'call_2'`)
  const session = await open(killed)
  unfinished = await leave(session, 'call_3')
  const called = tools.expect('POST /refund', () => undefined)
  session.client.send({ type: 'approval.approve', callId: 'call_3' })
  await called
  await session.client.inbox.takeType('approval.approved')
  parley.signal('SIGKILL')
  await parley.ended
  // Makes the killed instance look silent for a minute.
  await sql(`update instance_lease set renewed_at = renewed_at - interval '60 seconds'`)
  nextService = await startService({ timers, env: { ...env, DATABASE_URL: postgres.url } })
  restarted = instanceAt(nextService.url)
}, slow.timeout)

afterEach(() => tools.verify())

afterAll(async () => {
  clearInterval(passing)
  await nextService.close()
  await cleanUp()
  await postgres.drop()
  await provider.close()
  await tools.close()
})

const sql = (statement: string) => withPostgresClient(postgres.url, (client) => client.query(statement))

interface Instance {
  readonly url: string
  readonly api: ApiClient
}

const instanceAt = (url: string): Instance => ({ url, api: makeApiClient(url, credentials) })

async function makeAgent(api: ApiClient): Promise<string> {
  const connection = await api.call<{ id: string }>('POST', '/api/v1/Connection', {
    body: { name: 'Scripted', kind: 'openai-compatible', baseUrl: provider.baseUrl, apiKey: 'sk-scripted' },
  })
  const body = { name: 'Worker', connectionId: connection.body.id, tools: [refundTool(tools)] }
  return (await api.call<{ id: string }>('POST', '/api/v1/Agent', { body })).body.id
}

interface Session {
  readonly client: RealtimeClient
  readonly provider: ProviderSession
  readonly conversationId: string
}

async function open({ api, url }: Instance, request: object = {}): Promise<Session> {
  const path = `/api/v1/Agent/${agentId}/realtime-session`
  const ticket = await api.call<{ webSocketPath: string; conversationId: string }>('POST', path, {
    body: request,
  })
  const client = await openSocket(url, ticket.body.webSocketPath)
  const session = await provider.accept()
  await session.inbox.takeType('session.update')
  return { client, provider: session, conversationId: ticket.body.conversationId }
}

/** Makes a call that waits for approval when its session is killed. */
async function leave(session: Session, callId: string): Promise<Left> {
  const { start: asked } = await callAndWait(session, callId)
  return { conversationId: session.conversationId, messageId: asked.data.id }
}

/** From now on the test clock runs for the restarted instance, faster than real time. */
function letTimePass(): void {
  passing ??= setInterval(() => timers.advance(250), 25)
}

/**
 * Waits until the lost session is closed. That happens after the new instance has held its lease for one
 * period.
 */
async function waitForLostSession({ conversationId }: Left): Promise<void> {
  letTimePass()
  await expect
    .poll(async () => (await sessionsOf(restarted.api, conversationId)).at(-1)?.endReason, patiently)
    .toBe('instance_lost')
}

async function nextItem({ inbox }: ProviderSession): Promise<unknown> {
  return (await inbox.takeType('conversation.item.create')).item
}

describe('a service that is killed', slow, () => {
  test('leaves an approved running tool with an unknown outcome, and the next model receives it [TOOL-14]', async () => {
    const { conversationId, messageId } = unfinished
    expect(await callMessages(restarted.api, conversationId)).toMatchObject([{ status: 0 }])
    await waitForLostSession(unfinished)
    expect(await callMessages(restarted.api, conversationId)).toMatchObject([
      { id: messageId, status: 2, content: unknownOutcome },
    ])
    const next = await open(restarted, { conversationId })
    expect(await nextItem(next.provider)).toMatchObject({ type: 'function_call', call_id: 'call_3' })
    expect(await nextItem(next.provider)).toMatchObject({
      type: 'function_call_output',
      call_id: 'call_3',
      output: unknownOutcome,
    })
    expect(await approvalsOf(restarted.api, conversationId)).toMatchObject([{ state: 'approved' }])
    next.client.socket.close()
  })

  test('leaves a waiting call that the next session of the next process continues [APR-4]', async () => {
    const { conversationId, messageId } = waiting
    await waitForLostSession(waiting)
    const next = await open(restarted, { conversationId })
    expect(await nextItem(next.provider)).toMatchObject({ type: 'function_call', call_id: 'call_1' })
    const { start: asked } = await takeQuestion(next)
    expect(asked.data.id).toBe(messageId)
    const called = tools.expect('POST /refund', { body: 'Paid.' })
    next.client.send({ type: 'approval.approve', callId: 'call_1' })
    expect((await called).headers['idempotency-key']).toBe(messageId)
    expect(await takeOutput(next.provider)).toEqual({ callId: 'call_1', output: 'Paid.' })
    await next.provider.inbox.takeType('response.create')
    next.client.socket.close()
  })

  test('leaves a waiting call that expires at its stored deadline [APR-4]', async () => {
    const { conversationId, messageId } = due
    letTimePass()
    await expect
      .poll(() => callMessages(restarted.api, conversationId), patiently)
      .toMatchObject([{ id: messageId, status: 2, content: expect.stringContaining('not approved') }])
    expect(await approvalsOf(restarted.api, conversationId)).toMatchObject([{ state: 'expired' }])
    expect((await decide(restarted.api, conversationId, 'call_2', 'approve')).status).toBe(409)
  })
})
