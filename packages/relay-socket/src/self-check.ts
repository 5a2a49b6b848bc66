import { once } from 'node:events'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as after } from 'node:timers/promises'
import { WebSocketServer } from 'ws'
import { FastSocket } from './fast/fast-socket.js'
import type { FrameSocket } from './frame-socket.js'
import { RelayWebSocket } from './relay-web-socket.js'

const patienceMilliseconds = 5000
const maxMessageBytes = 1024 * 1024
const options = { autoPong: false, perMessageDeflate: false, maxPayload: maxMessageBytes } as const

/** Every class of length, more bytes than one read takes, and one message that the library has to read. */
const samples = [0, 1, 125, 126, 6400, 65_535, 20_000, 70_000, 300].map((size, index) => ({
  data: Buffer.alloc(size, `frame ${index} `),
  isBinary: index % 2 === 1,
}))

/** Sends frames both ways between two sockets of the fast path. Returns why they cannot be trusted, or null if they can. */
export async function selfCheck(): Promise<string | null> {
  const patience = new AbortController()
  const timedOut = after(patienceMilliseconds, 'The self-check of the fast path timed out.', {
    signal: patience.signal,
  }).catch(() => null)
  const closing: (() => void)[] = []
  try {
    return await Promise.race([exchange(closing), timedOut])
  } finally {
    patience.abort()
    for (const close of closing) close()
  }
}

async function exchange(closing: (() => void)[]): Promise<string | null> {
  const server = createServer()
  closing.push(() => server.close())
  // Workers of a cluster share their ports, port 0 included, so another worker would get this connection.
  server.listen({ host: '127.0.0.1', port: 0, exclusive: true })
  await once(server, 'listening')
  const sockets = new WebSocketServer({ ...options, server, WebSocket: RelayWebSocket })
  const accepted = once(sockets, 'connection') as Promise<[RelayWebSocket, IncomingMessage]>
  const socket = new RelayWebSocket(`ws://127.0.0.1:${(server.address() as AddressInfo).port}`, {
    ...options,
    generateMask: (mask) => mask.fill(0),
  })
  closing.push(() => socket.terminate())
  const upgraded = once(socket, 'upgrade') as Promise<[IncomingMessage]>
  const [[near, request], [response]] = await Promise.all([accepted, upgraded, once(socket, 'open')])
  closing.push(() => near.terminate())
  const path = { maxMessageBytes, usesZeroMask: true }
  const ends = [
    FastSocket.of(near, { ...path, connection: request.socket, peer: 'client' }),
    FastSocket.of(socket, { ...path, connection: response.socket, peer: 'server' }),
  ] as const
  const [one, other] = ends
  if (one === null || other === null)
    return 'The sockets of this Node version differ from those that the fast path supports.'
  const received = [receive(one), receive(other)]
  for (const end of [one, other]) for (const { data, isBinary } of samples) end.send(data, isBinary)
  const areEqual = (await Promise.all(received)).every((frames) =>
    frames.every(
      ({ data, isBinary }, at) =>
        isBinary === samples[at]?.isBinary && data.equals(samples[at]?.data ?? Buffer.alloc(1)),
    ),
  )
  return areEqual ? null : 'The fast path changed frames in its self-check.'
}

interface Frame {
  readonly data: Buffer
  readonly isBinary: boolean
}

/** Resolves with as many frames as were sent, or with fewer if the socket closes. */
function receive(socket: FrameSocket): Promise<readonly Frame[]> {
  return new Promise((resolve, reject) => {
    const frames: Frame[] = []
    const fail = () => reject(new Error('A socket of the fast path closed in its self-check.'))
    socket.listen({
      frame(data, isBinary) {
        frames.push({ data, isBinary })
        if (frames.length === samples.length) resolve(frames)
      },
      pong: () => undefined,
      tooBig: fail,
      closed: fail,
    })
  })
}
