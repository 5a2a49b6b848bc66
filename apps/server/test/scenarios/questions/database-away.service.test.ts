import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { ask, askStreaming, follow } from '../../support/questions/ask.js'
import { joinInstance } from '../../support/questions/instances.js'
import { expectCompleteStream, hold, wordsIn } from '../../support/questions/received-events.js'
import { type FaultyDatabase, startFaultyDatabase } from '../../support/realtime/faulty-database.js'
import { messagesOf, patiently } from '../../support/realtime/spoken-turns.js'
import { makeTextAgent } from '../../support/realtime/text-agents.js'
import { type ScriptedChatServer, startScriptedChatServer } from '../../support/scripted-chat-server.js'
import { countLockWaits, withPostgresClient } from '../../support/services/postgres-connection.js'
import type { PostgresDatabase } from '../../support/services/postgres-database.js'
import { startTcpProxy, type TcpProxy } from '../../support/services/tcp-proxy.js'
import { migratedDatabase, type RunningService, startService } from '../../support/start-service.js'

let postgres: PostgresDatabase
let proxy: TcpProxy
let service: RunningService
let model: ScriptedChatServer
let agentId: string

beforeAll(async () => {
  postgres = await migratedDatabase()
  const { hostname, port } = new URL(postgres.url)
  proxy = await startTcpProxy(hostname, Number(port))
  service = await startService({
    env: { DATABASE_URL: proxy.rewriteUrl(postgres.url), PARLEY_ALLOWED_PRIVATE_HOSTS: '127.0.0.1' },
  })
  model = await startScriptedChatServer()
  agentId = await makeTextAgent(service, model, { name: 'Concierge' })
})

afterEach(async () => {
  await proxy.restore()
  model.verify()
})

afterAll(async () => {
  await service.close()
  await proxy.close()
  await postgres.drop()
  await model.close()
})

const question = { question: 'A story?' }
const contentsOf = async (conversationId: string) =>
  (await messagesOf(service.client, conversationId)).map(({ content }) => content)

describe('a database that becomes unavailable while a turn is answered', () => {
  test('delays the answer, which arrives later without lost or repeated events [ASK-3]', async () => {
    const [more, end] = [hold(), hold()]
    model.answer({ text: ['Once ', more.released, 'upon ', 'a ', end.released, 'time.'] })
    const stream = await askStreaming(service, agentId, question)
    await stream.waitFor('response.text.delta')
    const { data: turn } = await stream.waitFor('turn.started')
    const other = await joinInstance(service, proxy.rewriteUrl(postgres.url))
    const elsewhere = await follow(other, turn)
    await elsewhere.waitFor('response.text.delta')
    await proxy.cut()
    more.release()
    const isWaiting = () =>
      service.log.some((line) => line.includes('database unavailable; writes are queued'))
    await expect.poll(isWaiting, patiently).toBe(true)
    end.release()
    expect(wordsIn(stream.received)).toBe('Once ')
    await proxy.restore()
    await Promise.all([stream.ended, elsewhere.ended])
    expectCompleteStream(stream.received)
    expect(elsewhere.received).toEqual(stream.received)
    expect(wordsIn(stream.received)).toBe('Once upon a time.')
    expect(await contentsOf(turn.conversationId)).toEqual(['A story?', 'Once upon a time.'])
    await other.close()
  })

  test('delays the question if the model has not been asked yet [ASK-3]', async () => {
    const { asking } = await withPostgresClient(postgres.url, async (holder) => {
      await holder.query('begin')
      // A question reads its files after the turn has started.
      await holder.query('lock table conversation_file in access exclusive mode')
      const asked = ask(service, agentId, question)
      await expect.poll(() => countLockWaits(holder), patiently).toBe(1)
      await proxy.cut()
      await holder.query('commit')
      return { asking: asked }
    })
    model.answer({ text: 'Once upon a time.' })
    const isAway = async () => (await service.client.call('GET', '/readyz')).status
    expect(await isAway()).toBe(503)
    await proxy.restore()
    const { status, body } = await asking
    expect([status, body.answer]).toEqual([200, 'Once upon a time.'])
  })

  test('delays callers that wait for the whole answer, and tool calls [ASK-3]', async () => {
    const clock = { kind: 'builtin', name: 'clock', description: 'Tells the time.', builtin: 'current_time' }
    const timekeeper = await makeTextAgent(service, model, { name: 'Timekeeper', tools: [clock] })
    const [more, end] = [hold(), hold()]
    model.answer(
      { text: ['Let me see. ', more.released], calls: [{ name: 'clock' }] },
      { text: ['It is ', end.released, 'late.'] },
    )
    const asking = ask(service, timekeeper, question)
    await model.nextRequest()
    await proxy.cut()
    more.release()
    const isAway = async () => (await service.client.call('GET', '/readyz')).status
    await expect.poll(isAway, patiently).toBe(503)
    end.release()
    await proxy.restore()
    const { status, body } = await asking
    expect([status, body.answer]).toEqual([200, 'Let me see. \n\nIt is late.'])
    expect(body.toolInvocations).toMatchObject([{ name: 'clock', status: 1 }])
    expect(await messagesOf(service.client, body.conversationId)).toHaveLength(3)
  })
})

describe('a commit whose result is lost', () => {
  let faulty: FaultyDatabase
  let other: RunningService

  beforeAll(async () => {
    faulty = await startFaultyDatabase(postgres.url)
    other = await joinInstance(service, faulty.url)
  })

  afterAll(async () => {
    await other.close()
    await faulty.close()
  })

  test('stores the start of a turn once [ASK-3]', async () => {
    const lost = faulty.loseCommit()
    model.answer({ text: 'Once upon a time.' })
    const stream = await askStreaming(other, agentId, question)
    await Promise.all([lost, stream.ended])
    expectCompleteStream(stream.received)
    const { data: turn } = await stream.waitFor('turn.started')
    const again = await follow(service, turn)
    await again.ended
    expect(again.received).toEqual(stream.received)
    expect(await contentsOf(turn.conversationId)).toEqual(['A story?', 'Once upon a time.'])
  })

  test('stores the end of a turn once [ASK-3]', async () => {
    const end = hold()
    model.answer({ text: ['Once upon ', end.released, 'a time.'] })
    const stream = await askStreaming(other, agentId, question)
    await stream.waitFor('response.text.delta')
    const lost = faulty.loseCommit()
    end.release()
    await Promise.all([lost, stream.ended])
    expectCompleteStream(stream.received)
    const { data: turn } = await stream.waitFor('turn.started')
    expect(await contentsOf(turn.conversationId)).toEqual(['A story?', 'Once upon a time.'])
  })

  test('does not block the conversation of its question [ASK-3]', async () => {
    model.answer({ text: 'Yes.' })
    const { conversationId } = (await ask(other, agentId, { question: 'First?' })).body
    const lost = faulty.loseCommit('turn')
    model.answer({ text: 'Yes.' }, { text: 'Yes.' })
    const unheard = await ask(other, agentId, { question: 'Unheard?', conversationId })
    await lost
    expect(unheard.status).toBeGreaterThanOrEqual(500)
    const third = await ask(service, agentId, { question: 'Third?', conversationId })
    expect([third.status, third.body.answer]).toEqual([200, 'Yes.'])
    expect(await contentsOf(conversationId)).toEqual(['First?', 'Yes.', 'Unheard?', 'Yes.', 'Third?', 'Yes.'])
  })
})
