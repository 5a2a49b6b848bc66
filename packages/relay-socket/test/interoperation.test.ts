import { once } from 'node:events'
import { createServer } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { describe, expect, onTestFinished, test } from 'vitest'
import { WebSocket, WebSocketServer } from 'ws'
import type { RelayIo } from '#relay-socket/index.js'
import { startRelay } from './support/echo-relay.js'
import { peerClients, peerServers } from './support/peers.js'
import { testCertificate } from './support/test-certificate.js'

const patiently = { timeout: 60_000, interval: 5 }
const ios: readonly RelayIo[] = ['ws', 'fast']

/**
 * Messages of every length class and at its boundaries, with text outside ASCII, and longer than one read.
 */
const messages = [
  ...[0, 1, 125, 126, 127, 6400, 65_535, 65_536, 300_000].flatMap((size) => [
    'a'.repeat(size),
    Buffer.alloc(size, 0xc3),
  ]),
  'Grüße, 漢字 und 😀'.repeat(50),
  ...Array.from({ length: 40 }, (_, index) => `${index}`.padStart(6400, '0')),
]

const pairs = ios.flatMap((io) =>
  (['ws', 'faye-websocket'] as const).flatMap((server) =>
    (['ws', 'faye-websocket', 'undici'] as const).map((client) => [io, client, server] as const),
  ),
)

test.each(pairs)('%s relays between a client of %s and a server of %s [RT-47]', async (io, name, server) => {
  const { url, closes } = await peerServers[server]()
  const client = await peerClients[name](`ws://${await startRelay(io, url)}`)
  for (const message of messages) client.send(message)
  await client.ping()
  await expect.poll(() => client.received.length, patiently).toBe(messages.length)
  expect(
    client.received.every((data, index) => Buffer.from(data).equals(Buffer.from(messages[index] ?? ''))),
  ).toBe(true)
  expect(client.received.map((data) => typeof data)).toEqual(messages.map((data) => typeof data))
  client.close(4321, 'enough')
  await expect.poll(() => closes, patiently).toEqual([{ code: 4321, reason: 'enough' }])
  expect((await client.closed).code).toBe(4321)
})

const schemes = ios.flatMap((io) => (['ws', 'wss'] as const).map((scheme) => [io, scheme] as const))

test.each(schemes)('%s relays fragments with pings between them over %s [RT-47]', async (io, scheme) => {
  const { url } = await peerServers['faye-websocket']()
  const http = scheme === 'ws' ? createServer() : createTlsServer(testCertificate)
  const socket = new WebSocket(`${scheme}://${await startRelay(io, url, http)}`, {
    rejectUnauthorized: false,
  })
  onTestFinished(() => socket.terminate())
  const received: string[] = []
  socket.on('message', (data) => received.push(data.toString()))
  await once(socket, 'open')
  const expected: string[] = []
  for (const size of [0, 1, 130, 70_000]) {
    const part = 'b'.repeat(size)
    socket.send('before')
    socket.send(part, { fin: false })
    socket.ping('between')
    socket.send(part, { fin: false })
    socket.send('end', { fin: true })
    socket.send('behind')
    expected.push('before', `${part}${part}end`, 'behind')
  }
  await expect.poll(() => received, patiently).toEqual(expected)
})

async function startEcho(): Promise<string> {
  const echo = new WebSocketServer({ host: '127.0.0.1', port: 0 })
  onTestFinished(() => echo.close())
  echo.on('connection', (peer) =>
    peer.on('message', (data, isBinary) => peer.send(data, { binary: isBinary })),
  )
  await once(echo, 'listening')
  return `ws://127.0.0.1:${(echo.address() as AddressInfo).port}/`
}

describe.each(ios)('%s', (io) => {
  test('relays frames unchanged to a client that stops reading and continues [RT-48]', async () => {
    const socket = new WebSocket(`ws://${await startRelay(io, await startEcho())}`)
    onTestFinished(() => socket.terminate())
    const received: string[] = []
    socket.on('message', (data) => received.push(String(data)))
    await once(socket, 'open')
    const text = (index: number) => `${index}-`.padEnd(15_000, `${index % 10}`)
    let sent = 0
    const send = (count: number) => {
      for (const end = sent + count; sent < end; sent += 1) socket.send(text(sent))
    }
    for (let round = 0; round < 5; round += 1) {
      send(20)
      await expect.poll(() => received.length, patiently).toBe(sent)
      socket.pause()
      send(1000)
      // The client's own buffer is full, so the kernel buffers between both ends are full too.
      await expect.poll(() => socket.bufferedAmount, patiently).toBeGreaterThanOrEqual(0)
      socket.resume()
      await expect.poll(() => received.length, patiently).toBe(sent)
    }
    expect(received).toEqual(Array.from({ length: sent }, (_, index) => text(index)))
  })

  test('keeps the bytes of 200 sessions apart [RT-48]', async () => {
    const address = `ws://${await startRelay(io, await startEcho())}`
    const sizes = [3, 130, 700, 6400, 17_000, 70_000]
    const sessions = await Promise.all(
      Array.from({ length: 200 }, async (_, session) => {
        const socket = new WebSocket(address)
        onTestFinished(() => socket.terminate())
        const received: Buffer[] = []
        socket.on('message', (data: Buffer) => received.push(data))
        await once(socket, 'open')
        return { socket, received, fill: `session ${session} ` }
      }),
    )
    const rounds = 3
    for (let round = 0; round < rounds; round += 1)
      for (const size of sizes)
        for (const { socket, fill } of sessions) socket.send(Buffer.alloc(size, fill), { binary: false })
    for (const { received, fill } of sessions) {
      await expect.poll(() => received.length, patiently).toBe(rounds * sizes.length)
      const expected = sizes.map((size) => Buffer.alloc(size, fill))
      expect(received.every((data, index) => data.equals(expected[index % sizes.length] as Buffer))).toBe(
        true,
      )
    }
  })
})
