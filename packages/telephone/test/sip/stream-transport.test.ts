import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net'
import { createServer as createTlsServer, connect as tlsConnect } from 'node:tls'
import { describe, expect, test } from 'vitest'
import type { NetworkAddress } from '#telephone/network-address.js'
import { openStreamTransport, type TlsOptions } from '#telephone/sip/stream-transport.js'
import { systemTimers, type Timers } from '#telephone/time.js'
import { closeAfterwards } from '../../../../apps/server/test/support/close-afterwards.js'
import { inviteLines, text } from '../support/messages.js'
import { loopbackCertificate } from '../support/programs/loopback-certificate.js'
import { TestTimers } from '../support/test-timers.js'

const message = text(...inviteLines({ 'Content-Length': '0' }))
const { certificate, key } = loopbackCertificate

async function openTransport(
  protocol: 'TCP' | 'TLS',
  options: {
    readonly tls?: TlsOptions
    readonly serverName?: string
    readonly isTrusted?: boolean
    readonly timers?: Timers
  } = {},
) {
  const received: { bytes: string; source: NetworkAddress }[] = []
  const disconnected: NetworkAddress[] = []
  const transport = await openStreamTransport(
    {
      protocol,
      bindAddress: '127.0.0.1',
      port: 0,
      serverName: options.serverName ?? '127.0.0.1',
      tls: options.tls ?? {},
      timers: options.timers ?? systemTimers,
      isTrusted: () => options.isTrusted ?? true,
      listener: {
        received: (bytes, source) => received.push({ bytes: bytes.toString(), source }),
        disconnected: (target) => disconnected.push(target),
      },
    },
    '127.0.0.1',
  )
  closeAfterwards(() => transport.close())
  return { transport, received, disconnected }
}

/** A server that records the received text. */
async function listen(server: Server) {
  const texts: string[] = []
  const sockets: Socket[] = []
  const accept = (socket: Socket) => {
    sockets.push(socket)
    socket.on('error', () => {}).on('data', (chunk) => texts.push(chunk.toString()))
  }
  // A TLS server has connections of both kinds.
  const event = 'setSecureContext' in server ? 'secureConnection' : 'connection'
  server.on(event, accept).on('tlsClientError', () => {})
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  closeAfterwards(() => {
    for (const socket of sockets) socket.destroy()
    server.close()
  })
  const { port } = server.address() as AddressInfo
  return { texts, sockets, target: { address: '127.0.0.1', port } }
}

describe('TLS', () => {
  const rows: readonly (readonly [string, TlsOptions, string, boolean])[] = [
    ['connects to a trusted server', { ca: certificate }, '127.0.0.1', true],
    ['connects to a trusted server by its name', { ca: certificate }, 'localhost', true],
    ['rejects a certificate that is not trusted', {}, '127.0.0.1', false],
    ['rejects a certificate of another name', { ca: certificate }, 'sip.example.com', false],
  ]

  test.each(rows)('%s', async (_title, tls, serverName, isAccepted) => {
    const { texts, target } = await listen(createTlsServer({ cert: certificate, key }))
    const { transport, disconnected } = await openTransport('TLS', { tls, serverName })
    transport.send(message, target)
    if (isAccepted) await expect.poll(() => texts.join('')).toBe(message.toString())
    else {
      await expect.poll(() => disconnected).toHaveLength(1)
      expect(texts).toEqual([])
    }
  })
})

test('an untrusted address sees no certificate', async () => {
  const { transport, received } = await openTransport('TLS', {
    isTrusted: false,
    tls: { certificate, key },
  })
  const socket = tlsConnect({ port: transport.local.port, host: '127.0.0.1', rejectUnauthorized: false })
  await expect(once(socket, 'secureConnect')).rejects.toThrow()
  expect(received).toEqual([])
})

test('a trusted peer connects by TLS and gets its answer there', async () => {
  const { transport, received } = await openTransport('TLS', { tls: { certificate, key } })
  const socket = tlsConnect({ port: transport.local.port, host: '127.0.0.1', ca: certificate })
  closeAfterwards(() => socket.destroy())
  let heard = ''
  socket.on('data', (chunk) => {
    heard += chunk
  })
  socket.write(message)
  await expect.poll(() => received.map(({ bytes }) => bytes)).toEqual([message.toString()])
  const [{ source } = { source: { address: '', port: 0 } }] = received
  transport.send(Buffer.from('answer'), source)
  await expect.poll(() => heard).toBe('answer')
})

describe('TCP', () => {
  test('reports a server that cannot be reached', async () => {
    const { transport, disconnected } = await openTransport('TCP')
    const { target } = await listen(createServer())
    transport.send(message, { ...target, port: 1 })
    await expect.poll(() => disconnected.map(({ port }) => port)).toEqual([1])
  })

  test('connects again after the connection was closed', async () => {
    const { texts, sockets, target } = await listen(createServer())
    const { transport, disconnected } = await openTransport('TCP')
    transport.send(message, target)
    await expect.poll(() => texts).toHaveLength(1)
    sockets[0]?.destroy()
    await expect.poll(() => disconnected).toHaveLength(1)
    transport.send(message, target)
    await expect.poll(() => texts).toHaveLength(2)
    expect(sockets).toHaveLength(2)
  })

  test('answers by the connection of the message, and answers pings', async () => {
    const { transport, received } = await openTransport('TCP')
    const socket = connect(transport.local.port, '127.0.0.1')
    closeAfterwards(() => socket.destroy())
    let heard = ''
    socket.on('data', (chunk) => {
      heard += chunk
    })
    socket.write('\r\n\r\n')
    await expect.poll(() => heard).toBe('\r\n')
    socket.write(message)
    await expect.poll(() => received.map(({ bytes }) => bytes)).toEqual([message.toString()])
    const [{ source } = { source: { address: '', port: 0 } }] = received
    transport.send(Buffer.from('answer'), source)
    await expect.poll(() => heard).toBe('\r\nanswer')
  })

  test('closes a connection whose server answers pings no longer [SIP-21]', async () => {
    const { sockets, texts, target } = await listen(createServer())
    const timers = new TestTimers()
    const { transport, disconnected } = await openTransport('TCP', { timers })
    transport.keepAlive(target)
    await expect.poll(() => texts.join('')).toBe('\r\n\r\n')
    // Not all servers answer pings.
    timers.advance(60_000)
    expect(disconnected).toEqual([])
    sockets[0]?.write('\r\n')
    for (let pings = 2; pings < 5; pings += 1) {
      await expect
        .poll(() => {
          transport.keepAlive(target)
          return timers.count
        })
        .toBe(1)
      timers.advance(9000)
      expect(disconnected).toEqual([])
      sockets[0]?.write('\r\n')
      await expect.poll(() => timers.count).toBe(0)
    }
    transport.keepAlive(target)
    timers.advance(10_000)
    await expect.poll(() => disconnected.map(({ port }) => port)).toEqual([target.port])
  })

  test.each([
    ['an untrusted address', false, 'OPTIONS'],
    ['a sender of endless headers', true, 'x'.repeat(40_000)],
  ])('closes the connection of %s', async (_title, isTrusted, bytes) => {
    const { transport, received } = await openTransport('TCP', { isTrusted })
    const socket = connect(transport.local.port, '127.0.0.1').on('error', () => {})
    socket.write(bytes)
    await once(socket, 'close')
    expect(received).toEqual([])
  })
})
