import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { makeFrameSocket, RelayWebSocket } from '@parley/relay-socket'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { type WebSocket, WebSocketServer } from 'ws'
import { EarlyFrames, Pump, ReadGate } from '#server/domain/realtime/relay/relay-side.js'
import { type RealtimeTestService, startRealtimeService } from '../../support/realtime/realtime-service.js'
import { keepWaiting, neverAnswer } from '../../support/realtime/slow-handshakes.js'
import { endReasonOf, patiently } from '../../support/realtime/spoken-turns.js'
import { makeTestTimers } from '../../support/test-timers.js'

let service: RealtimeTestService

beforeAll(async () => {
  service = await startRealtimeService({ timers: makeTestTimers() })
})

afterEach(() => service.provider.onUpgrade(() => 'accept'))

afterAll(() => service.close())

describe('client frames that arrive while the provider is connecting [RT-6]', () => {
  test('are held, checked like any other frame, and sent in order after the configuration', async () => {
    const { accept, reached } = keepWaiting(service.provider)
    const client = await service.connect((await service.createTicket()).webSocketPath)
    await reached
    const frames = [
      '{"type":"input_audio_buffer.append","audio":"AAAA"}',
      Buffer.from([0, 255, 1, 254]),
      '{ "type" : "conversation.item.create", "item": {} }',
      Buffer.alloc(0),
      '{"type":"response.create"}',
    ]
    for (const frame of frames) client.send(frame)
    client.send({ type: 'session.update', session: {} })
    accept()
    const provider = await service.provider.accept()
    expect(await provider.inbox.takeJson()).toMatchObject({
      type: 'session.update',
      event_id: expect.stringMatching(/^svc_/),
    })
    for (const frame of frames)
      expect(await provider.inbox.take()).toEqual({
        data: Buffer.from(frame as Buffer),
        isBinary: Buffer.isBuffer(frame),
      })
    expect(await client.inbox.takeJson()).toMatchObject({ error: { code: 'session_update_not_allowed' } })
    client.socket.close()
    await client.inbox.closed
  })

  test('stay with the client beyond a limit, and none is lost', async () => {
    const { accept, reached } = keepWaiting(service.provider)
    const client = await service.connect((await service.createTicket()).webSocketPath)
    await reached
    const frame = Buffer.alloc(65_536)
    const count = 512
    for (let index = 0; index < count; index += 1) {
      frame.writeUInt32BE(index)
      client.send(Buffer.from(frame))
    }
    // More than the kernel buffers of both ends stays with the client.
    let before = -1
    await expect
      .poll(
        () => {
          const isStill = client.socket.bufferedAmount === before
          before = client.socket.bufferedAmount
          return isStill
        },
        { ...patiently, interval: 200 },
      )
      .toBe(true)
    expect(before).toBeGreaterThan(8 * 1024 * 1024)
    accept()
    const provider = await service.provider.accept()
    await provider.inbox.takeType('session.update')
    for (let index = 0; index < count; index += 1)
      expect((await provider.inbox.take()).data.readUInt32BE()).toBe(index)
    client.socket.close()
    await client.inbox.closed
  })

  test('are limited to 256, because all of them are forwarded at once [BND-11]', async () => {
    const { far, near, socket } = await socketPair()
    const early = new EarlyFrames(new ReadGate(near))
    for (let index = 0; index < 255; index += 1) early.keep(Buffer.alloc(10), true)
    expect(socket.isPaused).toBe(false)
    early.keep(Buffer.alloc(10), true)
    expect(socket.isPaused).toBe(true)
    far.terminate()
  })

  test('count as frames too, and keep the client paused while the provider cannot keep up', async () => {
    const [client, provider] = await Promise.all([socketPair(), socketPair()])
    provider.far.pause()
    const gate = new ReadGate(client.near)
    const early = new EarlyFrames(gate)
    for (let index = 0; index < 10_000; index += 1) early.keep(Buffer.alloc(0), true)
    expect(client.socket.isPaused).toBe(true)
    while (provider.near.bufferedBytes < 1024 * 1024) provider.near.send(Buffer.alloc(65_536), true)
    const pump = new Pump(provider.near, makeTestTimers(), () => undefined)
    early.release((data, isBinary) => pump.forward(data, isBinary, gate))
    expect(client.socket.isPaused).toBe(true)
    provider.far.resume()
    await expect.poll(() => client.socket.isPaused, patiently).toBe(false)
    for (const { far } of [client, provider]) far.terminate()
  })

  test('are dropped with the connection attempt if the client disconnects', async () => {
    const { reached, left } = neverAnswer(service.provider)
    const { conversationId, webSocketPath } = await service.createTicket()
    const client = await service.connect(webSocketPath)
    client.send({ type: 'response.create' })
    await reached
    client.socket.close(1000)
    expect(await client.inbox.closed).toMatchObject({ code: 1000 })
    await left
    await expect.poll(() => endReasonOf(service.client, conversationId), patiently).toBe('client_left')
  })
})

/** A socket as the service holds it, and its remote end. */
async function socketPair() {
  const server = new WebSocketServer({ port: 0, host: '127.0.0.1' })
  await once(server, 'listening')
  const socket = new RelayWebSocket(`ws://127.0.0.1:${(server.address() as AddressInfo).port}`)
  const [[far]] = (await Promise.all([once(server, 'connection'), once(socket, 'open')])) as [[WebSocket], []]
  server.close()
  const near = makeFrameSocket(socket, { fast: null })
  near.listen({
    frame: () => undefined,
    pong: () => undefined,
    tooBig: () => undefined,
    closed: () => undefined,
  })
  return { far, near, socket }
}
