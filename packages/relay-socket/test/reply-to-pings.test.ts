import { describe, expect, test } from 'vitest'
import WebSocket from 'ws'
import type { RelayIo } from '#relay-socket/index.js'
import { acceptSocket } from './support/accepted-socket.js'

const patiently = { timeout: 60_000, interval: 20 }
/** More bytes than the kernel buffers for both ends of a connection. */
const jamBytes = 24 * 1024 * 1024
const pingBytes = 100

async function connect(io: RelayIo) {
  const { socket, frames, client } = await acceptSocket(io)
  const pongs: string[] = []
  client.on('pong', (data: Buffer) => pongs.push(data.toString()))
  const pings: string[] = []
  socket.on('ping', (data: Buffer) => pings.push(data.toString()))
  const nothing = () => undefined
  frames.listen({ frame: nothing, pong: nothing, tooBig: nothing, closed: nothing })
  return { client, pongs, frames, socket, pings }
}

const payload = (number: number) => String(number).padStart(pingBytes, '0')

describe.each<RelayIo>(['ws', 'fast'])('pings (%s)', (io) => {
  test('pings are answered one by one with their contents [RT-32]', async () => {
    const { client, pongs } = await connect(io)
    for (let number = 0; number < 5; number += 1) {
      client.ping(payload(number))
      await expect.poll(() => pongs.at(-1), patiently).toBe(payload(number))
    }
    expect(pongs).toHaveLength(5)
  })

  test('pings of a client that does not read leave one pong waiting, and the last is answered [RT-32]', async () => {
    const { client, pongs, frames, pings } = await connect(io)
    client.pause()
    frames.send(Buffer.alloc(jamBytes), true)
    const before = frames.bufferedBytes
    for (let number = 0; number < 90; number += 1) client.ping(payload(number))
    await expect.poll(() => pings.length, patiently).toBe(90)
    expect(frames.bufferedBytes - before).toBeLessThan(2 * pingBytes)
    client.resume()
    await expect.poll(() => pongs, patiently).toEqual([payload(0), payload(89)])
  })

  test.each(['ping', 'pong'] as const)('a flood of %ss cuts the client off [RT-32]', async (kind) => {
    const { client, socket } = await connect(io)
    for (let number = 0; number < 5000; number += 1) client[kind]()
    await expect.poll(() => socket.readyState, patiently).toBe(WebSocket.CLOSED)
  })
})
