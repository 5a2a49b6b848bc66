import { once } from 'node:events'
import type { IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, test } from 'vitest'
import { type WebSocket, WebSocketServer } from 'ws'
import { frameMask } from '#server/adapters/openai-realtime/frame-mask.js'
import { openProviderSocket } from '#server/adapters/openai-realtime/realtime-provider.js'
import { closeAfterwards } from '../../support/close-afterwards.js'

test.each([
  ['wss://provider.example/v1/realtime', true],
  ['ws://127.0.0.1:4000/v1/realtime', true],
  ['ws://[::1]:4000/v1/realtime', true],
  ['ws://localhost/v1/realtime', true],
  ['ws://provider.example/v1/realtime', false],
  ['ws://10.0.0.7:4000/v1/realtime', false],
  ['ws://localhost.example/v1/realtime', false],
])('frames to %s are sent with a zero mask: %s', (url, isPlain) => {
  const { generateMask } = frameMask(url)
  const mask = Buffer.from([1, 2, 3, 4])
  generateMask?.(mask)
  expect(mask).toEqual(isPlain ? Buffer.alloc(4) : Buffer.from([1, 2, 3, 4]))
})

test('a provider on this machine gets a valid frame with a zero mask and unchanged payload', async () => {
  const server = new WebSocketServer({ host: '127.0.0.1', port: 0 })
  closeAfterwards(async () => void server.close())
  await once(server, 'listening')
  const connected = once(server, 'connection') as Promise<[WebSocket, IncomingMessage]>
  const url = `ws://127.0.0.1:${(server.address() as AddressInfo).port}/`
  const target = {
    organizationId: '018f0000-0000-7000-8000-000000000001',
    kind: 'openai',
    address: url,
    apiKey: null,
    model: 'a-model',
    isFromEnvironment: false,
    voicedModel: null,
    backendModel: null,
  } as const
  const connection = await openProviderSocket(
    url,
    { target, opening: { update: { type: 'response.create' }, items: [] } },
    { maxPayload: 1_000_000, relayIo: 'fast' },
    new AbortController().signal,
  )
  const [peer, { socket }] = await connected
  const bytes = once(socket, 'data') as Promise<[Buffer]>
  const message = once(peer, 'message') as Promise<[Buffer, boolean]>
  if (!connection.ok) throw new Error(connection.detail)
  const [raw] = await bytes
  expect(raw.subarray(0, 6)).toEqual(Buffer.from([0x81, 0x80 | 26, 0, 0, 0, 0]))
  expect((await message)[0].toString()).toBe('{"type":"response.create"}')
  connection.socket.close(1000, '')
})
