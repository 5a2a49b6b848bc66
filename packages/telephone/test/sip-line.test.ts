import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { describe, expect, test } from 'vitest'
import type { Leg } from '#telephone/leg.js'
import type { LineOptions } from '#telephone/line-options.js'
import { writeRtp } from '#telephone/media/rtp.js'
import { startTelephone } from '#telephone/telephone.js'
import { closeAfterwards } from '../../../apps/server/test/support/close-afterwards.js'
import { findFreePort } from '../../../apps/server/test/support/services/free-port.js'
import { openLine } from './support/local-line.js'
import { inviteLines, text } from './support/messages.js'
import { NotedLeg } from './support/programs/test-line.js'

async function openPair(onCall?: (leg: Leg) => void, options?: Partial<LineOptions>) {
  const [one, two] = [await findFreePort(), await findFreePort()]
  const caller = await openLine(two, one, undefined, options)
  const called = await openLine(one, two, onCall, options)
  const dial = (to = 'bob') => {
    const noted = new NotedLeg()
    noted.leg = caller.line.dial({ to }, noted)
    return noted
  }
  return { caller, called, dial, port: two }
}

describe('two lines', () => {
  test('call each other, and hear and clear audio', async () => {
    const { called, dial } = await openPair((leg) => {
      leg.play(new Uint8Array(80_000).fill(7), 'speech')
      leg.accept()
    })
    const caller = dial()
    await expect.poll(() => caller.frames.filter((frame) => frame[0] === 7).length).toBeGreaterThan(10)
    const [answerer] = called.calls
    const cleared = await answerer?.leg?.clear()
    expect(cleared?.passage).toBe('speech')
    // Two packets may be on their way.
    await expect.poll(() => caller.frames.at(-1)?.[0]).toBe(0xff)
    const heard = caller.frames.filter((frame) => frame[0] === 7).length * 20
    expect(Math.abs((cleared?.playedMilliseconds ?? 0) - heard)).toBeLessThanOrEqual(40)
    caller.leg?.hangUp()
    expect(await answerer?.untilEnded()).toEqual({ kind: 'hung_up_by_peer' })
  })

  test('use the first codec of the offer that both know', async () => {
    const { dial, called } = await openPair(undefined, { codecs: ['g711_alaw', 'g711_ulaw'] })
    const caller = dial()
    await caller.until('answered')
    expect([caller.leg?.codec, called.calls[0]?.leg?.codec]).toEqual(['g711_alaw', 'g711_alaw'])
  })

  test('encrypt if it is required', async () => {
    const { dial, called } = await openPair(undefined, { srtp: 'required' })
    const caller = dial()
    await caller.until('answered')
    await caller.hears(0.2)
    await called.calls[0]?.hears(0.2)
  })

  test('end their calls when they are closed', async () => {
    const { dial, called, caller: line } = await openPair()
    const caller = dial()
    await caller.until('answered')
    await line.line.close()
    expect(caller.end).toEqual({ kind: 'closed' })
    expect(await called.calls[0]?.untilEnded()).toEqual({ kind: 'hung_up_by_peer' })
  })

  test('dial nothing after they are closed', async () => {
    const { dial, caller } = await openPair()
    await caller.line.close()
    expect(await dial().untilEnded()).toEqual({ kind: 'closed' })
  })

  test('dial and transfer any text without a failure', async () => {
    const { dial, called } = await openPair()
    const leg = dial('\ud800 "x" <y>')
    await leg.until('answered')
    expect(called.calls[0]?.leg?.to).toContain('%22x%22')
    expect(await leg.leg?.transfer('sip:x>,<sip:evil@x')).toEqual({ kind: 'refused', status: 400 })
    expect(await leg.leg?.transfer('+4930123')).toEqual({ kind: 'refused', status: 603 })
  })

  test('end calls with the reason if no audio port is free', async () => {
    const occupied = createSocket('udp4')
    occupied.bind((await findFreePort()) & ~1, '127.0.0.1')
    await once(occupied, 'listening')
    closeAfterwards(() => occupied.close())
    const { port: first } = occupied.address()
    const [one, two] = [await findFreePort(), await findFreePort()]
    const caller = await openLine(two, one)
    const called = await openLine(one, two, undefined, { rtpPorts: { first, last: first } })
    const [incoming, outgoing] = [new NotedLeg(), new NotedLeg()]
    caller.line.dial({ to: 'bob' }, incoming)
    expect(await incoming.untilEnded()).toEqual({ kind: 'rejected', status: 503 })
    expect(called.calls[0]?.end).toEqual({ kind: 'no_audio_port' })
    called.line.dial({ to: 'ann' }, outgoing)
    expect(await outgoing.untilEnded()).toEqual({ kind: 'no_audio_port' })
    expect(caller.calls).toEqual([])
  })

  test('call over the next address of the server if nothing listens at the first [SIP-22]', async () => {
    const [one, two] = [await findFreePort(), await findFreePort()]
    const server = { host: '127.0.0.1', transport: 'tcp' } as const
    const caller = await openLine(two, one, undefined, { server }, ['127.0.0.9', '127.0.0.1'])
    const called = await openLine(one, two, undefined, { server })
    for (const count of [1, 2]) {
      const leg = new NotedLeg()
      leg.leg = caller.line.dial({ to: 'bob' }, leg)
      await leg.until('answered')
      expect(called.calls).toHaveLength(count)
      leg.leg.hangUp()
      expect(await called.calls[count - 1]?.untilEnded()).toEqual({ kind: 'hung_up_by_peer' })
    }
  })

  test('take no new calls while they drain, and keep the others', async () => {
    const { dial, called } = await openPair()
    const first = dial()
    await first.until('answered')
    await called.line.drain()
    expect(await dial().untilEnded()).toEqual({ kind: 'no_answer' })
    expect(first.end).toBeNull()
  })

  test('do not send an INVITE for a call that ends at once', async () => {
    const { dial, called } = await openPair()
    const caller = dial()
    caller.leg?.hangUp()
    expect(caller.end).toEqual({ kind: 'hung_up' })
    await dial().until('answered')
    expect(called.calls).toHaveLength(1)
  })

  test.each(['sip:bob@x\r\nEvil: yes', 'sip:', 'sip:a@b c', 'sip:a@b;x=>,<sip:evil@x'])(
    'do not dial %j',
    async (to) => {
      const { dial } = await openPair()
      expect(await dial(to).untilEnded()).toEqual({ kind: 'unreachable' })
    },
  )
})

test('an untrusted address gets no answer, and the server does', async () => {
  const [strange, known] = [await findFreePort(), await findFreePort()]
  await openLine(strange, strange, undefined, {}, ['192.0.2.5'])
  await openLine(known, known, undefined, {}, ['192.0.2.5', '127.0.0.1'])
  const socket = createSocket('udp4')
  socket.bind(0, '127.0.0.1')
  await once(socket, 'listening')
  closeAfterwards(() => socket.close())
  const answers: string[] = []
  socket.on('message', (message, { port }) =>
    answers.push(`${port} ${message.toString().split('\r\n', 1)[0]}`),
  )
  const options = inviteLines({ CSeq: '1 OPTIONS', Via: 'SIP/2.0/UDP 127.0.0.1;branch=z9hG4bK1;rport' })
  const question = text(...options.map((line) => line.replace(/^INVITE sip/, 'OPTIONS sip')))
  for (const bytes of [text(...inviteLines()), question, Buffer.from('\0'), Buffer.alloc(60_000, 'x')])
    socket.send(bytes, strange, '127.0.0.1')
  socket.send(question, known, '127.0.0.1')
  await expect.poll(() => answers).toEqual([`${known} SIP/2.0 200 OK`])
})

describe('the addresses of a line', () => {
  const options = {
    ...{ username: 'parley', password: 'secret', isRegistered: false, bindAddress: '127.0.0.1' },
    server: { host: 'sip.example.com', transport: 'udp' },
  } as const
  const listener = { registration: () => {}, called: () => new NotedLeg() }

  test('come from the service, and a line does not open without one', async () => {
    const telephone = startTelephone(() => {})
    closeAfterwards(() => telephone.close())
    const peer = await findFreePort()
    const called = await openLine(await findFreePort(), peer)
    const locate = async () => [{ address: '127.0.0.1', port: peer }]
    const line = await telephone.openLine(options, { ...listener, locate })
    line.dial({ to: '+4930123' }, new NotedLeg())
    await expect.poll(() => called.calls.length).toBe(1)
    const unknown = { ...listener, locate: () => Promise.reject(new Error('refused')) }
    await expect(telephone.openLine(options, unknown)).rejects.toThrow('sip.example.com is unknown')
  })
})

test('a line in a thread answers each of several orders to close it', async () => {
  const telephone = startTelephone(() => {})
  closeAfterwards(() => telephone.close())
  const server = { host: '127.0.0.1', transport: 'udp' } as const
  const options = { server, username: 'parley', password: 'secret', isRegistered: false }
  const port = await findFreePort()
  const line = await telephone.openLine(options, {
    locate: async () => [{ address: '127.0.0.1', port }],
    registration: () => {},
    called: () => new NotedLeg(),
  })
  const leg = line.dial({ to: '+4930123' }, new NotedLeg())
  const orders = [line.close(), line.drain(), line.close(), leg.transfer('+4930124'), leg.clear()]
  expect(await Promise.all(orders)).toEqual([
    ...[undefined, undefined, undefined],
    { kind: 'refused', status: 481 },
    { passage: null, playedMilliseconds: 0 },
  ])
})

test('a line with a public server sends no audio to a private address that the peer names', async () => {
  const [peer, port] = [await findFreePort(), await findFreePort()]
  const { calls } = await openLine(peer, port, undefined, { avoidsPrivateAddresses: true })
  const [signalling, named, real] = await Promise.all(
    [peer, 0, 0].map(async (local) => {
      const socket = createSocket('udp4')
      socket.bind(local, '127.0.0.1')
      await once(socket, 'listening')
      closeAfterwards(() => socket.close())
      return socket
    }),
  )
  if (!signalling || !named || !real) throw new Error('No socket.')
  let atNamed = 0
  let atReal = 0
  named.on('message', () => {
    atNamed += 1
  })
  real.on('message', () => {
    atReal += 1
  })
  const media = `m=audio ${named.address().port} RTP/AVP 0`
  const sdp = text('v=0', 'o=- 1 1 IN IP4 127.0.0.1', 's=-', 'c=IN IP4 127.0.0.1', 't=0 0', media)
  const invite = inviteLines({
    'Content-Type': 'application/sdp',
    Via: `SIP/2.0/UDP 127.0.0.1:${peer};branch=z9hG4bK7`,
  })
  signalling.send(`${text(...invite)}${sdp}`, port, '127.0.0.1')
  const [answer] = await once(signalling, 'message')
  let response = String(answer)
  while (!response.startsWith('SIP/2.0 200')) response = String((await once(signalling, 'message'))[0])
  const rtpPort = Number(/m=audio (\d+)/.exec(response)?.[1])
  await expect.poll(() => calls.length).toBe(1)
  for (const sequence of [1, 2, 3]) {
    const payload = Buffer.alloc(160, 0x55)
    const packet = { payloadType: 0, sequence, timestamp: sequence * 160, source: 1, payload }
    real.send(writeRtp(packet, false), rtpPort, '127.0.0.1')
  }
  await expect.poll(() => atReal).toBeGreaterThan(3)
  expect(atNamed).toBe(0)
})
