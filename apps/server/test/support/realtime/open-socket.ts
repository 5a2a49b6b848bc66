import type { IncomingMessage } from 'node:http'
import { text } from 'node:stream/consumers'
import WebSocket, { type ClientOptions } from 'ws'
import { closeAfterwards } from '../close-afterwards.js'
import type { RawAnswer } from '../http/send.js'
import { FrameInbox } from './frame-inbox.js'

export interface RealtimeClient {
  readonly socket: WebSocket
  readonly inbox: FrameInbox
  send(event: object | string | Buffer): void
}

const socketAt = (url: string, path: string, protocols: string[], options: ClientOptions) =>
  new WebSocket(`${url.replace('http', 'ws')}${path}`, protocols, options)

/** Opens a socket of the service at `url`. */
export async function openSocket(
  url: string,
  path: string,
  protocols: string[] = [],
  options: ClientOptions = {},
): Promise<RealtimeClient> {
  const socket = socketAt(url, path, protocols, options)
  closeAfterwards(() => socket.terminate())
  const inbox = new FrameInbox(socket)
  await new Promise<void>((resolve, reject) => {
    socket.once('open', resolve)
    socket.once('error', reject)
  })
  return {
    socket,
    inbox,
    send: (event) =>
      socket.send(typeof event === 'string' || Buffer.isBuffer(event) ? event : JSON.stringify(event)),
  }
}

/** Returns the HTTP response of a handshake. A socket that opens (101) is dropped immediately. */
export async function requestHandshake(
  url: string,
  path: string,
  protocols: string[] = [],
  options: ClientOptions = {},
): Promise<RawAnswer> {
  const socket = socketAt(url, path, protocols, options)
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    // The rest of the response does not matter. The library rejects a missing subprotocol, for example.
    socket.on('error', reject)
    socket.once('upgrade', resolve)
    socket.once('unexpected-response', (_request, answer) => resolve(answer))
  })
  const status = response.statusCode ?? 0
  const headers = new Headers()
  for (const [name, value] of Object.entries(response.headers))
    for (const each of [value ?? []].flat()) headers.append(name, each)
  const body = status === 101 ? '' : await text(response)
  socket.terminate()
  return { status, headers, text: body }
}
