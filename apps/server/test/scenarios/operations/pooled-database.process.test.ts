import type { AuditLogVerification } from '@parley/contract'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { makeHandle } from '#server/adapters/database/handle.js'
import { openPostgres } from '#server/adapters/database/open-postgres.js'
import { inTransaction } from '#server/adapters/database/transaction.js'
import { joinInstance } from '../../support/questions/instances.js'
import { openSocket } from '../../support/realtime/open-socket.js'
import { type RealtimeTestService, startRealtimeService } from '../../support/realtime/realtime-service.js'
import {
  answered,
  committed,
  endedSession,
  messagesOf,
  patiently,
  transcribed,
} from '../../support/realtime/spoken-turns.js'
import { type PgBouncer, startPgBouncer } from '../../support/services/pgbouncer.js'
import { withPostgresClient } from '../../support/services/postgres-connection.js'
import { createPostgresDatabase, type PostgresDatabase } from '../../support/services/postgres-database.js'
import type { RunningService } from '../../support/start-service.js'
import { startReceiver } from '../../support/webhooks/receiver.js'

let bouncer: PgBouncer
let postgres: PostgresDatabase
let one: RealtimeTestService
let other: RunningService

beforeAll(async () => {
  bouncer = await startPgBouncer(inject('postgresUrl'))
  // The database is empty, so migrations and the first start use the pooler too.
  postgres = await createPostgresDatabase()
  const env = { DATABASE_URL: bouncer.rewriteUrl(postgres.url) }
  one = await startRealtimeService({ env })
  other = await joinInstance(one, env.DATABASE_URL)
})

afterAll(async () => {
  await other.close()
  await one.close()
  await postgres.drop()
  await bouncer.stop()
})

const many = <Result>(count: number, task: (index: number) => Promise<Result>) =>
  Promise.all(Array.from({ length: count }, (_, index) => task(index)))

describe('a service behind PgBouncer in transaction mode', () => {
  test('shares few server sessions among many calls of two instances, without changing their settings [DB-6]', async () => {
    const answers = await many(60, (index) =>
      (index % 2 === 0 ? one : other).client.call('POST', '/api/v1/Task', { body: { title: `${index}` } }),
    )
    expect(answers.filter(({ status }) => status !== 201)).toEqual([])
    const { body } = await other.client.call('GET', '/api/v1/Task')
    expect(body.totalCount).toBe(60)
    const settings = await withPostgresClient(bouncer.rewriteUrl(postgres.url), (client) =>
      client.query(`select current_setting('statement_timeout') as statement,
        current_setting('idle_in_transaction_session_timeout') as idle,
        (select count(*)::int from pg_prepared_statements) as prepared`),
    )
    expect(settings.rows).toEqual([{ statement: '0', idle: '0', prepared: 0 }])
  })

  test('limits the time of statements and of idle transactions [DB-6]', async () => {
    const pool = openPostgres(bouncer.rewriteUrl(postgres.url), () => undefined, 'pooled')
    const limits = await inTransaction(pool, (transaction) =>
      makeHandle(transaction).execute(`select current_setting('statement_timeout') as statement,
        current_setting('idle_in_transaction_session_timeout') as idle`),
    )
    await pool.end()
    expect(limits.rows).toEqual([{ statement: '30s', idle: '30s' }])
  })

  test('stores a session that another instance opened, sends its webhook and seals its records [DB-6]', async () => {
    const receiver = await startReceiver()
    const events = ['realtime.session.ended']
    const body = { name: 'Ends', url: `${receiver.url}/ends`, events }
    expect((await one.client.call('POST', '/api/v1/Webhook', { body })).status).toBe(201)
    const ticket = await one.createTicket()
    const client = await openSocket(other.url, ticket.webSocketPath)
    const provider = await one.provider.accept()
    for (const event of [committed('U'), transcribed('U', 'Hi'), answered('A', 'Hello')]) provider.send(event)
    await client.inbox.takeType('response.completed')
    client.socket.close()
    await endedSession(one.client, ticket.conversationId)
    const contents = async () =>
      (await messagesOf(one.client, ticket.conversationId)).map(({ content }) => content)
    expect(await contents()).toEqual(['Hi', 'Hello'])
    const [ended] = await receiver.received('/ends', 1)
    expect(ended?.body.data).toMatchObject({ conversationId: ticket.conversationId })
    const verified = async () =>
      (await other.client.call<AuditLogVerification>('GET', '/api/v1/AuditLog/verify')).body
    await expect.poll(verified, patiently).toMatchObject({ valid: true, unsealedCount: 0 })
  })
})
