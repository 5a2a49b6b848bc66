import type { Agent } from '@parley/contract'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import {
  confirmNext,
  die,
  type MovingSessions,
  startMovingSessions,
} from '../../support/realtime/moving-sessions.js'
import { type RealtimeTestService, startRealtimeService } from '../../support/realtime/realtime-service.js'
import { type ScriptedProvider, startScriptedProvider } from '../../support/realtime/scripted-provider.js'
import { expectEnd } from '../../support/realtime/session-ends.js'
import {
  committed,
  endedSession,
  messagesOf,
  patiently,
  responseCreated,
  spoke,
  transcribed,
} from '../../support/realtime/spoken-turns.js'
import { withPostgresClient } from '../../support/services/postgres-connection.js'
import { makeTestTimers, type TestTimers } from '../../support/test-timers.js'

let moving: MovingSessions
let service: RealtimeTestService
let timers: TestTimers
let fallback: ScriptedProvider

beforeAll(async () => {
  moving = await startMovingSessions()
  ;({ service, timers, fallback } = moving)
})

afterAll(() => moving.close())

beforeEach(() => moving.renew())

const refuse = (provider: ScriptedProvider, status: number) =>
  provider.onUpgrade((_, socket) => {
    socket.end(`HTTP/1.1 ${status} No\r\nContent-Length: 0\r\n\r\n`)
    return 'handled'
  })

/** The newest frames of a client, without those that the test has read. */
const typesOf = ({ inbox }: { readonly inbox: { readonly types: unknown[] } }) => inbox.types

describe('the next provider', () => {
  test('is the same model again if it was open for ten seconds [RT-62]', async () => {
    const { client, provider } = await moving.open()
    timers.advance(10_000)
    die(provider)
    await confirmNext(service.provider)
    expect(await client.inbox.takeType('session.provider_changed')).toEqual({
      type: 'session.provider_changed',
      data: { reason: 'closed', providerModelName: 'model-Own', isContextRestored: true },
    })
    client.socket.close(1000)
  })

  test('is the fallback if the same model does not answer again [RT-62]', async () => {
    const session = await moving.open()
    timers.advance(10_000)
    refuse(service.provider, 503)
    await moving.move(session)
    session.client.socket.close(1000)
  })

  test('is the first model again if the fallback cannot be reached [RT-62]', async () => {
    const { client, provider } = await moving.open()
    refuse(fallback, 503)
    die(provider)
    await confirmNext(service.provider)
    await client.inbox.takeType('session.provider_changed')
    client.socket.close(1000)
  })

  test('may be lost during the move, before and after it has confirmed the session [RT-60]', async () => {
    const { client, provider } = await moving.open()
    die(provider)
    const next = await fallback.accept()
    await next.inbox.takeType('session.update')
    die(next)
    const again = await confirmNext(service.provider)
    die(again)
    await confirmNext(fallback)
    for (const providerModelName of ['model-Own', 'model-Fallback'])
      expect(await client.inbox.takeType('session.provider_changed')).toMatchObject({
        data: { providerModelName },
      })
    client.socket.close(1000)
  })

  test('replaces a session that has expired, without the error for the client [RT-60]', async () => {
    const session = await moving.open()
    const error = { type: 'invalid_request_error', code: 'session_expired', message: 'Too long.' }
    session.provider.send({ type: 'error', error })
    await moving.move(session, 'expired')
    expect(typesOf(session.client)).not.toContain('error')
    session.client.socket.close(1000)
  })

  test('replaces one that owes a response and sends nothing for over ten seconds [RT-60]', async () => {
    const { client, provider } = await moving.open()
    client.send({ type: 'response.create' })
    await provider.inbox.takeType('response.create')
    timers.advance(15_000)
    await confirmNext(fallback)
    expect(await client.inbox.takeType('session.provider_changed')).toMatchObject({
      data: { reason: 'unavailable' },
    })
    await provider.inbox.closed
    client.socket.close(1000)
  })

  test('gets the conversation before the session if the history cannot be read in time [RT-60]', async () => {
    const { client, provider } = await moving.open()
    await withPostgresClient(moving.postgres.url, async (locking) => {
      await locking.query('begin')
      await locking.query('lock table message in access exclusive mode')
      die(provider)
      await expect.poll(() => timers.firesIn(8000), patiently).toBe(true)
      timers.advance(8000)
      await confirmNext(fallback)
      expect(await client.inbox.takeType('session.provider_changed')).toMatchObject({
        data: { isContextRestored: false },
      })
      await locking.query('rollback')
    })
    client.socket.close(1000)
  })
})

describe('a session ends', () => {
  test('with provider_closed if no model answers [RT-62]', async () => {
    const session = await moving.open()
    for (const provider of [service.provider, fallback]) refuse(provider, 503)
    die(session.provider)
    await expectEnd(service, session, 'provider_closed', /1011: overloaded.*HTTP 503/)
  })

  test('with provider_closed if no model answers within 15 seconds [RT-62]', async () => {
    const session = await moving.open()
    for (const provider of [service.provider, fallback]) provider.onUpgrade(() => 'handled')
    die(session.provider)
    await expect.poll(() => timers.firesIn(4000), patiently).toBe(true)
    timers.advance(4000)
    await expect.poll(() => timers.firesIn(4000), patiently).toBe(true)
    timers.advance(4000)
    await expectEnd(service, session, 'provider_closed', /1011: overloaded/)
  })

  test('with provider_closed after five moves within a minute [RT-62]', async () => {
    const session = await moving.open()
    let { provider } = session
    for (const next of [fallback, service.provider, fallback, service.provider, fallback]) {
      die(provider)
      provider = await confirmNext(next)
      await session.client.inbox.takeType('session.provider_changed')
    }
    die(provider)
    await expectEnd(service, session, 'provider_closed', /1011: overloaded/)
  })

  test('if its client leaves during the move, and stores the words so far [RT-60]', async () => {
    const { client, provider, ticket } = await moving.open()
    for (const event of [
      committed('U'),
      transcribed('U', 'Hello'),
      responseCreated('R'),
      spoke('A', 'Good '),
    ])
      provider.send(event)
    await client.inbox.takeType('response.output_audio_transcript.delta')
    die(provider)
    const next = await fallback.accept()
    client.socket.close(1000)
    await next.inbox.closed
    expect(await endedSession(service.client, ticket.conversationId)).toMatchObject({
      endReason: 'client_left',
    })
    expect(await messagesOf(service.client, ticket.conversationId)).toMatchObject([
      { content: 'Hello' },
      { content: 'Good ', interrupted: true },
    ])
  })
})

test('a service that shuts down does not wait longer for a session that moves [RT-60] [RT-28]', async () => {
  const own = makeTestTimers()
  const draining = await startRealtimeService({ timers: own })
  const spare = await startScriptedProvider()
  const make = async (name: string, baseUrl: string) => {
    const body = { name, kind: 'openai-compatible', baseUrl, apiKey: 'k' }
    return (await draining.client.call<{ id: string }>('POST', '/api/v1/Connection', { body })).body.id
  }
  const body = {
    name: 'Robust',
    connectionId: await make('Own', draining.provider.baseUrl),
    realtimeFallbacks: [{ connectionId: await make('Spare', spare.baseUrl) }],
  }
  const { id } = (await draining.client.call<Agent>('POST', '/api/v1/Agent', { body })).body
  const ticket = await draining.createTicket({}, id)
  const client = await draining.connect(ticket.webSocketPath)
  const provider = await confirmNext(draining.provider)
  await client.inbox.takeType('session.updated')
  die(provider)
  await spare.accept()
  const closed = draining.close()
  await client.inbox.takeType('session.moving')
  own.advance(60_000)
  expect(await client.inbox.closed).toEqual({ code: 1012, reason: 'draining' })
  await closed
  await spare.close()
})
