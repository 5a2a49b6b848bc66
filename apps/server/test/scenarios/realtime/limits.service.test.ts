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

/** Sends a provider event and waits until it has been relayed. */
async function tell({ client, provider }: OpenSession, event: object & { readonly type: string }) {
  provider.send(event)
  await client.inbox.takeType(event.type)
}

async function ask({ client, provider }: OpenSession, event: object & { readonly type: string }) {
  client.send(event)
  await provider.inbox.takeType(event.type)
}

/**
 * Advances the clock second by second, so that pings are answered. Returns the second in which a session
 * ended, or null.
 */
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

/** Sends the same bytes in fragments. */
function sendInPieces(socket: WebSocket, data: Buffer): void {
  const size = 10_000
  for (let at = 0; at < data.length; at += size)
    socket.send(data.subarray(at, at + size), { binary: true, fin: at + size >= data.length })
}

describe('a client frame', () => {
  test.each([
    ['text', (bytes: number) => text(bytes)],
    ['binary', (bytes: number) => Buffer.alloc(bytes, 1)],
  ])('passes with 65536 bytes of %s [RT-13]', async (_, frame) => {
    const { client, provider } = await openSession()
    client.send(frame(maxMessageBytes))
    const { data } = await provider.inbox.take()
    expect(data.equals(Buffer.from(frame(maxMessageBytes)))).toBe(true)
    expect(data.length).toBe(maxMessageBytes)
  })

  test.each<[string, ({ client }: OpenSession) => void]>([
    ['text of 65537 bytes', ({ client }) => client.send(text(maxMessageBytes + 1))],
    ['65537 bytes of binary data', ({ client }) => client.send(Buffer.alloc(maxMessageBytes + 1))],
    [
      '65537 bytes in fragments',
      ({ client }) => sendInPieces(client.socket, Buffer.alloc(maxMessageBytes + 1)),
    ],
    ['a megabyte', ({ client }) => client.send(Buffer.alloc(1_000_000))],
    ['a frame header that announces 2^40 bytes', ({ client }) => writeRaw(client.socket)],
  ])('ends the session if it is %s [RT-13]', async (_, send) => {
    const session = await openSession()
    send(session)
    await expectEnd(running, session, 'message_too_big', 'The message exceeds the maximum size.')
    expect(session.provider.inbox.all).toHaveLength(1)
  })
})

/** Writes the masked header of a frame of 2^40 bytes without a payload. */
function writeRaw(socket: WebSocket): void {
  const head = Buffer.from([0x82, 0xff, 0, 0, 1, 0, 0, 0, 0, 0, 1, 2, 3, 4])
  const { _socket: raw } = socket as unknown as { readonly _socket: NodeJS.WritableStream }
  raw.write(head)
}

describe('a provider frame', () => {
  test.each([maxMessageBytes + 1, 1_000_000, providerMaxMessageBytes])(
    'passes with %i bytes [RT-13]',
    async (bytes) => {
      const { client, provider } = await openSession()
      provider.send(text(bytes))
      const { data } = await client.inbox.take()
      expect(data.equals(Buffer.from(text(bytes)))).toBe(true)
    },
  )

  test('ends the session if it exceeds its own limit [RT-13]', async () => {
    const session = await openSession()
    session.provider.send(text(providerMaxMessageBytes + 1))
    const detail = 'The provider sent a message that exceeds the maximum size.'
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

describe('the idle timeout', () => {
  test('ends a session after 30 seconds without a frame and sends an error [RT-15]', async () => {
    const session = await openSession()
    expect(await pass(idleSeconds - 2)).toBeNull()
    expect(await pass(4)).not.toBeNull()
    await expectEnd(running, session, 'idle_timeout', 'The session was idle for 30 seconds.')
  })

  test.each<[string, (session: OpenSession) => Promise<unknown>]>([
    ['a client frame', (session) => ask(session, { type: 'response.cancel' })],
    ['a provider frame', (session) => tell(session, { type: 'rate_limits.updated' })],
    [
      'of audio',
      async ({ client, provider }) => {
        client.send({ type: 'input_audio_buffer.append', audio: 'AAAA' })
        await provider.inbox.take()
      },
    ],
    [
      'a binary client frame',
      async ({ client, provider }) => {
        client.send(Buffer.of(1))
        await provider.inbox.take()
      },
    ],
    [
      'a rejected frame',
      async ({ client }) => {
        client.send({ type: 'session.update' })
        await client.inbox.takeType('error')
      },
    ],
  ])('is counted from the last frame: %s [RT-15]', async (_, frame) => {
    const session = await openSession()
    for (let round = 0; round < 3; round += 1) {
      expect(await pass(idleSeconds - 2)).toBeNull()
      await frame(session)
    }
    expect(await pass(idleSeconds + 1)).toBe(idleSeconds)
    await session.client.inbox.closed
  })

  test('is not extended by pings [RT-15]', async () => {
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

  test('does not run during a response and starts at its end [RT-15]', async () => {
    const session = await openSession()
    await tell(session, responseCreated('r1'))
    await tell(session, responseCreated('r2'))
    expect(await pass(idleSeconds * 3)).toBeNull()
    await tell(session, responseDone('r1'))
    expect(await pass(idleSeconds * 2)).toBeNull()
    await tell(session, responseDone('r2'))
    expect(await pass(idleSeconds + 1)).toBe(idleSeconds)
  })

  test('does not run while the client owes a tool output and starts when it is sent [RT-15]', async () => {
    const session = await openSession()
    // An output for a call that was not made yet has no effect.
    session.client.send(output)
    await session.client.inbox.takeType('error')
    await tell(session, call())
    expect(await pass(idleSeconds * 3)).toBeNull()
    await ask(session, output)
    await tell(session, call())
    await tell(session, responseDone('r1', { output: [call().item] }))
    expect(await pass(idleSeconds + 1)).toBe(idleSeconds)
  })

  test('runs even if a call was cut off or does not belong to the client [RT-15]', async () => {
    const session = await openSession()
    await tell(session, { ...call(), type: 'response.output_item.added' })
    await tell(session, call({ status: 'incomplete' }))
    await tell(session, call({ call_id: 'call_2', name: 'find_booking' }))
    // The service has answered the call, so none is running.
    await session.provider.inbox.takeType('conversation.item.create')
    expect(await pass(idleSeconds + 1)).toBe(idleSeconds)
  })
})

describe('an idle session', () => {
  /** Advances the clock to one millisecond before the timeout, then to the timeout. */
  async function expectEndAfter(milliseconds: number): Promise<void> {
    const ends = endLines(running).length
    timers.advance(milliseconds - 1)
    expect(endLines(running)).toHaveLength(ends)
    timers.advance(1)
    expect(endLines(running)).toHaveLength(ends + 1)
  }

  test.each([1, 333, 999])(
    'ends at the exact millisecond, counted from a last frame that came %i ms after the one before [RT-35]',
    async (milliseconds) => {
      const session = await openSession()
      timers.advance(milliseconds)
      await tell(session, { type: 'rate_limits.updated' })
      await expectEndAfter(idleSeconds * 1000)
    },
  )

  test('ends at the exact millisecond, counted from the end of a response that followed a tool output [RT-35]', async () => {
    const session = await openSession()
    await tell(session, responseCreated('r1'))
    await tell(session, call({ call_id: 'call_2', name: 'find_booking', arguments: '{' }))
    await session.provider.inbox.takeType('conversation.item.create')
    timers.advance(12_345)
    await tell(session, responseDone('r1'))
    await expectEndAfter(idleSeconds * 1000)
  })

  test('needs a single timer, however many frames pass [RT-35]', async () => {
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

describe('pings', () => {
  /** Opens a session that cannot become idle, because its response never ends. */
  async function openBusySession(options?: ClientOptions): Promise<OpenSession> {
    const session = await openSession(options)
    await tell(session, responseCreated('r1'))
    return session
  }

  test('pings keep the session open if both sides answer [RT-11]', async () => {
    const session = await openBusySession()
    expect(await pass(300)).toBeNull()
    expect(await sessionsOf(running.client, session.ticket.conversationId)).toMatchObject([{ endedAt: null }])
  })

  test('pings end the session as client_lost if the client misses two [RT-11]', async () => {
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

  test('a session tolerates one missed pong [RT-11]', async () => {
    const session = await openBusySession({ autoPong: false })
    session.client.socket.on(
      'ping',
      () => void (timers.monotonic() % 40_000 < 20_000 && session.client.socket.pong()),
    )
    expect(await pass(300)).toBeNull()
  })

  test('pings end the session as provider_closed if the provider misses two [RT-11]', async () => {
    const session = await openBusySession()
    session.provider.socket.pause()
    expect(await pass(59)).toBeNull()
    expect(await pass(2)).not.toBeNull()
    await expectEnd(running, session, 'provider_closed', 'The provider is not responding.')
  })

  test('pings do not count as missed while backpressure stops reading from the client [RT-11]', async () => {
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
    // Reading continues from here. The pongs are still queued behind the audio at the next check.
    while (timers.waiting > 1) await setImmediate()
    expect(await pass(1)).toBeNull()
    await expect.poll(() => provider.inbox.all.length - before, patiently).toBe(count)
    expect(await pass(60)).toBeNull()
  })
})
