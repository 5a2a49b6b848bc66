import { setImmediate } from 'node:timers/promises'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import type { ClientOptions, WebSocket } from 'ws'
import {
  type OpenSession,
  type RealtimeTestService,
  startRealtimeService,
} from '../../support/realtime/realtime-service.js'
import { endLines, expectEnd, expectSilentEnd } from '../../support/realtime/session-ends.js'
import {
  endedSession,
  patiently,
  responseCreated,
  responseDone,
  sessionsOf,
} from '../../support/realtime/spoken-turns.js'
import { makeTestTimers, type TestTimers } from '../../support/test-timers.js'

const maxMessageBytes = 65_536
const providerMaxMessageBytes = 2 * 1024 * 1024
const idleSeconds = 30

let running: RealtimeTestService
let timers: TestTimers
let open: OpenSession[] = []

beforeAll(async () => {
  timers = makeTestTimers()
  running = await startRealtimeService({
    timers,
    env: {
      PARLEY_REALTIME_IDLE_TIMEOUT_SECONDS: String(idleSeconds),
      PARLEY_REALTIME_PROVIDER_MAX_MESSAGE_BYTES: String(providerMaxMessageBytes),
    },
  })
})

afterEach(async () => {
  for (const { client } of open) client.socket.terminate()
  for (const { ticket } of open) await endedSession(running.client, ticket.conversationId)
  open = []
})

afterAll(() => running.close())

async function openSession(options: ClientOptions = {}): Promise<OpenSession> {
  const ticket = await running.createTicket({
    clientTools: [{ name: 'show_map', description: 'Shows a map.' }],
  })
  const client = await running.connect(ticket.webSocketPath, [], options)
  const provider = await running.provider.accept()
  await provider.inbox.takeType('session.update')
  const session = { ticket, client, provider }
  open.push(session)
  return session
}

/** Sends an event of the provider and waits until it has gone by. */
async function tell({ client, provider }: OpenSession, event: object & { readonly type: string }) {
  provider.send(event)
  await client.inbox.takeType(event.type)
}

async function ask({ client, provider }: OpenSession, event: object & { readonly type: string }) {
  client.send(event)
  await provider.inbox.takeType(event.type)
}

/** Lets seconds pass one by one, so that pings are answered on the way; answers after how many a session ended. */
async function pass(seconds: number): Promise<number | null> {
  const endsBefore = endLines(running).length
  for (let second = 1; second <= seconds; second += 1) {
    timers.advance(1000)
    if (endLines(running).length > endsBefore) return second
    if (second % 10 === 0) await fetch(`${running.url}/healthz`)
  }
  return null
}

const text = (bytes: number) => {
  const [before, after] = ['{"type":"x","x":"', '"}']
  return `${before}${'é'.repeat(2).padEnd(bytes - before.length - after.length - 2, 'x')}${after}`
}

/** The same in pieces, as a client may send it. */
function sendInPieces(socket: WebSocket, data: Buffer): void {
  const size = 10_000
  for (let at = 0; at < data.length; at += size)
    socket.send(data.subarray(at, at + size), { binary: true, fin: at + size >= data.length })
}

describe('a frame of the client [RT-13]', () => {
  test.each([
    ['text', (bytes: number) => text(bytes)],
    ['binary', (bytes: number) => Buffer.alloc(bytes, 1)],
  ])('of 65536 bytes passes: %s', async (_, frame) => {
    const { client, provider } = await openSession()
    client.send(frame(maxMessageBytes))
    const { data } = await provider.inbox.take()
    expect(data.equals(Buffer.from(frame(maxMessageBytes)))).toBe(true)
    expect(data.length).toBe(maxMessageBytes)
  })

  test.each<[string, ({ client }: OpenSession) => void]>([
    ['text of 65537 bytes', ({ client }) => client.send(text(maxMessageBytes + 1))],
    ['binary of 65537 bytes', ({ client }) => client.send(Buffer.alloc(maxMessageBytes + 1))],
    ['65537 bytes in pieces', ({ client }) => sendInPieces(client.socket, Buffer.alloc(maxMessageBytes + 1))],
    ['a megabyte', ({ client }) => client.send(Buffer.alloc(1_000_000))],
    ['a frame that only says it is so large', ({ client }) => writeRaw(client.socket)],
  ])('ends the session: %s', async (_, send) => {
    const session = await openSession()
    send(session)
    await expectEnd(running, session, 'message_too_big', 'The message is larger than this service allows.')
    expect(session.provider.inbox.all).toHaveLength(1)
  })
})

/** The head of a frame of 2^40 bytes, masked, and nothing behind it. */
function writeRaw(socket: WebSocket): void {
  const head = Buffer.from([0x82, 0xff, 0, 0, 1, 0, 0, 0, 0, 0, 1, 2, 3, 4])
  const { _socket: raw } = socket as unknown as { readonly _socket: NodeJS.WritableStream }
  raw.write(head)
}

describe('a frame of the provider [RT-13]', () => {
  test.each([maxMessageBytes + 1, 1_000_000, providerMaxMessageBytes])(
    'of %i bytes passes',
    async (bytes) => {
      const { client, provider } = await openSession()
      provider.send(text(bytes))
      const { data } = await client.inbox.take()
      expect(data.equals(Buffer.from(text(bytes)))).toBe(true)
    },
  )

  test('above its own limit ends the session', async () => {
    const session = await openSession()
    session.provider.send(text(providerMaxMessageBytes + 1))
    const detail = 'The provider sent a message that is larger than this service allows.'
    await expectEnd(running, session, 'provider_closed', detail)
  })
})

const call = (fields: object = {}) => ({
  type: 'response.output_item.done',
  item: { type: 'function_call', call_id: 'call_1', name: 'show_map', ...fields },
})
const output = {
  type: 'conversation.item.create',
  item: { type: 'function_call_output', call_id: 'call_1', output: 'shown' },
}

describe('a session is idle [RT-15]', () => {
  test('after 30 seconds without a frame, and is told so', async () => {
    const session = await openSession()
    expect(await pass(idleSeconds - 2)).toBeNull()
    expect(await pass(4)).not.toBeNull()
    await expectEnd(running, session, 'idle_timeout', 'The session was idle for 30 seconds.')
  })

  test.each<[string, (session: OpenSession) => Promise<unknown>]>([
    ['of the client', (session) => ask(session, { type: 'response.cancel' })],
    ['of the provider', (session) => tell(session, { type: 'rate_limits.updated' })],
    [
      'of audio',
      async ({ client, provider }) => {
        client.send({ type: 'input_audio_buffer.append', audio: 'AAAA' })
        await provider.inbox.take()
      },
    ],
    [
      'of the client, binary',
      async ({ client, provider }) => {
        client.send(Buffer.of(1))
        await provider.inbox.take()
      },
    ],
    [
      'that is refused',
      async ({ client }) => {
        client.send({ type: 'session.update' })
        await client.inbox.takeType('error')
      },
    ],
  ])('counted from the last frame: %s', async (_, frame) => {
    const session = await openSession()
    for (let round = 0; round < 3; round += 1) {
      expect(await pass(idleSeconds - 2)).toBeNull()
      await frame(session)
    }
    expect(await pass(idleSeconds + 1)).toBe(idleSeconds)
    await session.client.inbox.closed
  })

  test('whatever pings go by', async () => {
    const { client, provider } = await openSession()
    expect(await pass(idleSeconds - 5)).toBeNull()
    for (const { socket } of [client, provider]) {
      const answered = new Promise((resolve) => void socket.once('pong', resolve))
      socket.ping()
      await answered
    }
    expect(await pass(7)).not.toBeNull()
    expect(await client.inbox.closed).toMatchObject({ code: 4001 })
  })

  test('not while a response is under way, but from its end on', async () => {
    const session = await openSession()
    await tell(session, responseCreated('r1'))
    await tell(session, responseCreated('r2'))
    expect(await pass(idleSeconds * 3)).toBeNull()
    await tell(session, responseDone('r1'))
    expect(await pass(idleSeconds * 2)).toBeNull()
    await tell(session, responseDone('r2'))
    expect(await pass(idleSeconds + 1)).toBe(idleSeconds)
  })

  test('not while the client has a call to answer, but from its answer on', async () => {
    const session = await openSession()
    // An answer to a call that was not made yet answers nothing.
    session.client.send(output)
    await session.client.inbox.takeType('error')
    await tell(session, call())
    expect(await pass(idleSeconds * 3)).toBeNull()
    await ask(session, output)
    await tell(session, call())
    await tell(session, responseDone('r1', { output: [call().item] }))
    expect(await pass(idleSeconds + 1)).toBe(idleSeconds)
  })

  test('even if a call was cut off, or is none of the client', async () => {
    const session = await openSession()
    await tell(session, { ...call(), type: 'response.output_item.added' })
    await tell(session, call({ status: 'incomplete' }))
    await tell(session, call({ call_id: 'call_2', name: 'find_booking' }))
    // The service has answered it: nothing runs any more.
    await session.provider.inbox.takeType('conversation.item.create')
    expect(await pass(idleSeconds + 1)).toBe(idleSeconds)
  })
})

describe('a session that is idle ends at that very moment [RT-35]', () => {
  /** Lets time pass to a millisecond before the session is idle, then to the moment it is. */
  async function expectEndAfter(milliseconds: number): Promise<void> {
    const ends = endLines(running).length
    timers.advance(milliseconds - 1)
    expect(endLines(running)).toHaveLength(ends)
    timers.advance(1)
    expect(endLines(running)).toHaveLength(ends + 1)
  }

  test.each([1, 333, 999])('whenever its last frame came: %i ms after another', async (milliseconds) => {
    const session = await openSession()
    timers.advance(milliseconds)
    await tell(session, { type: 'rate_limits.updated' })
    await expectEndAfter(idleSeconds * 1000)
  })

  test('whenever the output of its last tool left', async () => {
    const session = await openSession()
    await tell(session, responseCreated('r1'))
    await tell(session, call({ call_id: 'call_2', name: 'find_booking', arguments: '{' }))
    await session.provider.inbox.takeType('conversation.item.create')
    timers.advance(12_345)
    await tell(session, responseDone('r1'))
    await expectEndAfter(idleSeconds * 1000)
  })

  test('and costs one timer, however many frames go by', async () => {
    const before = timers.waiting
    const { client, provider } = await openSession()
    for (let frame = 1; frame <= 100; frame += 1) {
      client.send({ type: 'input_audio_buffer.append', audio: 'AAAA' })
      await provider.inbox.take()
      timers.advance(10)
    }
    expect(timers.waiting).toBe(before + 1)
  })
})

describe('pings [RT-11]', () => {
  /** A response that never ends keeps the session from being idle. */
  async function openBusySession(options?: ClientOptions): Promise<OpenSession> {
    const session = await openSession(options)
    await tell(session, responseCreated('r1'))
    return session
  }

  test('that both sides answer keep the session', async () => {
    const session = await openBusySession()
    expect(await pass(300)).toBeNull()
    expect(await sessionsOf(running.client, session.ticket.conversationId)).toMatchObject([{ endedAt: null }])
  })

  test('that the client leaves without an answer twice end it as client_lost', async () => {
    const session = await openBusySession({ autoPong: false })
    let pings = 0
    session.client.socket.on('ping', () => {
      pings += 1
    })
    expect(await pass(59)).toBeNull()
    expect(await pass(2)).not.toBeNull()
    await expectSilentEnd(running, session, 'client_lost')
    expect(await session.client.inbox.closed).toEqual({ code: 1011, reason: 'client_lost' })
    expect(pings).toBe(2)
  })

  test('one missed answer is made good by the next', async () => {
    const session = await openBusySession({ autoPong: false })
    session.client.socket.on(
      'ping',
      () => void (timers.monotonic() % 40_000 < 20_000 && session.client.socket.pong()),
    )
    expect(await pass(300)).toBeNull()
  })

  test('that the provider leaves without an answer twice end it as provider_closed', async () => {
    const session = await openBusySession()
    session.provider.socket.pause()
    expect(await pass(59)).toBeNull()
    expect(await pass(2)).not.toBeNull()
    await expectEnd(running, session, 'provider_closed', 'The provider does not answer.')
  })

  test('are not missed by a client that is not read', async () => {
    const { client, provider } = await openBusySession({ autoPong: false })
    expect(await pass(45)).toBeNull()
    provider.socket.pause()
    const before = provider.inbox.all.length
    const frame = JSON.stringify({ type: 'input_audio_buffer.append', audio: 'A'.repeat(60_000) })
    const count = 500
    for (let sent = 0; sent < count; sent += 1) client.send(frame)
    client.socket.pong()
    client.socket.on('ping', () => client.socket.pong())
    await expect.poll(() => timers.waiting, patiently).toBe(2)
    expect(await pass(25)).toBeNull()
    provider.socket.resume()
    // Read on from here: the answers are still behind the audio when the next look is taken.
    while (timers.waiting > 1) await setImmediate()
    expect(await pass(1)).toBeNull()
    await expect.poll(() => provider.inbox.all.length - before, patiently).toBe(count)
    expect(await pass(60)).toBeNull()
  })
})
