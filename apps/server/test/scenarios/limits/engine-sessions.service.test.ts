import type { RealtimeSessionTicket } from '@parley/contract'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { ApiClient } from '../../support/api-client.js'
import { addOrganization } from '../../support/organizations.js'
import { openSocket } from '../../support/realtime/open-socket.js'
import { type RunningService, startService } from '../../support/start-service.js'

/** The maximum number of sessions of the built-in engine per organization. */
const maxOfEach = 64

let running: RunningService
beforeAll(async () => {
  running = await startService()
})
afterAll(() => running.close())

interface Neighbour {
  readonly client: ApiClient
  readonly agentId: string
}

async function newNeighbour(): Promise<Neighbour> {
  const client = running.client.as(await addOrganization(running))
  const create = async (type: string, body: object) => {
    const created = await client.call<{ id: string }>('POST', `/api/v1/${type}`, { body })
    expect(created.status, created.text).toBe(201)
    return created.body.id
  }
  const connectionId = await create('Connection', { name: 'Voice', kind: 'embedded' })
  return { client, agentId: await create('Agent', { name: 'Helper', connectionId }) }
}

async function openSession({ client, agentId }: Neighbour) {
  const path = `/api/v1/Agent/${agentId}/realtime-session`
  const { body } = await client.call<RealtimeSessionTicket>('POST', path, { body: {} })
  return openSocket(running.url, body.webSocketPath)
}

test('each organization has its own limit of engine sessions [ENG-15]', async () => {
  const [busy, quiet] = [await newNeighbour(), await newNeighbour()]
  const opened = await Promise.all(Array.from({ length: maxOfEach }, () => openSession(busy)))
  await Promise.all(opened.map(({ inbox }) => inbox.takeType('session.updated')))

  const refused = await openSession(busy)
  expect(await refused.inbox.takeType('error')).toMatchObject({
    error: { code: 'provider_unavailable', message: expect.stringContaining('HTTP 429') },
  })
  expect((await refused.inbox.closed).code).toBe(4002)

  const { inbox } = await openSession(quiet)
  await inbox.takeType('session.updated')

  opened[0]?.socket.close()
  await opened[0]?.inbox.closed
  const isRoom = async () => (await (await openSession(busy)).inbox.take()).data.toString()
  await expect.poll(isRoom, { timeout: 60_000 }).toContain('session.created')
})
