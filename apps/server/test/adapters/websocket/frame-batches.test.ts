import { describe, expect, test } from 'vitest'
import { closeAfterwards } from '../../support/close-afterwards.js'
import { acceptSocket } from '../../support/websocket/accepted-socket.js'

const patiently = { timeout: 60_000, interval: 5 }

let pass = 0

/** Counts the passes of the event loop until the test is over. */
function countPasses(): void {
  clearImmediate(counting)
  counting = setImmediate(function count() {
    pass += 1
    counting = setImmediate(count)
  })
  closeAfterwards(() => clearImmediate(counting))
}
let counting: NodeJS.Immediate | undefined

/** A server's socket as the service wraps it, what it hands on, and the client at its other end. */
async function connect() {
  const { client, frames } = await acceptSocket()
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

describe('[BND-11] frames that come all at once', () => {
  test('are handled a few in each pass of the event loop, all of them and in their order', async () => {
    const { handled, send } = await connect()
    send(5000)
    await expect.poll(() => handled.length, patiently).toBe(5000)
    expect(handled.map(({ text }) => text)).toEqual(inOrder(5000))
    const inPass = new Map<number, number>()
    for (const { pass } of handled) inPass.set(pass, (inPass.get(pass) ?? 0) + 1)
    // Two handfuls where one pass meets both what was read and what waited.
    expect(Math.max(...inPass.values())).toBeLessThanOrEqual(64)
  })

  test('on several sockets are no more in a pass: one of them has its turn', async () => {
    const sockets = await Promise.all(Array.from({ length: 4 }, connect))
    for (const { send } of sockets) send(3000)
    for (const { handled } of sockets)
      await expect.poll(() => handled.map(({ text }) => text), patiently).toEqual(inOrder(3000))
    const passes = new Set(sockets.flatMap(({ handled }) => handled.map((frame) => frame.pass)))
    // 32 each, and what is the first of what was read.
    expect((4 * 3000) / passes.size).toBeLessThan(64)
  })

  test('wait while the socket is paused, and go on after that', async () => {
    const { frames, handled, send, client } = await connect()
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

  test('come before the end of their socket', async () => {
    const { client, handled, ends, send } = await connect()
    send(3000)
    client.close()
    await expect.poll(() => ends, patiently).toEqual([3000])
    expect(handled.map(({ text }) => text)).toEqual(inOrder(3000))
  })
})
