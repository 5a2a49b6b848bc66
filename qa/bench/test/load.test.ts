import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Duplex } from 'node:stream'
import { makeClientFrame, makeProviderFrame, sentAt, usualShape } from '@parley/stage/load/frames'
import { microseconds } from '@parley/stage/load/stamp'
import { afterAll, expect, test } from 'vitest'
import WebSocket, { WebSocketServer } from 'ws'
import { makeFrame, opcodes } from '#bench/relay/wire/frame.js'
import { acceptConnection, openConnection } from '#bench/relay/wire/handshake.js'
import { LoadSocket } from '#bench/relay/wire/load-socket.js'

/*
 * The load generator of the bench has its own WebSocket code. These tests run it against `ws` in both roles.
 */

const toClose: (() => void)[] = []
afterAll(() => {
  for (const close of toClose) close()
})

/** Returns a listener that records what a socket of the load generator received. */
function makeListener() {
  const loads: number[] = []
  const others: string[] = []
  return {
    loads,
    others,
    onLoad: (leftAt: number) => void loads.push(leftAt),
    onOther: (message: Buffer) => void others.push(message.toString()),
  }
}

const template = { client: makeClientFrame(usualShape), provider: makeProviderFrame(usualShape) }

/** Exchanges every kind of message between the two ends. Either end can be the client. */
async function converse(
  load: LoadSocket,
  heard: ReturnType<typeof makeListener>,
  peer: WebSocket,
  isClient: boolean,
) {
  const [own, theirs] = isClient ? [template.client, template.provider] : [template.provider, template.client]
  const before = microseconds()
  for (let turn = 0; turn < 2; turn += 1) {
    const arrived = once(peer, 'message')
    load.sendFrame(own)
    const [data, isBinary] = (await arrived) as [Buffer, boolean]
    expect(isBinary).toBe(false)
    expect(JSON.parse(data.toString())).toHaveProperty('type', JSON.parse(own.template.toString()).type)
    expect(sentAt(data)).toBeGreaterThanOrEqual(before)
    expect(sentAt(data)).toBeLessThanOrEqual(microseconds())
  }

  const arrived = once(peer, 'message')
  load.send({ type: 'session.created' })
  expect(String((await arrived)[0])).toBe('{"type":"session.created"}')

  peer.send(theirs.make(), { binary: false })
  peer.send('{"type":"session.update"}')
  peer.send(theirs.make(), { binary: false })
  const answered = once(peer, 'pong')
  peer.ping('are you there')
  expect(String((await answered)[0])).toBe('are you there')
  expect(heard.loads).toHaveLength(2)
  expect(heard.loads[0]).toBeGreaterThanOrEqual(before)
  expect(heard.others).toEqual(['{"type":"session.update"}'])

  const closed = once(peer, 'close')
  peer.close(1000, 'done')
  expect((await closed)[0]).toBe(1000)
  expect(load.hasRoom(1)).toBe(false)
}

test('the load exchanges messages with a `ws` server', async () => {
  const server = new WebSocketServer({ host: '127.0.0.1', port: 0 })
  toClose.push(() => server.close())
  await once(server, 'listening')
  const accepted = once(server, 'connection')
  const connection = await openConnection(`ws://127.0.0.1:${(server.address() as AddressInfo).port}/`)
  const heard = makeListener()
  const load = new LoadSocket(connection, true, heard)
  const [peer] = (await accepted) as [WebSocket]
  await converse(load, heard, peer, true)
})

test('the load exchanges messages with a `ws` client', async () => {
  const server = createServer()
  toClose.push(() => server.close())
  const heard = makeListener()
  const accepted = new Promise<LoadSocket>((resolve) => {
    server.on('upgrade', (request, connection, head) => {
      acceptConnection(request, connection)
      resolve(new LoadSocket({ connection, head }, false, heard))
    })
  })
  server.listen({ host: '127.0.0.1', port: 0 })
  await once(server, 'listening')
  const peer = new WebSocket(`ws://127.0.0.1:${(server.address() as AddressInfo).port}/`)
  await once(peer, 'open')
  await converse(await accepted, heard, peer, false)
})

test('the load reads frames that arrive in pieces of any size', async () => {
  const sent = template.client.make()
  const bytes = Buffer.concat([
    makeFrame(opcodes.text, Buffer.from('{"type":"session.update"}'), true).bytes,
    makeFrame(opcodes.text, sent, true).bytes,
    makeFrame(opcodes.text, Buffer.from('{}'), true).bytes,
  ])
  for (const size of [1, 7, 4096, bytes.length]) {
    const heard = makeListener()
    const connection = new Duplex({ read: () => undefined, write: (_bytes, _encoding, done) => done() })
    new LoadSocket({ connection, head: bytes.subarray(0, 1) }, false, heard)
    for (let at = 1; at < bytes.length; at += size)
      connection.push(Buffer.from(bytes.subarray(at, at + size)))
    await new Promise(setImmediate)
    expect(heard.loads).toEqual([sentAt(sent)])
    expect(heard.others).toEqual(['{"type":"session.update"}', '{}'])
  }
})

test('opening a rejected session throws an error with its status', async () => {
  const server = createServer((_request, response) => response.writeHead(404).end())
  toClose.push(() => server.close())
  server.listen({ host: '127.0.0.1', port: 0 })
  await once(server, 'listening')
  const url = `ws://127.0.0.1:${(server.address() as AddressInfo).port}/`
  await expect(openConnection(url)).rejects.toThrow('A session was rejected with 404.')
})
