import type { RealtimeSession } from '@parley/contract'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { crowding } from '../../support/process/parley-process.js'
import { ask, askStreaming } from '../../support/questions/ask.js'
import { joinInstance } from '../../support/questions/instances.js'
import { endedTurn, useQuestionService } from '../../support/questions/question-service.js'
import { decide, refundTool } from '../../support/realtime/waiting-calls.js'
import type { PostgresDatabase } from '../../support/services/postgres-database.js'
import { createRedisUrl } from '../../support/services/redis-database.js'
import { startTcpProxy, type TcpProxy } from '../../support/services/tcp-proxy.js'
import { migratedDatabase, type RunningService } from '../../support/start-service.js'

const rounds = 5
const soonMilliseconds = 50

let postgres: PostgresDatabase
let redis: TcpProxy
let redisUrl: string
let other: RunningService

beforeAll(async () => {
  postgres = await migratedDatabase()
  redisUrl = await createRedisUrl()
  const { hostname, port } = new URL(redisUrl)
  redis = await startTcpProxy(hostname, Number(port))
})

afterAll(async () => {
  await redis.close()
  await postgres.drop()
})

const asked = useQuestionService(() => ({
  env: { DATABASE_URL: postgres.url, REDIS_URL: redis.rewriteUrl(redisUrl) },
}))

beforeAll(async () => {
  other = await joinInstance(asked.running, postgres.url, { env: { REDIS_URL: redisUrl } })
  agentId = await asked.makeAgent({ name: 'Clerk', tools: [refundTool(asked.tools)] })
})

afterAll(() => other.close())

let agentId: string

/** A turn waits here, the decision comes on the other instance: how long until the tool is called? */
async function decideElsewhere(): Promise<number> {
  asked.model.answer({ calls: [{ id: 'call_a', name: 'refund', arguments: { amount: 5 } }] })
  const { body: turn } = await ask(asked.running, agentId, { question: 'Money back!' })
  const called = asked.tools.expect('POST /refund', { body: 'Paid.' })
  asked.model.answer({ text: 'Done.' })
  const begin = performance.now()
  await decide(other.client, turn.conversationId, 'call_a', 'approve')
  await called
  const milliseconds = performance.now() - begin
  expect(await endedTurn(asked.running, turn)).toMatchObject({ status: 'completed', answer: 'Done.' })
  return milliseconds
}

/** A session runs here, and is ended on the other instance: how long until its client is told? */
async function endElsewhere(): Promise<number> {
  const { ticket, client } = await asked.speakTo(agentId)
  const path = `/api/v1/RealtimeSession?ConversationId=${ticket.conversationId}`
  const { body } = await other.client.call<{ items: RealtimeSession[] }>('GET', path)
  const begin = performance.now()
  await other.client.call('DELETE', `/api/v1/RealtimeSession/${body.items[0]?.id}`)
  expect(await client.inbox.closed).toMatchObject({ code: 4005 })
  return performance.now() - begin
}

/** A turn speaks here, and is stopped on the other instance: how long until its stream ends? */
async function stopElsewhere(): Promise<number> {
  asked.model.answer({ text: ['Once ', 'upon'], end: 'hanging' })
  const stream = await askStreaming(asked.running, agentId, { question: 'A story?' })
  const { conversationId, turnId } = (await stream.waitFor('turn.started')).data
  await stream.waitFor('response.text.delta')
  const begin = performance.now()
  await other.client.call('DELETE', `/api/v1/Conversation/${conversationId}/turn/${turnId}`)
  await stream.ended
  return performance.now() - begin
}

async function medianOf(measure: () => Promise<number>): Promise<number> {
  const milliseconds: number[] = []
  while (milliseconds.length < rounds) milliseconds.push(await measure())
  return milliseconds.sort((one, two) => one - two)[Math.floor(rounds / 2)] ?? Number.NaN
}

describe('[SIG-1] with Redis', () => {
  const acts = [
    ['a decision', decideElsewhere],
    ['the end of a session', endElsewhere],
    ['the stop of a turn', stopElsewhere],
  ] as const

  test('instances find each other, in their own time', async () => {
    await expect.poll(decideElsewhere, { timeout: 15_000 }).toBeLessThan(soonMilliseconds * crowding())
  })

  test.each(acts)('%s on another instance counts within 50 ms', async (_, measure) => {
    expect((await medianOf(measure)) / crowding()).toBeLessThan(soonMilliseconds)
  })
})

describe('[SIG-2] when Redis dies', () => {
  test('what another instance does counts a second later, and soon again when Redis is back', async () => {
    await redis.cut()
    expect((await decideElsewhere()) / crowding()).toBeLessThan(2000)
    expect((await endElsewhere()) / crowding()).toBeLessThan(2000)
    await redis.restore()
    await expect.poll(decideElsewhere, { timeout: 15_000 }).toBeLessThan(soonMilliseconds * crowding())
    expect((await medianOf(endElsewhere)) / crowding()).toBeLessThan(soonMilliseconds)
  })
})
