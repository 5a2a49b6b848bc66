import { once } from 'node:events'
import { connect } from 'node:net'
import { promisify } from 'node:util'
import type { Problem } from '@parley/contract'
import { Client } from 'pg'
import { beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { closeAfterwards } from '../../support/close-afterwards.js'
import { headersOf } from '../../support/http/operation-requests.js'
import { openReadyStream } from '../../support/live/live-reader.js'
import { addApiKey, addOrganization } from '../../support/organizations.js'
import { type RunningService, startService } from '../../support/start-service.js'
import { makeAgent, makeConversation } from '../../support/stores/records.js'
import { makeTestClock } from '../../support/test-clock.js'
import { makeTestTimers } from '../../support/test-timers.js'

const clock = makeTestClock()
const timers = makeTestTimers()
let running: RunningService
/** A new organization for each test. */
let own: { readonly organizationId: string; readonly apiKey: string }

beforeAll(async () => {
  const env = { PARLEY_ORG_MAX_STREAMS: '3', PARLEY_ORG_MAX_STREAMS_PER_CALLER: '2', LOG_LEVEL: 'error' }
  running = await startService({ clock, timers, env })
})

beforeEach(async () => {
  own = await addOrganization(running)
})

const stores = () => running.service.database.stores
const open = (apiKey = own.apiKey) => openReadyStream(running.url, headersOf({ ...own, apiKey }))

async function refused(
  apiKey = own.apiKey,
): Promise<{ limit: string | undefined; retryAfter: string | null }> {
  const response = await fetch(`${running.url}/api/v1/Event`, { headers: headersOf({ ...own, apiKey }) })
  const problem = (await response.json()) as Problem
  expect(problem).toMatchObject({ status: 429, errorCode: 'LimitReached' })
  return { limit: problem.limit, retryAfter: response.headers.get('retry-after') }
}

test('live streams are limited per caller and per organization [LIVE-6]', async () => {
  const another = await addApiKey(stores(), own.organizationId, ['task:read'])
  const [first] = [await open(), await open()]
  expect(await refused()).toEqual({ limit: 'streamsPerCaller', retryAfter: '10' })
  await open(another)
  expect(await refused(another)).toEqual({ limit: 'streams', retryAfter: '10' })
  // A closed stream makes room.
  await first.cut()
  await vi.waitFor(() => open(another))
})

describe('a live stream', () => {
  test('sends heartbeats with its cursor and ends when its key expires [LIVE-5]', async () => {
    const expiresAt = new Date(clock.now().getTime() + 15_000).toISOString()
    const reader = await open(await addApiKey(stores(), own.organizationId, ['task:read'], expiresAt))
    for (const heartbeats of [1, 0]) {
      clock.advance(10_000)
      timers.advance(10_000)
      if (heartbeats > 0) await vi.waitFor(() => expect(reader.heartbeats()).toBe(heartbeats))
    }
    await reader.ended
  })

  test('ends in time when the service closes [LIVE-5]', async () => {
    const other = await startService({ env: { LOG_LEVEL: 'error' } })
    const reader = await openReadyStream(other.url, headersOf(other))
    await Promise.all([reader.ended, other.close()])
  })
})

test('a reader that does not read is dropped, and other readers keep receiving changes [LIVE-7]', async () => {
  const { app } = running.service
  const countConnections = promisify(app.server.getConnections.bind(app.server))
  const reader = await open()
  const { hostname, port } = new URL(running.url)
  const idle = connect(Number(port), hostname)
  closeAfterwards(() => idle.destroy())
  const sent = Object.entries({ host: hostname, ...headersOf(own) }).map(
    ([name, value]) => `${name}: ${value}\r\n`,
  )
  idle.write(`GET /api/v1/Event HTTP/1.1\r\n${sent.join('')}\r\n`)
  await once(idle, 'data')
  idle.pause()
  const connections = await countConnections()
  const addMessages = await messageMaker()
  for (let round = 0; (await countConnections()) >= connections; round += 1) {
    if (round > 200) throw new Error('The reader was not dropped.')
    const id = await addMessages(450)
    timers.advance(1000)
    await reader.waitForChange({ resource: 'Message', id })
  }
  // The part that was sent before the drop does not end like a complete response.
  let text = ''
  idle.setEncoding('latin1').on('data', (chunk: string) => {
    text += chunk
  })
  idle.on('error', () => undefined).resume()
  await once(idle, 'close')
  expect(text).not.toMatch(/\r\n0\r\n\r\n$/)
})

/** Returns a function that inserts this many messages at once and returns the id of one of them. */
async function messageMaker(): Promise<(count: number) => Promise<string>> {
  const { organizationId } = own
  const agent = makeAgent(organizationId)
  const conversation = makeConversation(organizationId, agent.id)
  await stores().agents.insert(agent)
  await stores().conversations.insert(conversation)
  const client = new Client({ connectionString: running.databaseUrl ?? '' })
  await client.connect()
  closeAfterwards(() => client.end())
  return async (count) => {
    const { rows } = await client.query<{ id: string }>(
      `insert into message (id, organization_id, conversation_id, item_id, content_index, position_microseconds,
         position_counter, created_at, updated_at, role, content, channel, interrupted)
       select gen_random_uuid(), $1, $2, '', 0, 0, 0, now(), now(), 'user', '', 'text', false
       from generate_series(1, $3) returning id`,
      [organizationId, conversation.id, count],
    )
    return rows[0]?.id ?? ''
  }
}
