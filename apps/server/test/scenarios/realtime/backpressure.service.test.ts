import { ServiceErrorEvent } from '@parley/contract'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import type { WebSocket } from 'ws'
import { Pump, ReadGate } from '#server/domain/realtime/relay/relay-side.js'
import { MemorySocket } from '../../support/realtime/memory-socket.js'
import {
  type OpenSession,
  type RealtimeTestService,
  startRealtimeService,
} from '../../support/realtime/realtime-service.js'
import { endedSession, sessionsOf } from '../../support/realtime/spoken-turns.js'
import { makeTestTimers, type TestTimers } from '../../support/test-timers.js'

const patiently = { timeout: 60_000, interval: 20 }
const mebibyte = 1024 * 1024
/** Many times more than the kernel buffers for both ends of a connection. */
const floodBytes = 24 * mebibyte
/** Upper bound of the bytes in flight: kernel buffers, high-water mark, and one or two frames. */
const underWayBytes = 16 * mebibyte

const audio = JSON.stringify({ type: 'input_audio_buffer.append', audio: 'A'.repeat(60_000) })
const delta = JSON.stringify({ type: 'response.output_audio.delta', delta: 'A'.repeat(250_000) })
/** A refusal quotes the event id of its message, so it is as large as this message. */
const refused = JSON.stringify({ type: 'session.update', event_id: 'e'.repeat(60_000) })

let running: RealtimeTestService
let timers: TestTimers
let open: OpenSession[] = []

beforeAll(async () => {
  timers = makeTestTimers()
  running = await startRealtimeService({
    timers,
    env: { PARLEY_REALTIME_MAX_MESSAGE_BYTES: String(16 * mebibyte) },
  })
})

afterEach(async () => {
  for (const { client, provider } of open) {
    client.socket.terminate()
    provider.socket.terminate()
  }
  for (const { ticket } of open) await endedSession(running.client, ticket.conversationId)
  open = []
})

afterAll(() => running.close())

async function openSession(): Promise<OpenSession> {
  const session = await running.openSession()
  open.push(session)
  return session
}

function flood(socket: WebSocket, frame: string): number {
  const count = Math.ceil(floodBytes / frame.length)
  for (let sent = 0; sent < count; sent += 1) socket.send(frame)
  return count
}

/** Returns the number of bytes that the service has read from that side, over all sessions. */
async function bytesRead(from: 'client' | 'provider'): Promise<number> {
  const metrics = await (await fetch(`${running.url}/metrics`)).text()
  return Number(
    metrics.match(new RegExp(`^parley_realtime_bytes_total\\{from="${from}"\\} (\\d+)`, 'm'))?.[1],
  )
}

/** Returns the same number once it no longer changes. */
async function settledBytes(from: 'client' | 'provider'): Promise<number> {
  let last = Number.NaN
  let looks = 0
  await expect
    .poll(async () => {
      const now = await bytesRead(from)
      looks = now === last ? looks + 1 : 0
      last = now
      return looks
    }, patiently)
    .toBeGreaterThan(10)
  return last
}

interface Case {
  readonly who: string
  readonly frame: string
  readonly slow: keyof Pick<OpenSession, 'client' | 'provider'>
  readonly fast: keyof Pick<OpenSession, 'client' | 'provider'>
}

const cases: readonly Case[] = [
  { who: 'backpressure from a slow client on the provider', frame: delta, slow: 'client', fast: 'provider' },
  { who: 'backpressure from a slow provider on the client', frame: audio, slow: 'provider', fast: 'client' },
  {
    who: 'backpressure on a client that does not read its refusals',
    frame: refused,
    slow: 'client',
    fast: 'client',
  },
]

describe.each(cases)('$who', ({ frame, slow, fast }) => {
  /** Sends until nothing moves any more. Returns the number of frames sent. */
  async function stall(session: OpenSession): Promise<number> {
    session[slow].socket.pause()
    const before = await bytesRead(fast)
    const count = flood(session[fast].socket, frame)
    const read = (await settledBytes(fast)) - before
    expect(read).toBeGreaterThan(mebibyte)
    expect(read).toBeLessThan(underWayBytes)
    return count
  }

  test('bounds what the service reads, and delivers every frame once the slow side reads again [RT-10]', async () => {
    const session = await openSession()
    const { inbox, socket } = session[slow]
    const before = inbox.all.length
    const count = await stall(session)
    socket.resume()
    await expect.poll(() => inbox.all.length - before, patiently).toBe(count)
    expect(inbox.all.slice(before).every(({ data }) => data.length >= frame.length)).toBe(true)
    timers.advance(31_000)
    expect(socket.readyState).toBe(socket.OPEN)
  })

  test('ends the session as slow_consumer after 30 seconds, not earlier [RT-10]', async () => {
    const session = await openSession()
    const { client, provider, ticket } = session
    await stall(session)
    timers.advance(29_000)
    expect(await sessionsOf(running.client, ticket.conversationId)).toMatchObject([{ endedAt: null }])
    timers.advance(1500)
    session[slow].socket.resume()
    expect(await client.inbox.closed).toEqual({ code: 4004, reason: 'slow_consumer' })
    await provider.inbox.closed
    const last = client.inbox.all.at(-1)?.data.toString() ?? ''
    expect(ServiceErrorEvent.parse(JSON.parse(last)).error).toMatchObject({
      code: 'slow_consumer',
      message: expect.stringContaining(slow),
    })
    expect((await endedSession(running.client, ticket.conversationId)).endReason).toBe('slow_consumer')
  })
})

describe('a jam', () => {
  test('may return later if it clears in time [RT-10]', async () => {
    const session = await openSession()
    const { client, provider } = session
    for (let round = 1; round <= 2; round += 1) {
      client.socket.pause()
      const count = flood(provider.socket, delta)
      await settledBytes('provider')
      timers.advance(20_000)
      client.socket.resume()
      await expect.poll(() => client.inbox.all.length, patiently).toBe(count * round)
    }
    expect(client.socket.readyState).toBe(client.socket.OPEN)
  })

  test('ends only when the frames queued during it have been sent, too [RT-10]', () => {
    const [source, target] = [new MemorySocket(), new MemorySocket()]
    const pump = new Pump(target, timers, () => undefined)
    const gate = new ReadGate(source)
    const frame = Buffer.alloc(400_000)
    target.stall(true)
    while (!gate.isPaused) pump.forward(frame, true, gate)
    target.stall(false)
    while (target.bufferedBytes > frame.length) target.move()
    // A frame that the service queues itself, such as an announcement or a refusal, while the target is
    // jammed.
    pump.forward(frame, true, gate)
    while (target.move()) expect(gate.isPaused).toBe(target.bufferedBytes > 256 * 1024)
    expect(gate.isPaused).toBe(false)
  })

  test('stops the client even if it starts with frames held while connecting [RT-6] [RT-10]', async () => {
    let letIn: () => void = () => undefined
    const door = new Promise<'accept'>((resolve) => {
      letIn = () => resolve('accept')
    })
    running.provider.onUpgrade((_, socket) => door.finally(() => socket.pause()))
    const ticket = await running.createTicket()
    const client = await running.connect(ticket.webSocketPath)
    client.socket.send(Buffer.alloc(8 * mebibyte, 1))
    for (let sent = 0; sent < 10; sent += 1) client.send({ type: 'input_audio_buffer.commit' })
    const count = flood(client.socket, audio)
    const before = await settledBytes('client')
    running.provider.onUpgrade(() => 'accept')
    letIn()
    const provider = await running.provider.accept()
    provider.socket.pause()
    open.push({ ticket, client, provider })
    const read = (await settledBytes('client')) - before
    expect(read).toBeLessThan(underWayBytes)
    provider.socket.resume()
    await expect.poll(() => provider.inbox.all.length, patiently).toBe(count + 12)
  })
})
