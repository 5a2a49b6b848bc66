import { once } from 'node:events'
import { PassThrough } from 'node:stream'
import { TLSSocket } from 'node:tls'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { DirectConnection } from '#relay-socket/fast/direct-connection.js'
import { connectTcp } from './support/tcp-pair.js'

const patiently = { timeout: 60_000, interval: 5 }
const seed = 20_261_117

/** Bytes without repetition, so that every section is unique. */
function numbered(byteCount: number): Buffer {
  const bytes = Buffer.alloc(byteCount)
  for (let at = 0; at + 4 <= byteCount; at += 4) bytes.writeUInt32BE(at, at)
  return bytes
}

async function connect() {
  const { accepted, peer } = await connectTcp()
  const direct = DirectConnection.of(accepted)
  if (direct === null) throw new Error('This version of Node is not proven.')
  const received: Buffer[] = []
  peer.on('data', (chunk: Buffer) => received.push(chunk))
  return { accepted, peer, direct, received: () => Buffer.concat(received) }
}

/** A connection that has written five bytes. */
async function connectForWriting() {
  const pair = await connect()
  expect(pair.direct.write(Buffer.from('first'))).toBe(true)
  await expect.poll(() => pair.received().length, patiently).toBe(5)
  return pair
}

test('refuses TLS and streams that are not sockets of Node [RT-48]', async () => {
  const { accepted } = await connectTcp()
  expect(DirectConnection.of(new TLSSocket(accepted))).toBeNull()
  expect(DirectConnection.of(new PassThrough())).toBeNull()
})

describe('reading a direct connection', () => {
  const pieces = fc.array(fc.constantFrom(1, 7, 1000, 6400, 70_000, 300_000), { minLength: 1, maxLength: 12 })
  /** The number of event-loop passes for which the connection is paused after each read. */
  const pauses = fc.array(fc.nat(3), { minLength: 1, maxLength: 20 })

  test('delivers every byte in order, whenever it is paused, and then the end [RT-48]', async () => {
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

  test('reads no more than its stream holds while it is paused [RT-48]', async () => {
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

  test('leaves reads to the stream after stopReading [RT-48]', async () => {
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

  test('closes when the peer resets the connection [RT-48]', async () => {
    const { accepted, peer, direct } = await connect()
    accepted.on('data', () => undefined)
    direct.startReading(() => undefined)
    const closed = new Promise((resolve) => accepted.once('close', resolve))
    peer.resetAndDestroy()
    await closed
  })
})

describe('writing a direct connection', () => {
  test('leaves writes to the stream while bytes wait, so that the order stays [RT-48]', async () => {
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

  test('leaves writes to the stream while the stream holds bytes [RT-48]', async () => {
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

  test('closes if the peer resets the connection while bytes wait [RT-48]', async () => {
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

  test('ends after the bytes that were written before [RT-48]', async () => {
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
