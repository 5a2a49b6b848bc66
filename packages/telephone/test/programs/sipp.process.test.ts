import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { describe, expect, test } from 'vitest'
import type { Leg, LineOptions } from '#telephone/index.js'
import { systemTimers } from '#telephone/time.js'
import { closeAfterwards } from '../../../../apps/server/test/support/close-afterwards.js'
import { findFreePort } from '../../../../apps/server/test/support/services/free-port.js'
import { runSipp, startSipp, steps } from '../support/programs/sipp.js'
import { openTestLine } from '../support/programs/test-line.js'

/** A line that SIPp calls, and that calls SIPp. */
async function openLine(options: Partial<LineOptions> = {}, onCall?: (leg: Leg) => void) {
  const [port, sippPort] = [await findFreePort(), await findFreePort()]
  const server = { host: '127.0.0.1', port: sippPort, transport: 'udp' } as const
  const line = await openTestLine({ port, ...options, server }, onCall)
  return { line, remotePort: port, port: sippPort }
}

const { invite, request, receive, pause, bye, called, answer, ack, cancel } = steps
const hangUp = [request('BYE', 9), receive(200)]

/** A frame whose bytes are its number. */
function packet(number: number): Buffer {
  const bytes = Buffer.alloc(172, number % 250)
  bytes.writeUInt16BE(0x8000, 0)
  bytes.writeUInt16BE(number, 2)
  bytes.writeUInt32BE(number * 160, 4)
  bytes.writeUInt32BE(77, 8)
  return bytes
}

/** The RTP port of a scripted peer. */
async function openSocket() {
  const socket = createSocket('udp4')
  socket.bind(0, '127.0.0.1')
  await once(socket, 'listening')
  closeAfterwards(() => socket.close())
  return { socket, port: socket.address().port }
}

describe('calls of SIPp', () => {
  test('survive the loss of every fifth SIP message, 20 at once', { timeout: 200_000 }, async () => {
    const scenario = [invite(), request('ACK', 1), pause(3000), ...hangUp]
    const args = ['-m', '20', '-r', '20', '-l', '20', '-lost', '20']
    const callOnce = async () => {
      const { line, ...ports } = await openLine({ maxCalls: 40 })
      const { code } = await runSipp({ scenario, ...ports, args })
      expect(line.calls).toHaveLength(20)
      for (const call of line.calls) {
        await call.until('ended')
        expect(call.events.filter((event) => event === 'answered')).toHaveLength(1)
      }
      return code
    }
    // SIPp drops messages at random, so it may lose all repetitions of one and give up.
    const first = await callOnce()
    expect(first === 0 ? first : await callOnce()).toBe(0)
  })

  test('send digits by INFO', async () => {
    const { line, ...ports } = await openLine()
    const digit = request(
      'INFO',
      2,
      '\n      Content-Type: application/dtmf-relay',
      'Signal=5\r\nDuration=160',
    )
    const scenario = [invite(), request('ACK', 1), digit, receive(200), ...hangUp]
    expect(await runSipp({ scenario, ...ports })).toMatchObject({ code: 0 })
    await line.calls[0]?.until('digit 5')
  })

  test('whose session is not refreshed end by BYE', async () => {
    const { line, ...ports } = await openLine({ minimumSessionSeconds: 2 })
    const headers = '\n      Supported: timer\n      Session-Expires: 3;refresher=uac'
    const scenario = [invite('[media_port]', headers), request('ACK', 1), bye]
    expect(await runSipp({ scenario, ...ports })).toMatchObject({ code: 0 })
    expect(await line.calls[0]?.untilEnded()).toEqual({ kind: 'session_expired' })
  })

  test('whose audio stops end with the reason', async () => {
    const { line, ...ports } = await openLine({ audioLossSeconds: 2 })
    const scenario = [invite(), request('ACK', 1), bye]
    expect(await runSipp({ scenario, ...ports })).toMatchObject({ code: 0 })
    expect(await line.calls[0]?.untilEnded()).toEqual({ kind: 'audio_lost' })
  })

  test('beyond the limit are busy', async () => {
    const { line, ...ports } = await openLine({ maxCalls: 2 })
    const args = ['-m', '5', '-r', '5', '-l', '5']
    const scenario = [invite(), request('ACK', 1), pause(3000), ...hangUp]
    const { code } = await runSipp({ scenario, ...ports, args })
    expect(code).not.toBe(0)
    expect(line.calls).toHaveLength(2)
  })
})

describe('calls to SIPp', () => {
  test('are heard before they are answered', async () => {
    const { line, ...ports } = await openLine()
    const { socket, port } = await openSocket()
    const early = [called, answer(100, 'Trying'), answer(183, 'Session Progress', port), pause(2000)]
    const sipp = await startSipp({ scenario: [...early, answer(200, 'OK', port), ack, bye], ...ports })
    const call = line.dial(`sip:sipp@127.0.0.1:${ports.port}`)
    const [, from] = await once(socket, 'message')
    for (let number = 0; number < 20; number += 1) socket.send(packet(number), from.port, from.address)
    await expect.poll(() => call.frames.length).toBeGreaterThanOrEqual(20)
    expect(call.events).toEqual(['ringing'])
    await call.until('answered')
    call.leg?.hangUp()
    expect(await sipp.done).toMatchObject({ code: 0 })
  })

  test('survive the loss of every fifth SIP message, 20 at once', { timeout: 200_000 }, async () => {
    const ending = '<timewait milliseconds="8000"/>'
    const answers = [answer(100, 'Trying'), answer(180, 'Ringing'), answer(200, 'OK', '[media_port]')]
    const callAll = async () => {
      const { line, ...ports } = await openLine({ maxCalls: 40 })
      const args = ['-m', '20', '-l', '20', '-lost', '20']
      const sipp = await startSipp({ scenario: [called, ...answers, ack, bye, ending], ...ports, args })
      const calls = Array.from({ length: 20 }, () => {
        const call = line.dial(`sip:sipp@127.0.0.1:${ports.port}`)
        call.leg?.play(new Uint8Array(8000 * 4), 'words')
        return call
      })
      for (const call of calls) {
        // SIPp does not accept a BYE before the ACK, which may be lost several times.
        await expect.poll(() => call.events).toContainEqual(expect.stringMatching(/played words|ended/))
        call.leg?.hangUp()
        await call.until('ended')
        expect(call.events.filter((event) => event === 'answered').length).toBeLessThanOrEqual(1)
      }
      await sipp.done
      return calls.map(({ end }) => end?.kind)
    }
    const all = Array.from({ length: 20 }, () => 'hung_up')
    // SIPp drops messages at random, so it may lose all repetitions of one and give up.
    const first = await callAll()
    expect(first.every((kind) => kind === 'hung_up') ? first : await callAll()).toEqual(all)
  })

  test('are cancelled while they ring', async () => {
    const { line, ...ports } = await openLine()
    const scenario = [called, answer(180, 'Ringing'), cancel, answer(200, 'OK')]
    const sipp = await startSipp({ scenario, ...ports })
    const call = line.dial(`sip:sipp@127.0.0.1:${ports.port}`)
    await call.until('ringing')
    call.leg?.hangUp()
    await call.untilEnded()
    expect(await sipp.done).toMatchObject({ code: 0 })
  })
})

describe('audio over a bad network', () => {
  test('with 3 % lost and 20 % swapped packets has every frame in its place', async () => {
    const { line, ...ports } = await openLine()
    const { socket, port } = await openSocket()
    const scenario = [invite(port), request('ACK', 1), pause(30_000), ...hangUp]
    await startSipp({ scenario, ...ports })
    const call = await line.nextCall()
    // The first packet that comes tells where to send to.
    const [, from] = await once(socket, 'message')
    const numbers = Array.from({ length: 300 }, (_, index) => index)
    for (let index = 3; index < 290; index += 5)
      numbers.splice(index, 2, numbers[index + 1] ?? 0, numbers[index] ?? 0)
    const kept = numbers.filter((number) => number < 5 || number > 290 || (number * 7919) % 100 >= 3)
    for (const number of kept) {
      socket.send(packet(number), from.port, from.address)
      // At twice real time. The line drops more.
      if (number % 10 === 0) await new Promise<void>((resolve) => systemTimers.after(100, resolve))
    }
    const values = () => call.frames.map((frame) => frame[0])
    await expect.poll(() => values().length - values().indexOf(0)).toBeGreaterThanOrEqual(300)
    const heard = values()
    const start = heard.indexOf(0)
    const wrong = numbers
      .map((_, number) => number)
      .filter((number) => {
        const value = heard[start + number]
        return value !== (kept.includes(number) ? number % 250 : 0xff)
      })
    expect(wrong).toEqual([])
  })
})
