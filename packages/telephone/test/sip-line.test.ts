import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { createServer } from 'node:tls'
import { describe, expect, test } from 'vitest'
import type { Leg } from '#telephone/leg.js'
import type { LineOptions } from '#telephone/line-options.js'
import { PacingClock } from '#telephone/media/pacing-clock.js'
import { writeRtp } from '#telephone/media/rtp.js'
import { openSipLine } from '#telephone/sip-line.js'
import { startTelephone } from '#telephone/telephone.js'
import { systemTimers } from '#telephone/time.js'
import { closeAfterwards } from '../../../apps/server/test/support/close-afterwards.js'
import { findFreePort } from '../../../apps/server/test/support/services/free-port.js'
import { inviteLines, text } from './support/messages.js'
import { loopbackCertificate } from './support/programs/loopback-certificate.js'
import { NotedLeg } from './support/programs/test-line.js'
import { headerIn, ScriptedServer } from './support/scripted-server.js'
import { TestTimers } from './support/test-timers.js'

/** A line in this thread, whose peer is the given port of this machine. */
async function openLine(
  peer: number,
  port: number,
  onCall: (leg: Leg) => void = (leg) => leg.accept(),
  options: Partial<LineOptions> = {},
  addresses = ['127.0.0.1'],
) {
  const calls: NotedLeg[] = []
  const line = await openSipLine(
    {
      server: { host: '127.0.0.1', transport: 'udp' },
      username: 'parley',
      password: 'secret',
      isRegistered: false,
      bindAddress: '127.0.0.1',
      port,
      ...options,
    },
    {
      timers: systemTimers,
      clock: new PacingClock(systemTimers),
      listener: {
        locate: async () => addresses.map((address) => ({ address, port: peer })),
        registration: () => {},
        called: (leg) => {
          const noted = new NotedLeg()
          noted.leg = leg
          calls.push(noted)
          onCall(leg)
          return noted
        },
      },
    },
  )
  closeAfterwards(() => line.close())
  return { line, calls }
}

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

test('a registered line keeps its address open, names the dialled number, and unregisters', async () => {
  const registrar = createSocket('udp4')
  registrar.bind(0, '127.0.0.1')
  await once(registrar, 'listening')
  closeAfterwards(() => registrar.close())
  const heard: string[] = []
  registrar.on('message', (message, from) => {
    const request = message.toString()
    heard.push(request)
    if (!request.startsWith('REGISTER')) return
    const headers = request.split('\r\n').filter((line) => /^(Via|From|To|Call-ID|CSeq|Contact):/.test(line))
    registrar.send(text('SIP/2.0 200 OK', ...headers, 'Expires: 600'), from.port, from.address)
  })
  const timers = new TestTimers()
  const states: string[] = []
  const called: string[] = []
  const line = await openSipLine(
    {
      server: { host: '127.0.0.1', transport: 'udp' },
      domain: 'example.com',
      username: 'parley',
      password: 'secret',
      bindAddress: '127.0.0.1',
    },
    {
      timers,
      clock: new PacingClock(timers),
      listener: {
        locate: async () => [{ address: '127.0.0.1', port: registrar.address().port }],
        registration: ({ kind }) => states.push(kind),
        called: (leg) => {
          called.push(leg.to)
          leg.reject(404)
          return new NotedLeg()
        },
      },
    },
  )
  await expect.poll(() => states.at(-1)).toBe('registered')
  expect(heard[0]).toContain('REGISTER sip:example.com SIP/2.0')
  timers.advance(26_000)
  await expect.poll(() => heard.at(-1)).toBe('\r\n\r\n')

  const contact = /Contact: <([^>]+)>/.exec(heard[0] ?? '')?.[1] ?? ''
  const sdp =
    'v=0\r\no=- 1 1 IN IP4 127.0.0.1\r\ns=-\r\nc=IN IP4 127.0.0.1\r\nt=0 0\r\nm=audio 9 RTP/AVP 0\r\n'
  const invite = inviteLines({ To: '<sip:+4930123@example.com>', 'Content-Type': 'application/sdp' })
  const bytes = `${[`INVITE ${contact} SIP/2.0`, ...invite.slice(1)].join('\r\n')}\r\n\r\n${sdp}`
  registrar.send(bytes, Number(/:(\d+)/.exec(contact)?.[1]), '127.0.0.1')
  await expect.poll(() => called).toEqual(['sip:+4930123@example.com'])

  await line.close()
  expect(states.at(-1)).toBe('off')
  expect(heard.at(-1)).toContain('Expires: 0')
})

test('a registered line registers again if the server sees another address of it [SIP-21]', async () => {
  const server = await ScriptedServer.start()
  server.seenPort = 40_001
  const { line } = await openLine(server.port, 0, undefined, { isRegistered: true })
  await expect.poll(() => server.requests('REGISTER')).toHaveLength(2)
  expect(headerIn(server.requests('REGISTER')[1], 'Contact')).toContain('127.0.0.1:40001>')
  server.seenPort = 40_002
  const call = new NotedLeg()
  line.dial({ to: '+4930123' }, call)
  await call.until('answered')
  await expect.poll(() => server.requests('REGISTER')).toHaveLength(4)
  expect(headerIn(server.requests('REGISTER')[3], 'Contact')).toContain('127.0.0.1:40002>')
})

test('a line registers over TLS, and is called by the connection that it has opened', async () => {
  const { certificate, key } = loopbackCertificate
  const server = createServer({ cert: certificate, key })
  closeAfterwards(() => server.close())
  const heard: string[] = []
  server.on('secureConnection', (socket) => {
    closeAfterwards(() => socket.destroy())
    socket
      .on('error', () => {})
      .on('data', (chunk: Buffer) => {
        const message = chunk.toString()
        heard.push(message)
        if (!message.startsWith('REGISTER')) return
        const headers = message
          .split('\r\n')
          .filter((header) => /^(Via|From|To|Call-ID|CSeq|Contact):/.test(header))
        socket.write(text('SIP/2.0 200 OK', ...headers, 'Expires: 600', 'Content-Length: 0'))
        const options = inviteLines({
          CSeq: '1 OPTIONS',
          Via: 'SIP/2.0/TLS 127.0.0.1;branch=z9hG4bK1',
          'Content-Length': '0',
        })
        socket.write(text(...options.map((header) => header.replace(/^INVITE sip/, 'OPTIONS sip'))))
      })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const states: string[] = []
  const line = await openSipLine(
    {
      server: { host: '127.0.0.1', transport: 'tls' },
      username: 'parley',
      password: 'secret',
      bindAddress: '127.0.0.1',
      tls: { ca: certificate },
    },
    {
      timers: systemTimers,
      clock: new PacingClock(systemTimers),
      listener: {
        locate: async () => [{ address: '127.0.0.1', port }],
        registration: ({ kind }) => states.push(kind),
        called: () => new NotedLeg(),
      },
    },
  )
  await expect.poll(() => states.at(-1)).toBe('registered')
  await expect.poll(() => heard.some((message) => message.startsWith('SIP/2.0 200'))).toBe(true)
  expect(heard[0]).toMatch(/Contact: <sip:parley@127\.0\.0\.1:\d+;transport=tls>/)
  await line.close()
  expect(states.at(-1)).toBe('off')
})
