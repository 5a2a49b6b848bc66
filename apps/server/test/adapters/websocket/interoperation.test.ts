import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { describe, expect, test } from 'vitest'
import WebSocket, { WebSocketServer } from 'ws'
import { openProviderSocket } from '#server/adapters/openai-realtime/realtime-provider.js'
import { LimitedWebSocket, makeFrameSocket } from '#server/adapters/websocket/frame-socket.js'
import type { FrameSocket } from '#server/ports/frame-socket.js'
import { closeAfterwards } from '../../support/close-afterwards.js'
import { testCertificate } from '../../support/outbound/test-certificate.js'
import { peerClients, peerServers } from '../../support/websocket/peers.js'

const patiently = { timeout: 60_000, interval: 5 }
const maxMessageBytes = 1024 * 1024
const target = {
  organizationId: '018f0000-0000-7000-8000-000000000001',
  kind: 'openai',
  address: 'unused',
  apiKey: null,
  model: 'a-model',
  isFromEnvironment: false,
  voicedModel: null,
} as const

/** Our two kinds of socket back to back: what a client of this address sends goes to that server, and back. */
async function startRelay(serverUrl: string, http: Server = createServer()): Promise<string> {
  const webSockets = new WebSocketServer({
    noServer: true,
    autoPong: false,
    perMessageDeflate: false,
    maxPayload: maxMessageBytes,
    WebSocket: LimitedWebSocket,
  })
  http.on('upgrade', async (request, connection, head) => {
    const { signal } = new AbortController()
    const opened = await openProviderSocket(serverUrl, target, { maxPayload: maxMessageBytes }, signal)
    if (!opened.ok) throw new Error(opened.detail)
    webSockets.handleUpgrade(request, connection, head, (socket) => {
      const below = { connection, peer: 'client', maxMessageBytes, isSentPlain: true } as const
      const client = makeFrameSocket(socket, { below })
      join(client, opened.socket)
      join(opened.socket, client)
    })
  })
  closeAfterwards(() => {
    http.closeAllConnections()
    http.close()
  })
  http.listen(0, '127.0.0.1')
  await once(http, 'listening')
  return `127.0.0.1:${(http.address() as AddressInfo).port}/`
}

/** Frames that had left when they were sent, and those that had not. */
const counts = { left: 0, waiting: 0 }

function join(from: FrameSocket, to: FrameSocket): void {
  from.listen({
    frame: (data, isBinary) => {
      to.send(data, isBinary)
      counts[to.bufferedBytes === 0 ? 'left' : 'waiting'] += 1
    },
    pong: () => undefined,
    tooBig: () => undefined,
    closed: (code, reason) => to.close(code, reason),
  })
}

/** Every class of length and its borders, what is not ASCII, and more at once than one read takes. */
const messages = [
  ...[0, 1, 125, 126, 127, 6400, 65_535, 65_536, 300_000].flatMap((size) => [
    'a'.repeat(size),
    Buffer.alloc(size, 0xc3),
  ]),
  'Grüße, 漢字 und 😀'.repeat(50),
  ...Array.from({ length: 40 }, (_, index) => `${index}`.padStart(6400, '0')),
]

describe.each(['ws', 'faye-websocket'] as const)('[RT-47] before a server of %s', (server) => {
  test.each(['ws', 'faye-websocket', 'undici'] as const)(
    'a client of %s gets back what it sent',
    async (name) => {
      const { url, closes } = await peerServers[server]()
      const client = await peerClients[name](`ws://${await startRelay(url)}`)
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
    },
  )
})

test('[RT-48] frames whose memory is used again come out as they came, to a peer that stops reading too', async () => {
  const echo = new WebSocketServer({ host: '127.0.0.1', port: 0 })
  closeAfterwards(() => echo.close())
  echo.on('connection', (peer) => peer.on('message', (data) => peer.send(data, { binary: false })))
  await once(echo, 'listening')
  const { port } = echo.address() as AddressInfo
  const socket = new WebSocket(`ws://${await startRelay(`ws://127.0.0.1:${port}/`)}`)
  closeAfterwards(() => socket.terminate())
  const received: string[] = []
  socket.on('message', (data) => received.push(String(data)))
  await once(socket, 'open')
  const text = (index: number) => `${index}-`.padEnd(15_000, `${index % 10}`)
  let sent = 0
  const send = (count: number) => {
    for (const end = sent + count; sent < end; sent += 1) socket.send(text(sent))
  }
  for (let round = 0; round < 5; round += 1) {
    const before = { ...counts }
    send(20)
    await expect.poll(() => received.length, patiently).toBe(sent)
    expect(counts.left).toBeGreaterThan(before.left)
    socket.pause()
    send(1000)
    await expect.poll(() => counts.waiting, patiently).toBeGreaterThan(before.waiting + 50)
    socket.resume()
    await expect.poll(() => received.length, patiently).toBe(sent)
  }
  expect(received).toEqual(Array.from({ length: sent }, (_, index) => text(index)))
})

test.each([
  ['ws', () => createServer()],
  ['wss', () => createTlsServer(testCertificate)],
] as const)(
  '[RT-47] messages in pieces, with pings in between, come out whole over %s:',
  async (scheme, listen) => {
    const { url } = await peerServers['faye-websocket']()
    const address = `${scheme}://${await startRelay(url, listen())}`
    const socket = new WebSocket(address, { rejectUnauthorized: false })
    closeAfterwards(() => socket.terminate())
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
  },
)
