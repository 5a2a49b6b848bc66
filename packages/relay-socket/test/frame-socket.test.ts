import { once } from 'node:events'
import { describe, expect, test } from 'vitest'
import type { RelayIo } from '#relay-socket/index.js'
import { acceptSocket, maxMessageBytes } from './support/accepted-socket.js'

const patiently = { timeout: 60_000, interval: 5 }

/** A listening socket that records its events. */
async function connect(io: RelayIo) {
  const { socket, frames, client } = await acceptSocket(io)
  const events: string[] = []
  const received: Buffer[] = []
  frames.listen({
    frame: (data) => received.push(data),
    pong: () => events.push('pong'),
    tooBig: () => events.push('too big'),
    closed: (code, reason) => events.push(`closed ${code} ${reason}`),
  })
  return { socket, frames, client, events, received }
}

const text = (at: number, size: number) => `${at}-`.padEnd(size, `${at % 10}`)

describe.each<RelayIo>(['ws', 'fast'])('%s', (io) => {
  test.each([100, 6400, 20_000])(
    'keeps frames of %i bytes unchanged while others arrive [RT-48]',
    async (size) => {
      const sockets = await Promise.all(Array.from({ length: 3 }, () => connect(io)))
      for (let at = 0; at < 60; at += 1) for (const { client } of sockets) client.send(text(at, size))
      for (const { received } of sockets) {
        await expect.poll(() => received.length, patiently).toBe(60)
        expect(received.map(String)).toEqual(Array.from({ length: 60 }, (_, at) => text(at, size)))
      }
    },
  )

  test.each([0, 125, 126, 6400, 65_535, 65_536, 200_000])(
    'sends frames of %i bytes in order [RT-47]',
    async (size) => {
      const { frames, client } = await connect(io)
      const received: [string, boolean][] = []
      client.on('message', (data, isBinary) => received.push([String(data), isBinary]))
      const sent = Array.from({ length: 6 }, (_, at): [string, boolean] => [
        text(at, size).slice(0, size),
        at % 2 === 1,
      ])
      for (const [data, isBinary] of sent) frames.send(isBinary ? Buffer.from(data) : data, isBinary)
      for (const [data, isBinary] of sent) frames.send(Buffer.from(data), isBinary)
      await expect.poll(() => received.length, patiently).toBe(12)
      expect(received).toEqual([...sent, ...sent])
    },
  )

  test('counts bytes that wait for a slow peer, and reports when they have left [RT-48]', async () => {
    const { frames, client } = await connect(io)
    let count = 0
    client.on('message', () => {
      count += 1
    })
    client.pause()
    const frame = Buffer.alloc(60_000, 'a')
    let sent = 0
    for (; frames.bufferedBytes < 10 * frame.length; sent += 1) frames.send(frame, false)
    let isFlushed = false
    frames.send(frame, false, () => {
      isFlushed = true
    })
    expect(frames.bufferedBytes).toBeGreaterThan(10 * frame.length)
    client.resume()
    await expect.poll(() => isFlushed, patiently).toBe(true)
    await expect.poll(() => count, patiently).toBe(sent + 1)
    expect(frames.bufferedBytes).toBe(0)
  })

  test('lets the peer feel backpressure while it is paused [RT-48]', async () => {
    const { frames, client, received } = await connect(io)
    client.send('before')
    await expect.poll(() => received.length, patiently).toBe(1)
    frames.pause()
    const total = 400
    for (let at = 0; at < total; at += 1) client.send(text(at, 60_000))
    await expect.poll(() => client.bufferedAmount, patiently).toBeGreaterThan(4 * 1024 * 1024)
    for (let passes = 0; passes < 50; passes += 1) await new Promise((resolve) => void setImmediate(resolve))
    expect(client.bufferedAmount).toBeGreaterThan(4 * 1024 * 1024)
    frames.resume()
    await expect.poll(() => received.length, patiently).toBe(total + 1)
    expect(received.slice(1).map(String)).toEqual(Array.from({ length: total }, (_, at) => text(at, 60_000)))
  })

  test('reports a message over the limit and closes with 1009 [RT-47]', async () => {
    const { client, events } = await connect(io)
    const closed = once(client, 'close')
    client.send('a'.repeat(maxMessageBytes + 1))
    expect((await closed)[0]).toBe(1009)
    await expect.poll(() => events.length, patiently).toBe(2)
    expect(events[0]).toBe('too big')
  })

  test.each([
    [1000, 'done', 1000, 'done'],
    [4321, 'a reason', 4321, 'a reason'],
    [1006, '', 1005, ''],
  ])('closes with %i "%s" [RT-47]', async (code, reason, expectedCode, expectedReason) => {
    const { frames, client, events } = await connect(io)
    const closed = once(client, 'close')
    frames.send(Buffer.from('last words'), false)
    frames.close(code, reason)
    const [received, text] = (await closed) as [number, Buffer]
    expect([received, text.toString()]).toEqual([expectedCode, expectedReason])
    await expect.poll(() => events, patiently).toEqual([`closed ${expectedCode} `.concat(expectedReason)])
  })

  test.each([1000, 3000, 4999])('reports close code %i of the peer [RT-47]', async (code) => {
    const { client, events } = await connect(io)
    client.close(code, 'bye')
    await expect.poll(() => events, patiently).toEqual([`closed ${code} bye`])
  })

  test('reports a peer that is gone without a close as 1006 [RT-47]', async () => {
    const { client, events } = await connect(io)
    client.terminate()
    await expect.poll(() => events, patiently).toEqual(['closed 1006 '])
  })

  test('reports the pong to its ping [RT-47]', async () => {
    const { frames, events } = await connect(io)
    frames.ping()
    await expect.poll(() => events, patiently).toEqual(['pong'])
  })
})
