import type { Problem } from '@parley/contract'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openSocket, requestHandshake } from '../../support/realtime/open-socket.js'
import { type RealtimeTestService, startRealtimeService } from '../../support/realtime/realtime-service.js'
import {
  announcedIds,
  answered,
  committed,
  endedSession,
  messagesOf,
  patiently,
  transcribed,
} from '../../support/realtime/spoken-turns.js'
import { withPostgresClient } from '../../support/services/postgres-connection.js'
import type { PostgresDatabase } from '../../support/services/postgres-database.js'
import { migratedDatabase } from '../../support/start-service.js'

let postgres: PostgresDatabase
let service: RealtimeTestService

beforeAll(async () => {
  postgres = await migratedDatabase()
  service = await startRealtimeService({ env: { DATABASE_URL: postgres.url } })
})

afterAll(async () => {
  await service.close()
  await postgres.drop()
})

/**
 * Imitates a server that becomes a replica or is promoted: connections are cut, and new ones see the change.
 */
function setServerRole(kind: 'copy' | 'primary'): Promise<unknown> {
  return withPostgresClient(postgres.url, async (client) => {
    const name = new URL(postgres.url).pathname.slice(1)
    await client.query('set default_transaction_read_only = off')
    await client.query(
      `alter database "${name}" set default_transaction_read_only = ${kind === 'copy' ? 'on' : 'off'}`,
    )
    await client.query(
      `select pg_terminate_backend(pid) from pg_stat_activity
       where datname = current_database() and pid <> pg_backend_pid()`,
    )
  })
}

/** The clock of the promoted server differs from the clock that wrote the leases. */
const setClockBack = () =>
  withPostgresClient(postgres.url, (client) =>
    client.query(`update instance_lease set renewed_at = renewed_at + interval '1 second'`),
  )

const createSession = () =>
  service.client.call<Problem>('POST', `/api/v1/Agent/${service.agentId}/realtime-session`, { body: {} })

const readiness = async () => (await fetch(`${service.url}/readyz`)).status

describe('a failover to a promoted server', () => {
  test('keeps running sessions, answers new ones with 503, and loses no turn [OPS-16]', async () => {
    const { client, provider, ticket } = await service.openSession()
    const unused = await service.createTicket()
    await setServerRole('copy')
    for (const event of [committed('U'), transcribed('U', 'Hi'), answered('A', 'Hello')]) provider.send(event)
    provider.send({ type: 'relayed' })
    await client.inbox.takeType('relayed')
    await expect.poll(readiness, patiently).toBe(503)
    const refused = await createSession()
    expect([refused.status, refused.body.errorCode]).toEqual([503, 'Unavailable'])
    expect(refused.headers.get('retry-after')).toBe('5')
    const handshake = await requestHandshake(service.url, unused.webSocketPath)
    expect([handshake.status, handshake.headers.get('retry-after')]).toEqual([503, '5'])
    expect(announcedIds(client)).toEqual([])

    await setServerRole('primary')
    await setClockBack()
    await expect.poll(readiness, patiently).toBe(200)
    await expect.poll(() => announcedIds(client).length, patiently).toBe(2)
    // The rejected handshake did not consume the token.
    const late = await openSocket(service.url, unused.webSocketPath)
    await service.provider.accept()
    expect((await createSession()).status).toBe(201)
    for (const { socket } of [client, late]) socket.close()
    expect(await endedSession(service.client, ticket.conversationId)).toMatchObject({
      endReason: 'client_left',
    })
    const messages = await messagesOf(service.client, ticket.conversationId)
    expect(messages.map(({ content }) => content)).toEqual(['Hi', 'Hello'])
  })
})
