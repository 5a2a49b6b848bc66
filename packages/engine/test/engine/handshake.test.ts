import { once } from 'node:events'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { WebSocket } from 'ws'
import { type Engine, startEngine } from '#engine/start-engine.js'
import { RealtimeClient } from '../support/realtime-client.js'

let engine: Engine
beforeAll(async () => {
  engine = await startEngine({ port: 0, secret: 'right', maxSessions: 1 })
})
afterAll(() => engine.close())

async function rejection(
  url: string,
  headers: Record<string, string> = {},
): Promise<{ status: number; code: string }> {
  const socket = new WebSocket(url, { headers })
  socket.on('error', () => undefined)
  const [, response] = (await once(socket, 'unexpected-response')) as [
    unknown,
    import('node:http').IncomingMessage,
  ]
  const body = Buffer.concat(await response.toArray()).toString()
  return { status: response.statusCode ?? 0, code: JSON.parse(body).error.code }
}

const key = { authorization: 'Bearer right' }

describe('The handshake', () => {
  test('is rejected without the secret or with a wrong one', async () => {
    expect(await rejection(`${engine.url}?model=m`)).toEqual({ status: 401, code: 'invalid_api_key' })
    expect(await rejection(`${engine.url}?model=m`, { authorization: 'Bearer wrong' })).toEqual({
      status: 401,
      code: 'invalid_api_key',
    })
    expect(await rejection(`${engine.url}?model=m`, { authorization: 'right' })).toMatchObject({
      status: 401,
    })
  })

  test('is rejected at an unknown path', async () => {
    expect(await rejection(engine.url.replace('realtime', 'other'), key)).toEqual({
      status: 404,
      code: 'not_found',
    })
  })

  test('is rejected without a model', async () => {
    expect(await rejection(engine.url, key)).toEqual({ status: 400, code: 'missing_model' })
  })

  test('is rejected if all sessions are taken', async () => {
    const client = await RealtimeClient.connect(engine.url, 'right')
    expect(await rejection(`${engine.url}?model=m`, key)).toEqual({
      status: 429,
      code: 'rate_limit_exceeded',
    })
    await client.close()
  })
})

test('an owner cannot take all sessions, but can open another when one has ended [ENG-15]', async () => {
  const shared = await startEngine({
    port: 0,
    secret: 'right',
    maxSessions: 3,
    maxSessionsPerOwner: 2,
    ownerOf: ({ headers }) => String(headers['x-owner']),
  })
  const url = `${shared.url}?model=m`
  const open = async (owner: string) => {
    const socket = new WebSocket(url, { headers: { ...key, 'x-owner': owner } })
    await once(socket, 'open')
    return socket
  }
  const [first] = [await open('one'), await open('one')]
  const tooMany = { status: 429, code: 'rate_limit_exceeded' }
  expect(await rejection(url, { ...key, 'x-owner': 'one' })).toEqual(tooMany)
  const other = await open('other')
  const closed = once(other, 'close')
  other.close()
  await closed
  first.close()
  await once(first, 'close')
  await expect.poll(async () => (await open('one')).readyState).toBe(WebSocket.OPEN)
  await shared.close()
})

test('accepts the secret as a WebSocket protocol and selects the other protocol', async () => {
  const socket = new WebSocket(`${engine.url}?model=m`, ['realtime', 'openai-insecure-api-key.right'])
  await once(socket, 'open')
  expect(socket.protocol).toBe('realtime')
  const closed = once(socket, 'close')
  socket.close()
  await closed
})

test('a session begins with all default settings', async () => {
  const client = await RealtimeClient.connect(engine.url, 'right')
  const [created] = client.events
  expect(created).toMatchObject({
    type: 'session.created',
    session: {
      type: 'realtime',
      object: 'realtime.session',
      model: 'offline',
      output_modalities: ['audio'],
      audio: {
        input: { turn_detection: { type: 'server_vad', create_response: true, interrupt_response: true } },
        output: { voice: 'alloy', format: { type: 'audio/pcm', rate: 24_000 } },
      },
      tools: [],
      tool_choice: 'auto',
    },
  })
  await client.close()
})

test('a session ends after its maximum duration', async () => {
  const brief = await startEngine({ port: 0, secret: null, maxSessionSeconds: 0.05 })
  const client = await RealtimeClient.connect(brief.url)
  const closed = client.closed()
  expect(await client.next('error')).toMatchObject({ error: { code: 'session_expired' } })
  expect((await closed).code).toBe(1001)
  await brief.close()
})

test('close ends all sessions and can be called twice', async () => {
  const other = await startEngine({ port: 0, secret: null })
  const client = await RealtimeClient.connect(other.url)
  const closed = client.closed()
  await Promise.all([other.close(), other.close()])
  expect((await closed).code).toBe(1001)
})

test('answers 426 to a plain HTTP request', async () => {
  const response = await fetch(engine.url.replace('ws:', 'http:'))
  expect(response.status).toBe(426)
})

test('returns the list of models to a caller with the key, so that a connection can be tested [ENG-16]', async () => {
  const url = engine.url.replace('ws:', 'http:').replace('realtime', 'models')
  const response = await fetch(url, { headers: key })
  expect([response.status, await response.json()]).toMatchObject([200, { data: [{ id: 'parley-engine' }] }])
  expect((await fetch(url)).status).toBe(401)
  const elsewhere = await fetch(url.replace('/v1/', '/'), { headers: key })
  expect([elsewhere.status, await elsewhere.text()]).toEqual([404, expect.stringContaining('/v1/realtime')])
})

test('startEngine rejects if the port is taken', async () => {
  const port = Number(new URL(engine.url).port)
  await expect(startEngine({ port, secret: null })).rejects.toThrow('EADDRINUSE')
})
