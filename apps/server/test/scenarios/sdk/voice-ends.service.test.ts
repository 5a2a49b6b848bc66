import { connect, type TicketRequest, VoiceError } from '@parley/sdk/realtime'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { WebSocketServer } from 'ws'
import { closeAfterwards } from '../../support/close-afterwards.js'
import { type RealtimeTestService, startRealtimeService } from '../../support/realtime/realtime-service.js'
import { patiently, sessionsOf, transcribed } from '../../support/realtime/spoken-turns.js'
import { acceptSession, openVoice, type ScriptedVoice } from '../../support/sdk/scripted-voice.js'
import { withPostgresClient } from '../../support/services/postgres-connection.js'
import type { PostgresDatabase } from '../../support/services/postgres-database.js'
import { migratedDatabase, startService } from '../../support/start-service.js'
import { makeTestClock, type TestClock } from '../../support/test-clock.js'
import { makeTestTimers, type TestTimers } from '../../support/test-timers.js'

let running: RealtimeTestService
let clock: TestClock
let timers: TestTimers

beforeAll(async () => {
  clock = makeTestClock()
  timers = makeTestTimers()
  const env = { PARLEY_REALTIME_MAX_SESSION_SECONDS: '50', PARLEY_REALTIME_IDLE_TIMEOUT_SECONDS: '30' }
  running = await startRealtimeService({ clock, timers, env })
})

afterAll(() => running.close())

type End = readonly [
  reason: string,
  closeCode: number,
  message: RegExp,
  canResume: boolean,
  cause: (session: ScriptedVoice) => unknown,
]

const ends: readonly End[] = [
  ['client_left', 1000, /^Session ended\.$/, true, ({ voice }) => voice.close()],
  [
    'message_too_big',
    1009,
    /exceeds the maximum size/,
    true,
    ({ voice }) => voice.send({ type: 'x'.repeat(70_000) }),
  ],
  [
    'max_duration',
    4000,
    /maximum duration of 50 seconds/,
    true,
    async ({ voice, provider }) => {
      timers.advance(25_000)
      voice.send({ type: 'input_audio_buffer.commit' })
      await provider.inbox.takeType('input_audio_buffer.commit')
      timers.advance(25_000)
    },
  ],
  ['idle_timeout', 4001, /The session was idle for 30 seconds/, true, () => timers.advance(31_000)],
  [
    'provider_closed',
    4003,
    /closed the connection \(1000: bye\)/,
    true,
    ({ provider }) => provider.socket.close(1000, 'bye'),
  ],
  [
    'terminated',
    4005,
    /./,
    false,
    async ({ voice }) => {
      const [session] = await sessionsOf(running.client, voice.getState().conversationId ?? '')
      await running.client.call('DELETE', `/api/v1/RealtimeSession/${session?.id}`)
    },
  ],
]

describe('the end of a voice session', () => {
  test.each(ends)(
    'has the reason %s with a message for code %d [SDK-25]',
    async (reason, closeCode, message, canResume, cause) => {
      const session = await openVoice(running, { maxReconnects: 0, maxMessageBytes: 1_000_000 })
      await cause(session)
      const end = await session.voice.ended
      expect(end).toEqual({
        reason,
        closeCode,
        message: expect.stringMatching(message),
        canResume,
        errorCode: null,
      })
      expect(session.voice.getState()).toMatchObject({ phase: 'ended', end })
    },
  )

  test('has the reason connection_lost if the code is unknown [SDK-25]', async () => {
    const server = new WebSocketServer({ port: 0, host: '127.0.0.1' })
    closeAfterwards(() => server.close())
    server.on('connection', (socket) => socket.close(4999))
    await new Promise((resolve) => server.once('listening', resolve))
    const address = server.address()
    const port = typeof address === 'object' ? address?.port : 0
    const failure = connect({ ticket: `ws://127.0.0.1:${port}/?sessionId=x` })
    await expect(failure).rejects.toBeInstanceOf(VoiceError)
    await expect(failure).rejects.toMatchObject({
      end: {
        reason: 'connection_lost',
        closeCode: 4999,
        canResume: true,
        message: expect.stringMatching(/\.$/),
      },
    })
  })

  test('names an expired token [SDK-25]', async () => {
    const { webSocketPath } = await running.createTicket()
    clock.advance(61_000)
    const failure = connect({ url: running.url, ticket: webSocketPath })
    await expect(failure).rejects.toMatchObject({
      message: expect.stringContaining('expired'),
      end: { reason: 'refused', errorCode: 'RealtimeSessionExpired', closeCode: null },
    })
  })

  test('names a backend without a ticket, and a service that cannot be reached [SDK-25]', async () => {
    const ticket = () => Promise.reject(new Error('Sign in first.'))
    await expect(connect({ ticket, url: running.url })).rejects.toMatchObject({
      end: { reason: 'ticket_failed', message: expect.stringContaining('Sign in first.') },
    })
    await expect(connect({ ticket: 'http://127.0.0.1:9/x?sessionId=1' })).rejects.toMatchObject({
      end: { reason: 'refused', message: expect.stringContaining('Cannot reach http://127.0.0.1:9') },
    })
  })
})

describe('an end that the service causes', () => {
  const drainSeconds = 20
  let postgres: PostgresDatabase
  let service: RealtimeTestService

  beforeAll(async () => {
    postgres = await migratedDatabase()
    const env = { DATABASE_URL: postgres.url, PARLEY_DRAIN_SECONDS: String(drainSeconds) }
    service = await startRealtimeService({ timers, env })
  })

  afterAll(async () => {
    await service.close()
    await postgres.drop()
  })

  const open = () => openVoice(service, { maxReconnects: 0 })

  /** Waits until the number of bytes read from clients no longer changes. */
  async function settledBytes(): Promise<void> {
    let last = ''
    let sameCount = 0
    const poll = async () => {
      const metrics = await (await fetch(`${service.url}/metrics`)).text()
      const [now = ''] = /^parley_realtime_bytes_total\{from="client"\} \d+/m.exec(metrics) ?? []
      sameCount = now === last ? sameCount + 1 : 0
      last = now
      return sameCount
    }
    await expect.poll(poll, patiently).toBeGreaterThan(5)
  }

  test('is internal (1011) if too much waits for the database [SDK-25]', async () => {
    const { voice, provider } = await open()
    await withPostgresClient(postgres.url, async (holder) => {
      await holder.query('begin')
      await holder.query('select from conversation where id = $1 for update', [
        voice.getState().conversationId,
      ])
      for (let part = 0; part < 10; part += 1) provider.send(transcribed(`item_${part}`, 'x'.repeat(60_000)))
      expect(await voice.ended).toMatchObject({
        reason: 'internal',
        closeCode: 1011,
        canResume: true,
        message: expect.stringContaining('database'),
      })
      await holder.query('rollback')
    })
  })

  test('is provider_unavailable (4002) if the provider rejects the handshake [SDK-25]', async () => {
    service.provider.onUpgrade((_, socket) => {
      socket.end('HTTP/1.1 429 Too Many Requests\r\nContent-Length: 0\r\n\r\n')
      return 'handled'
    })
    const ticket = () => service.createTicket()
    await expect(connect({ url: service.url, ticket })).rejects.toMatchObject({
      end: {
        reason: 'provider_unavailable',
        closeCode: 4002,
        canResume: true,
        message: expect.stringContaining('HTTP 429'),
      },
    })
    service.provider.onUpgrade(() => 'accept')
  })

  test('is slow_consumer (4004) if the provider does not read [SDK-25]', async () => {
    const { voice, provider } = await open()
    provider.socket.pause()
    const audio = 'A'.repeat(60_000)
    for (let sent = 0; sent < 400; sent += 1) voice.send({ type: 'input_audio_buffer.append', audio })
    await settledBytes()
    timers.advance(31_000)
    expect(await voice.ended).toMatchObject({
      reason: 'slow_consumer',
      closeCode: 4004,
      canResume: true,
      message: expect.stringContaining('provider'),
    })
    provider.socket.terminate()
  })

  test('a moved session continues on another instance, with a ticket from before its end [RT-57]', async () => {
    const shared = await migratedDatabase()
    closeAfterwards(() => shared.drop())
    const env = { DATABASE_URL: shared.url, PARLEY_DRAIN_SECONDS: String(drainSeconds) }
    const moving = await startRealtimeService({ timers, env })
    closeAfterwards(() => moving.close())
    const other = await startService({ env: { ...env, PARLEY_ALLOWED_PRIVATE_HOSTS: '127.0.0.1' } })
    closeAfterwards(() => other.close())
    const { organizationId, apiKey, agentId, createTicket } = moving
    const phases: (string | number)[] = []
    const ticket = async ({ attempt, conversationId }: TicketRequest) => {
      phases.push(attempt)
      if (attempt === 0) return createTicket()
      const answer = await fetch(`${other.url}/api/v1/Agent/${agentId}/realtime-session`, {
        method: 'POST',
        headers: { 'X-Org-Id': organizationId, 'X-Api-Key': apiKey, 'Content-Type': 'application/json' },
        body: JSON.stringify({ conversationId }),
      })
      const { webSocketPath } = (await answer.json()) as { webSocketPath: string }
      return `${other.url}${webSocketPath}`
    }
    const connecting = connect({ url: moving.url, ticket })
    const first = await acceptSession(moving)
    const voice = await connecting
    closeAfterwards(() => voice.close())
    const { conversationId } = voice.getState()
    voice.subscribe(() => {
      const { phase } = voice.getState()
      if (phases.at(-1) !== phase) phases.push(phase)
    })
    timers.advance(2000)
    const closing = moving.service.close()
    await expect.poll(() => phases.filter((phase) => phase === 1), patiently).toEqual([1])
    expect(voice.getState().phase).toBe('listening')
    // The user begins to speak at the last moment.
    voice.sendAudio(new Int16Array(2400).fill(7))
    const { audio } = await first.inbox.takeType('input_audio_buffer.append')
    timers.advance(1000)
    const next = await acceptSession(moving)
    expect(await next.inbox.takeType('input_audio_buffer.append')).toMatchObject({ audio })
    await expect.poll(() => voice.getState(), patiently).toMatchObject({ phase: 'listening', conversationId })
    expect(phases).toEqual([0, 1, 'reconnecting', 'listening'])
    await closing
  })

  test('is draining (1012) if the service shuts down [SDK-25]', async () => {
    const { voice } = await open()
    const closing = service.service.close()
    timers.advance(drainSeconds * 1000)
    expect(await voice.ended).toMatchObject({
      reason: 'draining',
      closeCode: 1012,
      canResume: true,
      message: expect.stringContaining('shutting down'),
    })
    await closing
  })
})
