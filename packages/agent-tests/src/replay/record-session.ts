import type { IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'
import { WebSocket, type WebSocketServer } from 'ws'
import type { ExchangeFile } from './exchange-files.js'
import { bytesOf, maxFrameBytes, rejectHandshake } from './loopback-server.js'
import { headersOf } from './record-request.js'
import { audioAppendBytes } from './recorded-line.js'

export interface RecordedSession {
  readonly file: ExchangeFile
  readonly target: string
  readonly ends: Set<() => void>
  readonly sockets: WebSocketServer
}

const connectMilliseconds = 15_000
/** Close codes that must not be sent. 1001 is sent instead. */
const unsendable = [1005, 1006, 1015]
const goingAway = 1001

/** Forwards a realtime session in both directions, frame by frame, and records it. */
export async function recordSession(
  { file, target, ends, sockets }: RecordedSession,
  request: IncomingMessage,
  socket: Duplex,
  head: Buffer,
): Promise<void> {
  const opened = await connect(target, request)
  if (!opened.ok) {
    file.status(opened.status, {})
    file.end('provider', { isWhole: false })
    return rejectHandshake(socket, opened.status)
  }
  const { provider, early } = opened
  sockets.handleUpgrade(request, socket, head, (client) => {
    const close = (from: 'client' | 'provider', code: number, reason: string) => {
      file.end(from, { isWhole: true, code, reason })
      ends.delete(giveUp)
      const sent = unsendable.includes(code) ? goingAway : code
      for (const side of [client, provider]) if (side.readyState === WebSocket.OPEN) side.close(sent, reason)
    }
    const giveUp = () => close('client', goingAway, '')
    ends.add(giveUp)
    const fromProvider = (data: Buffer, isBinary: boolean) => {
      if (isBinary) file.bytes('provider', data)
      else file.text('provider', data.toString('utf8'))
      client.send(data, { binary: isBinary })
    }
    for (const { data, isBinary } of early.splice(0)) fromProvider(data, isBinary)
    provider.removeAllListeners('message')
    provider.on('message', (data, isBinary) => fromProvider(bytesOf(data), isBinary))
    provider.on('close', (code, reason) => close('provider', code, reason.toString('utf8')))
    client.on('message', (data, isBinary) => {
      const frame = bytesOf(data)
      writeClientFrame(file, frame, isBinary)
      provider.send(frame, { binary: isBinary })
    })
    client.on('close', (code, reason) => close('client', code, reason.toString('utf8')))
    client.on('error', () => undefined)
  })
}

interface Frame {
  readonly data: Buffer
  readonly isBinary: boolean
}

type Opened =
  | { readonly ok: true; readonly provider: WebSocket; readonly early: Frame[] }
  | { readonly ok: false; readonly status: number }

/** Connects to the provider with the client's headers, including its key. */
function connect(target: string, request: IncomingMessage): Promise<Opened> {
  const names = Object.keys(request.headers).filter(
    (name) => !['host', 'connection', 'upgrade'].includes(name) && !name.startsWith('sec-websocket-'),
  )
  const protocols = (request.headers['sec-websocket-protocol'] ?? '')
    .split(/\s*,\s*/)
    .filter((each) => each !== '')
  return new Promise((resolve) => {
    const provider = new WebSocket(target, protocols, {
      headers: headersOf(request, names),
      perMessageDeflate: false,
      maxPayload: maxFrameBytes,
      handshakeTimeout: connectMilliseconds,
    })
    const early: Frame[] = []
    provider.on('message', (data, isBinary) => early.push({ data: bytesOf(data), isBinary }))
    provider.once('open', () => resolve({ ok: true, provider, early }))
    provider.on('error', () => resolve({ ok: false, status: 502 }))
    provider.once('unexpected-response', (_request, response) => {
      response.destroy()
      resolve({ ok: false, status: response.statusCode ?? 502 })
    })
  })
}

function writeClientFrame(file: ExchangeFile, frame: Buffer, isBinary: boolean): void {
  const text = isBinary ? null : frame.toString('utf8')
  const audioBytes = text === null ? frame.length : audioAppendBytes(text)
  if (audioBytes !== null) file.audio(audioBytes)
  else if (text !== null) file.text('client', text)
}
