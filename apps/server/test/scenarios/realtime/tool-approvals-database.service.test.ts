import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { startFaultyDatabase } from '../../support/realtime/faulty-database.js'
import { openSocket } from '../../support/realtime/open-socket.js'
import { passTime } from '../../support/realtime/pass-time.js'
import type { OpenSession } from '../../support/realtime/realtime-service.js'
import { useRefundService } from '../../support/realtime/refund-service.js'
import { endedSession, patiently } from '../../support/realtime/spoken-turns.js'
import { makeToolAgent, openSessionOf, playCalls, takeOutput } from '../../support/realtime/tool-calls.js'
import { callAndWait, customTypes, refundCall, refundTool } from '../../support/realtime/waiting-calls.js'
import { withPostgresClient } from '../../support/services/postgres-connection.js'
import type { PostgresDatabase } from '../../support/services/postgres-database.js'
import { startTcpProxy, type TcpProxy } from '../../support/services/tcp-proxy.js'
import { migratedDatabase, startService } from '../../support/start-service.js'
import { makeTestClock } from '../../support/test-clock.js'
import { makeTestTimers } from '../../support/test-timers.js'

const notRecorded = 'The approval could not be stored. The call was not run.'
const clock = makeTestClock()
const timers = makeTestTimers()

let postgres: PostgresDatabase
let proxy: TcpProxy

beforeAll(async () => {
  postgres = await migratedDatabase()
  const { hostname, port } = new URL(postgres.url)
  proxy = await startTcpProxy(hostname, Number(port))
})

afterEach(() => proxy.restore())

let passing: ReturnType<typeof setInterval>

afterAll(async () => {
  clearInterval(passing)
  await proxy.close()
  await postgres.drop()
})

const refunds = useRefundService(() => ({
  ...{ clock, timers },
  env: { DATABASE_URL: proxy.rewriteUrl(postgres.url) },
}))

// Lets time pass while the service closes, because parts of it wait for timers.
afterAll(() => {
  passing = setInterval(() => timers.advance(1000), 10)
})

const sql = (statement: string) => withPostgresClient(postgres.url, (client) => client.query(statement))

/** Advances the timers step by step until the check passes. */
const advanceUntil = (check: () => Promise<unknown> | unknown) =>
  expect.poll(() => {
    timers.advance(1000)
    return check()
  }, patiently)

async function leave({ client, ticket }: OpenSession): Promise<void> {
  client.socket.close()
  await advanceUntil(
    async () => (await endedSession(refunds.running.client, ticket.conversationId)).endedAt,
  ).toBeTruthy()
}

describe('an unavailable database', () => {
  test('a call that needs approval never runs and cannot be approved [APR-5]', async () => {
    const session = await refunds.open()
    const { ticket, client, provider } = session
    await proxy.cut()
    playCalls(provider, 'resp_1', [refundCall('call_1')])
    expect(await takeOutput(provider)).toEqual({
      callId: 'call_1',
      output: notRecorded,
    })
    await provider.inbox.takeType('response.create')
    client.send({ type: 'approval.approve', callId: 'call_1' })
    expect(await client.inbox.takeType('error')).toMatchObject({ error: { code: 'approval_not_recorded' } })
    expect(customTypes(session)).toEqual([])
    await proxy.restore()
    await advanceUntil(() => customTypes(session)).toEqual([
      'response.function_invocation.start',
      'response.function_invocation.done',
    ])
    expect(await refunds.callMessages(ticket.conversationId)).toMatchObject([{ status: 2 }])
    expect(await refunds.approvalsOf(ticket.conversationId)).toEqual([])
    expect((await refunds.decide(ticket.conversationId, 'call_1', 'approve')).status).toBe(409)
    client.socket.close()
  })

  test('a decision is rejected, and the call keeps waiting [RT-7] [APR-5]', async () => {
    const session = await refunds.open()
    const { ticket, client, provider } = session
    await callAndWait(session, 'call_2')
    await proxy.cut()
    client.send({ type: 'approval.approve', callId: 'call_2', event_id: 'mine' })
    expect(await client.inbox.takeType('error')).toMatchObject({
      error: { code: 'approval_not_recorded', event_id: 'mine' },
    })
    await proxy.restore()
    expect(await refunds.approvalsOf(ticket.conversationId)).toMatchObject([{ state: 'waiting' }])
    expect(refunds.tools.requests).toEqual([])
    const called = refunds.tools.expect('POST /refund', { body: 'Paid.' })
    client.send({ type: 'approval.approve', callId: 'call_2' })
    await called
    // The client first receives the writes that the session could not store before, then the approval.
    await advanceUntil(() => provider.inbox.types.includes('conversation.item.create')).toBe(true)
    expect(await takeOutput(provider)).toEqual({ callId: 'call_2', output: 'Paid.' })
    client.socket.close()
  })

  test('a call whose deadline passes expires when the database returns [APR-5]', async () => {
    const session = await refunds.open()
    await callAndWait(session, 'call_3')
    await proxy.cut()
    clock.advance(301_000)
    timers.advance(10_000)
    session.client.send({ type: 'approval.approve', callId: 'call_3' })
    expect(await session.client.inbox.takeType('error')).toMatchObject({
      error: { code: 'approval_not_recorded' },
    })
    await proxy.restore()
    expect((await takeOutput(session.provider)).output).toContain('in time')
    session.client.socket.close()
  })

  test('a deadline timer that fires has no effect [APR-5]', async () => {
    const session = await refunds.open()
    await callAndWait(session, 'call_4')
    await proxy.cut()
    clock.advance(301_000)
    // Fires the deadline timer, whose query of the row cannot succeed.
    await passTime({ timers }, 310, session)
    await proxy.restore()
    expect((await takeOutput(session.provider)).output).toContain('in time')
    session.client.socket.close()
  })
})

describe('an approved call whose claim cannot be written', () => {
  /** A database that accepts decisions and rejects claims, like one that fails at the worst moment. */
  const refuseClaims = () =>
    sql(`
      create sequence refused_claims;
      create function refuse_claim() returns trigger language plpgsql as $$ begin
        if new.claimed_by is null then return new; end if;
        perform nextval('refused_claims');
        raise exception 'not now'; end $$;
      create trigger refuse_claim before update on approval for each row execute function refuse_claim()`)
  const allowClaims = () => sql('drop function refuse_claim cascade; drop sequence refused_claims')
  /** The rollback of a claim does not roll back the sequence. */
  const hasRefused = async () => (await sql('select is_called from refused_claims')).rows[0]?.is_called

  test('runs once as soon as the claim is written [APR-5]', async () => {
    const session = await refunds.open()
    const { ticket, client, provider } = session
    await callAndWait(session, 'call_5')
    await refuseClaims()
    client.send({ type: 'approval.approve', callId: 'call_5' })
    await expect.poll(hasRefused, patiently).toBe(true)
    expect(await refunds.approvalsOf(ticket.conversationId)).toMatchObject([{ state: 'approved' }])
    timers.advance(5000)
    expect(await refunds.callMessages(ticket.conversationId)).toMatchObject([{ status: 3 }])
    expect(refunds.tools.requests).toEqual([])
    expect(customTypes(session)).not.toContain('approval.approved')
    await allowClaims()
    const called = refunds.tools.expect('POST /refund', { body: 'Paid.' })
    await advanceUntil(() => refunds.tools.requests.length).toBe(1)
    await called
    expect(await takeOutput(provider)).toEqual({ callId: 'call_5', output: 'Paid.' })
    timers.advance(5000)
    await client.inbox.takeType('response.function_invocation.done')
    client.socket.close()
  })

  test('runs once if the next session claims it before the first one retries [APR-1] [APR-5]', async () => {
    const session = await refunds.open()
    const { ticket, client, agentId } = session
    const { conversationId } = ticket
    await callAndWait(session, 'call_6')
    await refuseClaims()
    client.send({ type: 'approval.approve', callId: 'call_6' })
    await expect.poll(hasRefused, patiently).toBe(true)
    await leave(session)
    await allowClaims()
    let finish: () => void = () => undefined
    const called = refunds.tools.expect('POST /refund', (response) => {
      finish = () => void response.end('Paid.')
    })
    const next = await openSessionOf(refunds.running, agentId, { conversationId })
    await called
    // The first session now finds a claim of its own instance.
    timers.advance(1000)
    await expect.poll(() => refunds.callMessages(conversationId)).toMatchObject([{ status: 0 }])
    finish()
    await next.provider.inbox.takeType('conversation.item.create')
    expect(await takeOutput(next.provider)).toEqual({ callId: 'call_6', output: 'Paid.' })
    expect(refunds.tools.requests).toHaveLength(1)
    next.client.socket.close()
  })
})

test('a call whose approval request was stored without the service knowing is not run and cannot be approved [APR-5]', async () => {
  const faulty = await startFaultyDatabase(postgres.url)
  const env = { DATABASE_URL: faulty.url, PARLEY_ALLOWED_PRIVATE_HOSTS: '127.0.0.1' }
  const other = await startService({ env, clock })
  const agentId = await makeToolAgent(refunds.running, { tools: [refundTool(refunds.tools)] })
  const ticket = await refunds.running.createTicket({}, agentId)
  const { conversationId } = ticket
  const client = await openSocket(other.url, ticket.webSocketPath)
  const provider = await refunds.running.provider.accept()
  await provider.inbox.takeType('session.update')
  const lost = faulty.loseCommit()
  playCalls(provider, 'resp_1', [refundCall('call_7')])
  await lost
  expect(await takeOutput(provider)).toEqual({ callId: 'call_7', output: notRecorded })
  await client.inbox.takeType('response.function_invocation.done')
  expect(customTypes({ client })).toEqual([
    'response.function_invocation.start',
    'response.function_invocation.done',
  ])
  expect(await refunds.approvalsOf(conversationId)).toMatchObject([{ state: 'expired' }])
  expect((await refunds.decide(conversationId, 'call_7', 'approve')).status).toBe(409)
  client.socket.close()
  await endedSession(refunds.running.client, conversationId)
  // The job for abandoned calls finds it closed.
  await expect
    .poll(() => refunds.running.service.database.stores.approvals.unattended(10), patiently)
    .toEqual([])
  expect(await refunds.callMessages(conversationId)).toMatchObject([{ status: 2, content: notRecorded }])
  await other.close()
  await faulty.close()
})
