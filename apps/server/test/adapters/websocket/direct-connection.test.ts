import { once } from 'node:events'
import { PassThrough } from 'node:stream'
import { TLSSocket } from 'node:tls'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { DirectConnection } from '#server/adapters/websocket/direct-connection.js'
import { acceptSocket } from '../../support/websocket/accepted-socket.js'
import { connectTcp } from '../../support/websocket/tcp-pair.js'

const patiently = { timeout: 60_000, interval: 5 }
const seed = 20_261_117

/** Bytes of which every part can be told from every other. */
function numbered(byteCount: number): Buffer {
  const bytes = Buffer.alloc(byteCount)
  for (let at = 0; at + 4 <= byteCount; at += 4) bytes.writeUInt32BE(at, at)
  return bytes
}

async function connect() {
  const { accepted, peer } = await connectTcp()
  const direct = DirectConnection.of(accepted)
  if (direct === null) throw new Error('This version of Node is read and written through its streams.')
  const received: Buffer[] = []
  peer.on('data', (chunk: Buffer) => received.push(chunk))
  return { accepted, peer, direct, received: () => Buffer.concat(received) }
}

/** The first write of a process is the stream's, which shows how it is done. */
async function connectForWriting() {
  const pair = await connect()
  const first = Buffer.from('first')
  if (!pair.direct.write(first)) pair.accepted.write(first)
  await expect.poll(() => pair.received().length, patiently).toBe(5)
  return pair
}

test('[RT-48] TLS, and what is no socket of Node, is read and written through its streams', async () => {
  const { accepted } = await connectTcp()
  expect(DirectConnection.of(new TLSSocket(accepted))).toBeNull()
  expect(DirectConnection.of(new PassThrough())).toBeNull()
})

describe('[RT-48] a connection that is read past its streams', () => {
  const pieces = fc.array(fc.constantFrom(1, 7, 1000, 6400, 70_000, 300_000), { minLength: 1, maxLength: 12 })
  /** After which of the pieces that are read it is paused, and for how many passes of the event loop. */
  const pauses = fc.array(fc.nat(3), { minLength: 1, maxLength: 20 })

  test('has all that comes, in order, whenever it is paused, and then the end', async () => {
    await fc.assert(
      fc.asyncProperty(pieces, pauses, async (sizes, passes) => {
        const { accepted, peer, direct } = await connect()
        const sent = numbered(sizes.reduce((sum, size) => sum + size, 0))
        const read: Buffer[] = []
        const take = (memory: Buffer, size = memory.length) => {
          read.push(Buffer.from(memory.subarray(0, size)))
          const left = passes[read.length % passes.length] ?? 0
          if (left > 0) pauseFor(left)
        }
        const pauseFor = (left: number) => {
          accepted.pause()
          setImmediate(() => (left > 1 ? pauseFor(left - 1) : accepted.resume()))
        }
        accepted.on('data', (chunk: Buffer) => take(chunk))
        direct.startReading(take)
        const ended = once(accepted, 'end')
        let at = 0
        for (const size of sizes) {
          peer.write(sent.subarray(at, at + size))
          at += size
        }
        peer.end()
        await ended
        expect(Buffer.concat(read).equals(sent)).toBe(true)
      }),
      { seed, numRuns: 30 },
    )
  })

  test('takes no more from the network than its stream holds while it is paused', async () => {
    const { accepted, peer, direct } = await connect()
    let readBytes = 0
    const count = (memory: Buffer, size = memory.length) => {
      readBytes += size
    }
    accepted.on('data', (chunk: Buffer) => count(chunk))
    direct.startReading(count)
    accepted.pause()
    const sent = numbered(8 * 1024 * 1024)
    peer.write(sent)
    await expect.poll(() => accepted.readableLength, patiently).toBeGreaterThan(0)
    for (let passes = 0; passes < 50; passes += 1) await new Promise((resolve) => void setImmediate(resolve))
    expect(accepted.readableLength).toBeLessThan(256 * 1024)
    expect(readBytes).toBe(0)
    accepted.resume()
    await expect.poll(() => readBytes, patiently).toBe(sent.length)
  })

  test('hands everything to its streams once it is told to', async () => {
    const { accepted, peer, direct } = await connect()
    const [ours, theirs]: [string[], string[]] = [[], []]
    accepted.on('data', (chunk: Buffer) => theirs.push(chunk.toString()))
    direct.startReading((memory, size) => ours.push(memory.toString('utf8', 0, size)))
    peer.write('one')
    await expect.poll(() => ours, patiently).toEqual(['one'])
    direct.stopReading()
    peer.write('two')
    await expect.poll(() => theirs, patiently).toEqual(['two'])
    expect(ours).toEqual(['one'])
  })

  test('tells of a peer that is gone without a word', async () => {
    const { accepted, peer, direct } = await connect()
    accepted.on('data', () => undefined)
    direct.startReading(() => undefined)
    const closed = new Promise((resolve) => accepted.once('close', resolve))
    peer.resetAndDestroy()
    await closed
  })
})

describe('[RT-48] a frame that is kept', () => {
  test.each([100, 6400, 20_000])(
    'stays as it came, whatever others read meanwhile (%i bytes)',
    async (size) => {
      const sockets = await Promise.all(Array.from({ length: 3 }, () => acceptSocket()))
      const kept = sockets.map(({ frames }): Buffer[] => {
        const all: Buffer[] = []
        frames.listen({
          frame: (data) => all.push(data),
          pong: () => undefined,
          tooBig: () => undefined,
          closed: () => undefined,
        })
        return all
      })
      const text = (socket: number, index: number) => `${socket}-${index}-`.padEnd(size, `${socket}`)
      const total = 60
      for (let index = 0; index < total; index += 1)
        for (const [socket, { client }] of sockets.entries()) client.send(text(socket, index))
      for (const [socket, all] of kept.entries()) {
        await expect.poll(() => all.length, patiently).toBe(total)
        expect(all.map(String)).toEqual(Array.from({ length: total }, (_, index) => text(socket, index)))
      }
    },
  )
})

describe('[RT-48] a connection that is written past its streams', () => {
  test('is not, while something waits to leave, so all keeps its order', async () => {
    const { accepted, peer, direct, received } = await connectForWriting()
    peer.pause()
    const sent = numbered(24 * 1024 * 1024)
    const size = 256 * 1024
    let directly = 0
    for (let at = 0; at < sent.length; at += size) {
      const piece = sent.subarray(at, at + size)
      if (direct.write(piece)) directly += 1
      else accepted.write(piece)
    }
    expect(directly).toBeGreaterThan(0)
    expect(direct.waitingBytes).toBe(size)
    expect(accepted.writableLength).toBe(sent.length - directly * size)
    peer.resume()
    await expect.poll(() => received().length, patiently).toBe(5 + sent.length)
    expect(received().subarray(5).equals(sent)).toBe(true)
    await expect.poll(() => direct.waitingBytes + accepted.writableLength, patiently).toBe(0)
    expect(direct.write(Buffer.from('again'))).toBe(true)
    await expect.poll(() => received().subarray(-5).toString(), patiently).toBe('again')
  })

  test('is not, while its stream has something that waits', async () => {
    const { accepted, peer, direct, received } = await connectForWriting()
    peer.pause()
    const piece = Buffer.alloc(256 * 1024, 'stream')
    let count = 0
    for (; accepted.writableLength < 2 * piece.length; count += 1) accepted.write(piece)
    expect(direct.write(Buffer.from('behind it'))).toBe(false)
    accepted.write('behind it')
    peer.resume()
    await expect.poll(() => received().length, patiently).toBe(5 + count * piece.length + 9)
    expect(received().subarray(-9).toString()).toBe('behind it')
  })

  test('closes when the peer is gone with something on the way to it', async () => {
    const { accepted, peer, direct } = await connectForWriting()
    peer.pause()
    const piece = Buffer.alloc(256 * 1024)
    while (direct.write(piece));
    expect(direct.waitingBytes).toBe(piece.length)
    const closed = new Promise((resolve) => accepted.once('close', resolve))
    peer.resetAndDestroy()
    await closed
    await expect.poll(() => direct.waitingBytes, patiently).toBe(0)
    expect(direct.write(piece)).toBe(false)
  })

  test('ends after what was written before', async () => {
    const { accepted, peer, direct, received } = await connectForWriting()
    peer.pause()
    const piece = numbered(256 * 1024)
    let count = 0
    while (direct.write(piece)) count += 1
    accepted.end()
    peer.resume()
    await once(peer, 'end')
    expect(received().length).toBe(5 + count * piece.length)
  })
})
