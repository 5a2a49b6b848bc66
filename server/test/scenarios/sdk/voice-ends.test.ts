import { connect, VoiceError } from '@parley/sdk/realtime'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { WebSocketServer } from 'ws'
import { closeAfterwards } from '../../support/close-afterwards.js'
import { type RealtimeTestService, startRealtimeService } from '../../support/realtime/realtime-service.js'
import { sessionsOf } from '../../support/realtime/spoken-turns.js'
import { openVoice, type ScriptedVoice } from '../../support/sdk/scripted-voice.js'
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
  ['client_left', 1000, /^You left\.$/, true, ({ voice }) => voice.close()],
  [
    'message_too_big',
    1009,
    /larger than this service takes/,
    true,
    ({ voice }) => voice.send({ type: 'x'.repeat(70_000) }),
  ],
  [
    'max_duration',
    4000,
    /lasted 50 seconds/,
    true,
    async ({ voice, provider }) => {
      timers.advance(25_000)
      voice.send({ type: 'input_audio_buffer.commit' })
      await provider.inbox.takeType('input_audio_buffer.commit')
      timers.advance(25_000)
    },
  ],
  ['idle_timeout', 4001, /Nothing has happened for 30 seconds/, true, () => timers.advance(31_000)],
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

describe('[SDK-25] every end has its reason in words', () => {
  test.each(ends)('%s (%d)', async (reason, closeCode, message, canResume, cause) => {
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
  })

  const others = [
    ['internal', 1011, true],
    ['draining', 1012, true],
    ['provider_unavailable', 4002, true],
    ['slow_consumer', 4004, true],
    ['connection_lost', 4999, true],
  ] as const

  test.each(others)('%s (%d), by its code alone', async (reason, closeCode, canResume) => {
    const server = new WebSocketServer({ port: 0, host: '127.0.0.1' })
    closeAfterwards(() => server.close())
    server.on('connection', (socket) => socket.close(closeCode))
    await new Promise((resolve) => server.once('listening', resolve))
    const address = server.address()
    const port = typeof address === 'object' ? address?.port : 0
    const failure = await connect({ ticket: `ws://127.0.0.1:${port}/?sessionId=x` }).catch(
      (error: unknown) => error,
    )
    expect(failure).toBeInstanceOf(VoiceError)
    expect(failure).toMatchObject({
      end: { reason, closeCode, canResume, message: expect.stringMatching(/\.$/) },
    })
  })

  test('a token that expired says so', async () => {
    const { webSocketPath } = await running.createTicket()
    clock.advance(61_000)
    const failure = connect({ url: running.url, ticket: webSocketPath })
    await expect(failure).rejects.toMatchObject({
      message: expect.stringContaining('expired'),
      end: { reason: 'refused', errorCode: 'RealtimeSessionExpired', closeCode: null },
    })
  })

  test('a backend that gives no ticket, and a service that is not there', async () => {
    const ticket = () => Promise.reject(new Error('Sign in first.'))
    await expect(connect({ ticket, url: running.url })).rejects.toMatchObject({
      end: { reason: 'ticket_failed', message: 'No session could be had: Sign in first.' },
    })
    await expect(connect({ ticket: 'http://127.0.0.1:9/x?sessionId=1' })).rejects.toMatchObject({
      end: { reason: 'refused', message: expect.stringContaining('Nothing answers at http://127.0.0.1:9') },
    })
  })
})
