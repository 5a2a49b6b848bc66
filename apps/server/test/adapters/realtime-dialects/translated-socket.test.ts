import { setImmediate } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import { connectTranslated } from '#server/adapters/realtime-dialects/translated-socket.js'
import type {
  DialectOutput,
  TranslatingDialect,
} from '#server/adapters/realtime-dialects/translating-dialect.js'
import type { ProviderConnection } from '#server/ports/realtime-provider.js'
import { MemorySocket } from '../../support/realtime/memory-socket.js'
import { makeTestTimers } from '../../support/test-timers.js'

const audioFrame = Buffer.from('{"type":"input_audio_buffer.append","audio":"AAAA"}')
const event = (fields: object) => Buffer.from(JSON.stringify(fields))

/** A dialect that echoes events, confirms at once, and reconnects when the provider says so. */
class EchoDialect implements TranslatingDialect {
  heldBytes = 0
  nextTickAt: number | null = null
  readonly output: DialectOutput
  readonly log: string[] = []

  constructor(output: DialectOutput) {
    this.output = output
  }

  opened(): void {
    this.output.send({ setup: {} })
  }

  receive(fields: object): void {
    this.output.emit({ type: 'echo', fields })
  }

  receiveAudio(base64: string): void {
    this.output.send({ audio: base64 })
  }

  handle(message: Readonly<Record<string, unknown>>): void {
    if (message.ready) this.output.confirm()
    else if (message.refused) this.output.refuse('refused', 'No such model.')
    else if (message.again) this.output.reconnect()
    else if (message.tickAt) this.nextTickAt = Number(message.tickAt)
    else this.output.emit({ type: 'told', message })
  }

  tick(now: number): void {
    this.nextTickAt = null
    this.output.emit({ type: 'ticked', now })
  }

  lost({ code, reason }: { code: number; reason: string }): void {
    this.log.push(`lost ${code}`)
    this.output.emit({ type: 'last' })
    this.output.close(code, reason)
  }
}

async function settle(...sockets: readonly MemorySocket[]): Promise<void> {
  for (let hasMoved = true; hasMoved; ) {
    await setImmediate()
    hasMoved = sockets.some((socket) => socket.move())
  }
}

async function connect(sockets: readonly MemorySocket[], { isRefused = false } = {}) {
  const timers = makeTestTimers()
  const [first] = sockets
  let opened = 0
  const aborted = new AbortController()
  const connecting = connectTranslated(
    {
      timers,
      open: async (): Promise<ProviderConnection> => {
        const socket = sockets[opened]
        opened += 1
        return socket
          ? { ok: true, socket }
          : { ok: false, reason: 'unreachable', detail: 'Nothing listens there.' }
      },
      makeDialect: (output) => new EchoDialect(output),
    },
    aborted.signal,
  )
  await setImmediate()
  first?.arrive({
    what: 'frame',
    data: event(isRefused ? { refused: true } : { ready: true }),
    isBinary: true,
  })
  await settle(...sockets)
  return { connection: await connecting, timers, openedCount: () => opened }
}

function listenTo(connection: ProviderConnection) {
  if (!connection.ok) throw new Error(connection.detail)
  const { socket } = connection
  const received: string[] = []
  socket.listen({
    frame: (data) => received.push(String(JSON.parse(data.toString()).type)),
    pong: () => undefined,
    tooBig: () => undefined,
    closed: (code) => received.push(`closed ${code}`),
  })
  return { socket, received }
}

const tell = (socket: MemorySocket, message: object) =>
  socket.arrive({ what: 'frame', data: event(message), isBinary: false })

describe('TranslatedSocket', () => {
  test('connects when the provider has confirmed, and not if it refuses', async () => {
    const good = new MemorySocket()
    const { connection } = await connect([good])
    expect(connection.ok).toBe(true)
    expect(good.sent).toMatchObject([{ data: '{"setup":{}}' }])
    const bad = new MemorySocket()
    const { connection: refused } = await connect([bad], { isRefused: true })
    expect(refused).toEqual({ ok: false, reason: 'refused', detail: 'No such model.' })
    expect(bad.closes).toHaveLength(1)
  })

  test('never delivers an event while the owner sends one, and puts the type first', async () => {
    const provider = new MemorySocket()
    const { connection } = await connect([provider])
    const { socket, received } = listenTo(connection)
    socket.send(event({ type: 'x' }), false)
    expect(received).toEqual([])
    await settle(provider)
    expect(received).toEqual(['echo'])
  })

  test('forwards audio without parsing the frame, and reports that it has left', async () => {
    const provider = new MemorySocket()
    const { connection } = await connect([provider])
    const { socket } = listenTo(connection)
    const flushed: string[] = []
    socket.send(audioFrame, false, () => flushed.push('audio'))
    socket.send(event({ type: 'x' }), false, () => flushed.push('event'))
    await settle(provider)
    expect(provider.sent.at(-1)?.data).toBe('{"audio":"AAAA"}')
    expect(flushed.toSorted()).toEqual(['audio', 'event'])
  })

  test('holds events while it is paused, and reports the end after all of them', async () => {
    const provider = new MemorySocket()
    const { connection } = await connect([provider])
    const { socket, received } = listenTo(connection)
    await settle(provider)
    socket.pause()
    socket.send(event({ type: 'x' }), false)
    await settle(provider)
    expect(received).toEqual([])
    socket.resume()
    tell(provider, { text: 'y' })
    provider.arrive({ what: 'closed', code: 1011 })
    await settle(provider)
    expect(received).toEqual(['echo', 'told', 'last', 'closed 1011'])
  })

  test('closes the old socket before it opens the next one', async () => {
    const sockets = [new MemorySocket(), new MemorySocket()]
    const { connection, openedCount } = await connect(sockets)
    const { socket } = listenTo(connection)
    tell(sockets[0] as MemorySocket, { again: true })
    sockets[0]?.move()
    expect([sockets[0]?.closes.length, openedCount()]).toEqual([1, 1])
    await settle(...sockets)
    expect(openedCount()).toBe(2)
    socket.send(audioFrame, false)
    expect(sockets[1]?.sent.map(({ data }) => data)).toEqual(['{"setup":{}}', '{"audio":"AAAA"}'])
  })

  test('reports a socket that cannot be opened again to the dialect', async () => {
    const provider = new MemorySocket()
    const { connection } = await connect([provider])
    const { received } = listenTo(connection)
    tell(provider, { again: true })
    await settle(provider)
    expect(received).toEqual(['last', 'closed 1006'])
  })

  test('calls the dialect at the time that it names', async () => {
    const provider = new MemorySocket()
    const { connection, timers } = await connect([provider])
    const { received } = listenTo(connection)
    tell(provider, { tickAt: 500 })
    await settle(provider)
    timers.advance(499)
    expect(received).toEqual([])
    timers.advance(1)
    expect(received).toEqual(['ticked'])
  })

  test('leaves no timer behind when its owner closes it', async () => {
    const provider = new MemorySocket()
    const { connection, timers } = await connect([provider])
    const { socket, received } = listenTo(connection)
    tell(provider, { tickAt: 500 })
    await settle(provider)
    socket.close(1000, '')
    await settle(provider)
    expect([timers.waiting, received]).toEqual([0, ['closed 1000']])
  })
})
