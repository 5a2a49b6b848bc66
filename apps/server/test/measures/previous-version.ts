import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { AuditLogVerification, RealtimeSessionTicket, Task } from '@parley/contract'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { makeApiClient } from '../support/api-client.js'
import { makeContractCheck } from '../support/http/answer-of-contract.js'
import {
  bootstrap,
  cleanUp,
  credentials,
  patiently,
  slow,
  startParley,
} from '../support/process/parley-process.js'
import { ask, askStreaming, follow } from '../support/questions/ask.js'
import { endedTurn, useQuestionService } from '../support/questions/question-service.js'
import { openSocket } from '../support/realtime/open-socket.js'
import { answered, messagesOf, transcribed } from '../support/realtime/spoken-turns.js'
import { decide, refundTool } from '../support/realtime/waiting-calls.js'
import { createPostgresDatabase, type PostgresDatabase } from '../support/services/postgres-database.js'
import type { RunningService } from '../support/start-service.js'
import { makeGate } from '../support/stores/store-database.js'

/** The built checkout of the previous version. `npm run test:previous` creates it. */
const checkout = process.env.PARLEY_PREVIOUS ?? ''

type Side = Pick<RunningService, 'url' | 'apiKey' | 'organizationId' | 'client'>

let postgres: PostgresDatabase
let previous: Side
let agentId: string

/** Vitest runs `beforeAll` in order and `afterAll` in reverse: the database is dropped last. */
beforeAll(async () => {
  postgres = await createPostgresDatabase()
  previous = await startPrevious()
}, 120_000)

afterAll(() => postgres.drop())
afterAll(cleanUp)

// The previous version has created the database and keeps running. Now the current version upgrades it.
const asked = useQuestionService(() => ({ env: { DATABASE_URL: postgres.url, ...bootstrap } }))

beforeAll(async () => {
  agentId = await asked.makeAgent({ name: 'Clerk', tools: [refundTool(asked.tools)] })
})

async function startPrevious(): Promise<Side> {
  const { program, contract } = findParts()
  const { allOperations, personOperations } = await import(`${contract}/index.js`)
  const { buildOpenApi } = await import(`${contract}/openapi.js`)
  const process = await startParley({
    program,
    env: {
      DATABASE_URL: postgres.url,
      PARLEY_SECRET: 'a secret for tests that is long enough',
      PARLEY_ALLOWED_PRIVATE_HOSTS: '127.0.0.1',
      PARLEY_RATE_LIMIT_PER_MINUTE: '100000',
      LOG_LEVEL: 'warn',
      ...bootstrap,
    },
  })
  const url = await process.ready()
  const checkAnswer = makeContractCheck({ allOperations, personOperations, buildOpenApi })
  return { url, ...credentials, client: makeApiClient(url, credentials, checkAnswer) }
}

/**
 * The server and the contract in the checkout. Versions before `apps/` existed have them at the top level.
 */
function findParts(): { readonly program: string; readonly contract: string } {
  const layouts = [
    { server: 'apps/server', contract: 'packages/contract' },
    { server: 'server', contract: 'contract' },
  ]
  for (const { server, contract } of layouts) {
    const program = join(checkout, server, 'dist/main.js')
    if (existsSync(program)) return { program, contract: join(checkout, contract, 'dist') }
  }
  throw new Error(`No built server found in ${checkout}.`)
}

const pairs: readonly (readonly [string, () => readonly [Side, Side]])[] = [
  ['the previous version, then today’s version', () => [previous, asked.running]],
  ['today’s version, then the previous version', () => [asked.running, previous]],
]

describe.each(pairs)("on today's schema: %s", slow, (_, sides) => {
  test('reads, changes and removes tasks across versions', async () => {
    const [one, other] = sides()
    const made = await one.client.call<Task>('POST', '/api/v1/Task', { body: { title: 'Made' } })
    expect(made.status).toBe(201)
    const path = `/api/v1/Task/${made.body.id}`
    const headers = { 'if-match': made.headers.get('etag') ?? '' }
    const changed = await other.client.call<Task>('PATCH', path, { body: { title: 'Changed' }, headers })
    expect(changed).toMatchObject({ status: 200, body: { title: 'Changed' } })
    expect((await one.client.call<Task>('GET', path)).body.title).toBe('Changed')
    expect((await one.client.call('DELETE', path)).status).toBe(204)
    expect((await other.client.call('GET', path)).status).toBe(404)
  })

  test('opens and stores sessions across versions', async () => {
    const [one, other] = sides()
    const create = `/api/v1/Agent/${agentId}/realtime-session`
    const { body: ticket } = await one.client.call<RealtimeSessionTicket>('POST', create, { body: {} })
    const client = await openSocket(other.url, ticket.webSocketPath)
    const provider = await asked.voice.accept()
    await provider.inbox.takeType('session.update')
    for (const event of [transcribed('U', 'Hi'), answered('A', 'Hello')]) provider.send(event)
    await client.inbox.takeType('response.completed')
    client.socket.close(1000)
    const contents = (await messagesOf(one.client, ticket.conversationId)).map(({ content }) => content)
    expect(contents).toEqual(['Hi', 'Hello'])
  })

  test('follows turns and decides approvals across versions', async () => {
    const [one, other] = sides()
    const gate = makeGate()
    asked.model.answer({ text: ['Once', gate.opened, ' upon.'] })
    const stream = await askStreaming(one, agentId, { question: 'A story?' })
    const turn = (await stream.waitFor('turn.started')).data
    const follower = await follow(other, turn)
    await follower.waitFor('response.text.delta')
    gate.open()
    await follower.waitFor('response.completed')
    await Promise.all([stream.ended, follower.ended])

    asked.model.answer({ calls: [{ id: 'call_a', name: 'refund', arguments: { amount: 5 } }] })
    const { body } = await ask(one, agentId, { question: 'Money back!' })
    const called = asked.tools.expect('POST /refund', { body: 'Paid.' })
    asked.model.answer({ text: 'Done.' })
    await decide(other.client, body.conversationId, 'call_a', 'approve')
    await called
    expect(await endedTurn(other, body, patiently)).toMatchObject({ status: 'completed', answer: 'Done.' })
  })

  test('the audit log is valid', async () => {
    for (const { client } of sides()) {
      const verified = async () =>
        (await client.call<AuditLogVerification>('GET', '/api/v1/AuditLog/verify')).body
      await expect.poll(verified, patiently).toMatchObject({ valid: true, unsealedCount: 0 })
    }
  })
})
