import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import {
  type OpenSession,
  type RealtimeTestService,
  startRealtimeService,
} from '../../support/realtime/realtime-service.js'
import { type Detail, endLines, expectEnd, expectSilentEnd } from '../../support/realtime/session-ends.js'
import {
  endedSession,
  messagesOf,
  patiently,
  sessionsOf,
  transcribed,
} from '../../support/realtime/spoken-turns.js'
import { withPostgresClient } from '../../support/services/postgres-connection.js'
import type { PostgresDatabase } from '../../support/services/postgres-database.js'
import { migratedDatabase } from '../../support/start-service.js'
import { makeTestTimers, type TestTimers } from '../../support/test-timers.js'

const maxSessionSeconds = 50
const idleTimeoutSeconds = 30

let postgres: PostgresDatabase
let running: RealtimeTestService
let timers: TestTimers

beforeAll(async () => {
  timers = makeTestTimers()
  postgres = await migratedDatabase()
  running = await startRealtimeService({
    timers,
    env: {
      DATABASE_URL: postgres.url,
      PARLEY_REALTIME_MAX_SESSION_SECONDS: String(maxSessionSeconds),
      PARLEY_REALTIME_IDLE_TIMEOUT_SECONDS: String(idleTimeoutSeconds),
      PARLEY_REALTIME_PROVIDER_MAX_MESSAGE_BYTES: '100000',
    },
  })
})

afterEach(async () => {
  running.provider.onUpgrade(() => 'accept')
  // An ended session leaves no timers and no sockets.
  await expect.poll(() => timers.waiting, patiently).toBe(0)
  await expect.poll(() => running.provider.openCount, patiently).toBe(0)
})

afterAll(async () => {
  await running.close()
  await postgres.drop()
})

/** Sends a frame, so that the session does not become idle. */
async function say({ client, provider }: OpenSession): Promise<void> {
  client.send({ type: 'input_audio_buffer.commit' })
  await provider.inbox.takeType('input_audio_buffer.commit')
}

/** Makes the provider accept handshakes and never answer them. Resolves at the first handshake. */
function neverAnswer(): Promise<void> {
  return new Promise((resolve) => {
    running.provider.onUpgrade((_, socket) => {
      socket.once('end', () => socket.end()).resume()
      resolve()
      return 'handled'
    })
  })
}

async function updateEventId({ provider }: OpenSession): Promise<unknown> {
  const [update] = provider.inbox.all
  return (JSON.parse(update?.data.toString() ?? '{}') as { event_id: unknown }).event_id
}

type End = readonly [
  what: string,
  reason: Parameters<typeof expectEnd>[2],
  detail: Detail,
  cause: (session: OpenSession) => unknown,
]

const ends: readonly End[] = [
  [
    'the client sends a message that is too large',
    'message_too_big',
    'The message exceeds the maximum size.',
    ({ client }) => client.send('x'.repeat(65_537)),
  ],
  [
    'it reaches its maximum duration',
    'max_duration',
    'The session reached its maximum duration of 50 seconds.',
    async (session) => {
      timers.advance(25_000)
      await say(session)
      timers.advance(25_000)
    },
  ],
  ['nothing happens', 'idle_timeout', 'The session was idle for 30 seconds.', () => timers.advance(31_000)],
  [
    'the provider rejects the configuration',
    'provider_unavailable',
    'The provider rejected the configuration of the session: No such voice.',
    async (session) =>
      session.provider.send({
        type: 'error',
        error: { message: 'No such voice.', event_id: await updateEventId(session) },
      }),
  ],
  [
    'the provider closes with a code',
    'provider_closed',
    'The provider closed the connection (1000: bye).',
    ({ provider }) => provider.socket.close(1000, 'bye'),
  ],
  [
    'the provider closes without a code',
    'provider_closed',
    'The provider closed the connection (1005).',
    ({ provider }) => provider.socket.close(),
  ],
  [
    "the provider's connection breaks",
    'provider_closed',
    'The provider closed the connection (1006).',
    ({ provider }) => provider.socket.terminate(),
  ],
  [
    'the provider violates the protocol',
    'provider_closed',
    /^The provider closed the connection \(1002: .*RSV.*\)\.$/,
    ({ provider }) => provider.request.socket.write(Buffer.of(0xff, 0xff, 0xff)),
  ],
  [
    'the provider sends a message that is too large',
    'provider_closed',
    'The provider sent a message that exceeds the maximum size.',
    ({ provider }) => provider.send(Buffer.alloc(100_001)),
  ],
  [
    'an operator ends it',
    'terminated',
    'The session was ended by an operator.',
    async ({ ticket }) => {
      const [session] = await sessionsOf(running.client, ticket.conversationId)
      await running.client.call('DELETE', `/api/v1/RealtimeSession/${session?.id}`)
    },
  ],
]

describe('the end of a session', () => {
  test.each(ends)(
    'happens once and states the reason if %s [RT-12] [RT-14]',
    async (_, reason, detail, cause) => {
      const session = await running.openSession()
      await cause(session)
      await expectEnd(running, session, reason, detail)
      await session.provider.inbox.closed
    },
  )

  test('happens once and states the reason if the provider rejects the handshake [RT-12] [RT-14]', async () => {
    running.provider.onUpgrade((_, socket) => {
      socket.end('HTTP/1.1 429 Too Many Requests\r\nContent-Length: 0\r\n\r\n')
      return 'handled'
    })
    const ticket = await running.createTicket()
    const client = await running.connect(ticket.webSocketPath)
    await expectEnd(running, { ticket, client }, 'provider_unavailable', /HTTP 429/)
  })

  test('happens once and states the reason if the provider does not answer in time [RT-12] [RT-14]', async () => {
    const reached = neverAnswer()
    const ticket = await running.createTicket()
    const client = await running.connect(ticket.webSocketPath)
    await reached
    timers.advance(14_000)
    expect(client.inbox.all).toEqual([])
    timers.advance(1000)
    const detail = 'The provider did not respond within 15 seconds.'
    await expectEnd(running, { ticket, client }, 'provider_unavailable', detail)
  })

  test('happens once and states the reason if too much waits for the database, which receives all of it in the end [RT-12] [RT-14]', async () => {
    const session = await running.openSession()
    const { conversationId } = session.ticket
    await withPostgresClient(postgres.url, async (holder) => {
      await holder.query('begin')
      await holder.query('select from conversation where id = $1 for update', [conversationId])
      for (let turn = 1; turn <= 10; turn += 1)
        session.provider.send(transcribed(`item_${turn}`, `${turn}${'x'.repeat(60_000)}`))
      expect(await session.client.inbox.closed).toEqual({ code: 1011, reason: 'internal' })
      expect((await sessionsOf(running.client, conversationId))[0]?.endedAt).toBeNull()
      await holder.query('rollback')
    })
    await expectEnd(
      running,
      session,
      'internal',
      'The database does not respond, and too many writes are queued.',
    )
    const stored = await messagesOf(running.client, conversationId)
    expect(stored.map(({ content }) => content[0])).toEqual([...'123456789'].slice(0, stored.length))
    expect(stored.length).toBeGreaterThan(7)
  })
})

type SilentEnd = readonly [
  what: string,
  reason: 'client_left' | 'client_lost',
  cause: (session: OpenSession) => void,
]

const silentEnds: readonly SilentEnd[] = [
  ['closes', 'client_left', ({ client }) => client.socket.close(1000)],
  ['closes without a code', 'client_left', ({ client }) => client.socket.close()],
  ['closes because its page is left', 'client_left', ({ client }) => client.socket.close(1001)],
  ['closes with a code of its own', 'client_left', ({ client }) => client.socket.close(4321, 'enough')],
  ['loses its connection', 'client_lost', ({ client }) => client.socket.terminate()],
]

describe('a client that leaves', () => {
  test.each(silentEnds)(
    'receives no error, and its reason is stored, if it %s [RT-12]',
    async (_, reason, cause) => {
      const session = await running.openSession()
      cause(session)
      await expectSilentEnd(running, session, reason)
      expect(await session.provider.inbox.closed).toMatchObject({ code: 1000 })
    },
  )

  test('receives no error, and its reason is stored, if it leaves before the provider has answered [RT-12]', async () => {
    const reached = neverAnswer()
    const ticket = await running.createTicket()
    const client = await running.connect(ticket.webSocketPath)
    await reached
    client.socket.close(1000)
    expect((await endedSession(running.client, ticket.conversationId)).endReason).toBe('client_left')
  })
})

test('a session ends at the exact millisecond of its maximum duration [RT-35]', async () => {
  const session = await running.openSession()
  for (const milliseconds of [20_400, 20_400, 9199]) {
    timers.advance(milliseconds)
    await say(session)
    expect(session.client.socket.readyState).toBe(session.client.socket.OPEN)
  }
  timers.advance(1)
  await expectEnd(running, session, 'max_duration', /50 seconds/)
})

describe('several end reasons at the same time', () => {
  test('several end reasons at the same time count as one, and the client receives one error [RT-12]', async () => {
    const session = await running.openSession()
    session.provider.socket.close(1000)
    session.client.send('x'.repeat(65_537))
    timers.advance((maxSessionSeconds + 1) * 1000)
    const { code } = await session.client.inbox.closed
    expect(code).toBe(4001)
    await expectEnd(running, session, 'idle_timeout', /30 seconds/)
    expect(new Set(endLines(running).map(({ sessionId }) => sessionId)).size).toBe(endLines(running).length)
  })
})
