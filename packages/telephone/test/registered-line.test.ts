import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { createServer } from 'node:tls'
import { expect, test } from 'vitest'
import { PacingClock } from '#telephone/media/pacing-clock.js'
import { openSipLine } from '#telephone/sip-line.js'
import { systemTimers } from '#telephone/time.js'
import { closeAfterwards } from '../../../apps/server/test/support/close-afterwards.js'
import { openLine } from './support/local-line.js'
import { inviteLines, text } from './support/messages.js'
import { loopbackCertificate } from './support/programs/loopback-certificate.js'
import { NotedLeg } from './support/programs/test-line.js'
import { headerIn, ScriptedServer } from './support/scripted-server.js'
import { TestTimers } from './support/test-timers.js'

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
