import { describe, expect, onTestFinished, test } from 'vitest'
import type { RelayIo } from '#relay-socket/index.js'
import { acceptSocket } from './support/accepted-socket.js'

const patiently = { timeout: 60_000, interval: 5 }

let pass = 0

/** Counts passes of the event loop until the test ends. */
function countPasses(): void {
  clearImmediate(counting)
  counting = setImmediate(function count() {
    pass += 1
    counting = setImmediate(count)
  })
  onTestFinished(() => clearImmediate(counting))
}
let counting: NodeJS.Immediate | undefined

async function connect(io: RelayIo) {
  const { client, frames } = await acceptSocket(io)
  const handled: { readonly text: string; readonly pass: number }[] = []
  countPasses()
  const ends: number[] = []
  frames.listen({
    frame: (data) => handled.push({ text: data.toString(), pass }),
    pong: () => undefined,
    tooBig: () => undefined,
    closed: () => ends.push(handled.length),
  })
  const send = (total: number) => {
    for (let index = 0; index < total; index += 1) client.send(String(index))
  }
  return { client, frames, handled, ends, send }
}

const inOrder = (total: number) => Array.from({ length: total }, (_, index) => String(index))

describe.each<RelayIo>(['ws', 'fast'])('frames that arrive at once (%s)', (io) => {
  test('handles a few frames in each pass of the event loop, in order [BND-11]', async () => {
    const { handled, send } = await connect(io)
    send(5000)
    await expect.poll(() => handled.length, patiently).toBe(5000)
    expect(handled.map(({ text }) => text)).toEqual(inOrder(5000))
    const inPass = new Map<number, number>()
    for (const { pass } of handled) inPass.set(pass, (inPass.get(pass) ?? 0) + 1)
    // A pass that handles frames of a read and queued frames handles two batches.
    expect(Math.max(...inPass.values())).toBeLessThanOrEqual(64)
  })

  test('handles one socket in each pass if several have frames [BND-11]', async () => {
    const sockets = await Promise.all(Array.from({ length: 4 }, () => connect(io)))
    for (const { send } of sockets) send(3000)
    for (const { handled } of sockets)
      await expect.poll(() => handled.map(({ text }) => text), patiently).toEqual(inOrder(3000))
    const passes = new Set(sockets.flatMap(({ handled }) => handled.map((frame) => frame.pass)))
    // Each pass handles 32 frames, plus the first frames of a read.
    expect((4 * 3000) / passes.size).toBeLessThan(64)
  })

  test('handles no frames while the socket is paused [BND-11]', async () => {
    const { frames, handled, send, client } = await connect(io)
    send(1000)
    await expect.poll(() => handled.length, patiently).toBeGreaterThan(0)
    frames.pause()
    const before = handled.length
    let isAnswered = false
    client.once('pong', () => {
      isAnswered = true
    })
    for (let passes = 0; passes < 50; passes += 1) await new Promise((resolve) => void setImmediate(resolve))
    expect(isAnswered).toBe(false)
    expect(handled.length - before).toBeLessThanOrEqual(64)
    frames.resume()
    await expect.poll(() => handled.map(({ text }) => text), patiently).toEqual(inOrder(1000))
  })

  test('handles all frames before the close of their socket [BND-11]', async () => {
    const { client, handled, ends, send } = await connect(io)
    send(3000)
    client.close()
    await expect.poll(() => ends, patiently).toEqual([3000])
    expect(handled.map(({ text }) => text)).toEqual(inOrder(3000))
  })
})
