import type { Problem, RealtimeSessionTicket } from '@parley/contract'
import { v7 as uuid } from 'uuid'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { hashToken } from '#server/domain/new-id.js'
import { addOrganization } from '../../support/organizations.js'
import { joinInstance } from '../../support/questions/instances.js'
import { openSocket, requestHandshake } from '../../support/realtime/open-socket.js'
import { type RealtimeTestService, startRealtimeService } from '../../support/realtime/realtime-service.js'
import { patiently } from '../../support/realtime/spoken-turns.js'
import type { PostgresDatabase } from '../../support/services/postgres-database.js'
import {
  databaseKinds,
  migratedDatabase,
  type RunningService,
  startService,
} from '../../support/start-service.js'

const max = 2
const env = { PARLEY_ORG_MAX_SESSIONS: String(max) }
const refusal = { status: 429, errorCode: 'LimitReached', limit: 'sessions' }

const problemIn = ({ text }: { readonly text: string }) => JSON.parse(text) as Problem

describe.each(databaseKinds)('the sessions of an organization on %s', (database) => {
  let service: RealtimeTestService

  beforeAll(async () => {
    service = await startRealtimeService({ database, env })
  })

  afterAll(() => service.close())

  test('sessions are limited, and the token of a rejected one stays valid until another session ends [LIM-3]', async () => {
    const waiting = await service.createTicket()
    const [first] = [await service.openSession(), await service.openSession()]
    const path = `/api/v1/Agent/${service.agentId}/realtime-session`
    const refused = await service.client.call<Problem>('POST', path, { body: {} })
    expect(refused.body).toMatchObject(refusal)
    expect(refused.headers.get('retry-after')).toBe('10')

    const handshake = await requestHandshake(service.url, waiting.webSocketPath)
    expect(problemIn(handshake)).toMatchObject(refusal)
    expect(handshake.headers.get('retry-after')).toBe('10')
    const explained = await service.client.call<Problem>('GET', waiting.webSocketPath)
    expect(explained.body).toMatchObject(refusal)

    first.client.socket.close()
    const tryAgain = async () => (await service.client.call('GET', waiting.webSocketPath)).status
    await expect.poll(tryAgain, patiently).toBe(426)
    const opened = await openSocket(service.url, waiting.webSocketPath)
    expect(opened.socket.readyState).toBe(opened.socket.OPEN)
  })

  test('sessions do not count if their instance is gone or if they belong to another organization [LIM-3]', async () => {
    const { realtimeSessions, organizationUsage } = service.service.database.stores
    const neighbour = await addOrganization(service)
    expect((await organizationUsage.amounts(neighbour.organizationId, ['sessions'])).get('sessions')).toBe(0)
    const running = async () =>
      (await organizationUsage.amounts(service.organizationId, ['sessions'])).get('sessions')
    for (const { id } of (await realtimeSessions.list(service.organizationId, {}, { offset: 0, limit: 200 }))
      .items)
      await realtimeSessions.end(id, 'terminated', new Date().toISOString())
    expect(await running()).toBe(0)
    const tickets: RealtimeSessionTicket[] = []
    for (let index = 0; index < max + 2; index += 1) tickets.push(await service.createTicket())
    for (const { sessionId } of tickets) {
      const now = new Date().toISOString()
      const instanceId = uuid()
      const tokenHash = hashToken(sessionId)
      expect(await realtimeSessions.consume({ tokenHash, now, instanceId, maxRunning: max })).not.toBeNull()
    }
    expect(await running()).toBe(0)
  })
})

describe('the sessions of two instances', () => {
  let postgres: PostgresDatabase
  let one: RealtimeTestService
  let other: RunningService

  beforeAll(async () => {
    postgres = await migratedDatabase()
    one = await startRealtimeService({ env: { ...env, DATABASE_URL: postgres.url } })
    other = await joinInstance(one, postgres.url, { env })
  })

  afterAll(async () => {
    await other.close()
    await one.close()
    await postgres.drop()
  })

  test('sessions of both instances are counted together [LIM-3]', async () => {
    const tickets = [await one.createTicket(), await one.createTicket(), await one.createTicket()]
    const [first, second, third] = tickets.map(({ webSocketPath }) => webSocketPath)
    await openSocket(one.url, first ?? '')
    await openSocket(other.url, second ?? '')
    expect(problemIn(await requestHandshake(one.url, third ?? ''))).toMatchObject(refusal)
    expect(problemIn(await requestHandshake(other.url, third ?? ''))).toMatchObject(refusal)
  })
})

test('a service reports the count of each reached limit from its start [LIM-6]', async () => {
  const service = await startService()
  const { text } = await service.client.call('GET', '/metrics')
  for (const limit of ['requestsPerMinute', 'sessions', 'queuedTurns', 'tasks', 'fileBytes'])
    expect(text).toContain(`parley_organization_limit_refusals_total{limit="${limit}"} 0`)
  await service.close()
})
