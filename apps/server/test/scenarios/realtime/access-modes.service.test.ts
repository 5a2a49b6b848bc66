import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { expectProblem } from '../../support/http/expect-problem.js'
import { send } from '../../support/http/send.js'
import { openSocket, requestHandshake } from '../../support/realtime/open-socket.js'
import { type RealtimeTestService, startRealtimeService } from '../../support/realtime/realtime-service.js'
import { withPostgresClient } from '../../support/services/postgres-connection.js'
import type { PostgresDatabase } from '../../support/services/postgres-database.js'
import { migratedDatabase, type RunningService, startService } from '../../support/start-service.js'

let postgres: PostgresDatabase
let service: RealtimeTestService
let apiOnly: RunningService
let consoleOnly: RunningService

/**
 * Three instances on one database. The first accepts every session, each of the others only one access mode.
 */
beforeAll(async () => {
  postgres = await migratedDatabase()
  const env = { DATABASE_URL: postgres.url, PARLEY_ALLOWED_PRIVATE_HOSTS: '127.0.0.1' }
  service = await startRealtimeService({ env })
  apiOnly = await startService({ env: { ...env, PARLEY_REALTIME_ACCESS_MODES: 'api' } })
  consoleOnly = await startService({ env: { ...env, PARLEY_REALTIME_ACCESS_MODES: 'console' } })
})

afterAll(async () => {
  await consoleOnly.close()
  await apiOnly.close()
  await service.close()
  await postgres.drop()
})

const apiPath = async () => (await service.createTicket()).webSocketPath

/** Returns the socket path of a session that looks as if a member had created it in the console. */
async function consolePath(): Promise<string> {
  const { conversationId, webSocketPath } = await service.createTicket()
  await withPostgresClient(postgres.url, (client) =>
    client.query(
      `update realtime_session set setup = jsonb_set(setup::jsonb, '{accessMode}', '"console"')
       where conversation_id = $1`,
      [conversationId],
    ),
  )
  return webSocketPath
}

describe('a session token', () => {
  test.each([
    ['the API', apiPath, () => apiOnly],
    ['the console', consolePath, () => consoleOnly],
  ])(
    'is accepted if it was created by %s and the instance allows only that mode [7.2-1]',
    async (_, path, at) => {
      const client = await openSocket(at().url, await path())
      await (await service.provider.accept()).inbox.takeType('session.update')
      client.socket.close()
      await client.inbox.closed
    },
  )

  test.each([
    ['the API', apiPath, () => consoleOnly, /API key/],
    ['the console', consolePath, () => apiOnly, /console/],
  ])(
    'is rejected if it was created by %s and the instance does not allow that mode, by a plain GET as well [7.2-1]',
    async (_, path, at, says) => {
      const target = await path()
      const plain = expectProblem(await send(at().url, { method: 'GET', path: target }), 'RealtimeNotEnabled')
      expect(plain.detail).toMatch(says)
      const refusal = expectProblem(await requestHandshake(at().url, target), 'RealtimeNotEnabled')
      expect(refusal.detail).toBe(plain.detail)
    },
  )

  test('is reported as invalid if it is unknown, whichever mode the instance allows [7.2-1]', async () => {
    const target = `${await apiPath()}A`
    expectProblem(await requestHandshake(consoleOnly.url, target), 'RealtimeSessionInvalid')
  })
})
