import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Duplex } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import { type WebSocket, WebSocketServer } from 'ws'
import { answer } from './spoken-answer.js'

/** How the provider treats a connection. The name of the model selects it. */
export const behaviors = ['speaks', 'hesitates', 'refuses', 'hangs', 'dies'] as const
export type Behavior = (typeof behaviors)[number]

const hesitationMilliseconds = 200

export interface SoakProvider {
  readonly url: string
  readonly openCount: number
  close(): Promise<void>
}

/** Starts a provider that speaks, or fails in one of several ways. */
export async function startSoakProvider(): Promise<SoakProvider> {
  const http = createServer()
  const sockets = new WebSocketServer({ noServer: true, perMessageDeflate: false })
  const connections = new Set<Duplex>()
  http.on('upgrade', async (request, socket, head) => {
    connections.add(socket)
    socket.on('close', () => connections.delete(socket))
    socket.on('error', () => undefined)
    const behavior = behaviorOf(request)
    if (behavior === 'refuses')
      return void socket.end('HTTP/1.1 401 Unauthorized\r\nConnection: close\r\n\r\n')
    // Sends nothing, but notices when the service leaves.
    if (behavior === 'hangs') return void socket.resume().once('end', () => socket.destroy())
    if (behavior === 'hesitates') await sleep(hesitationMilliseconds)
    if (!socket.destroyed)
      sockets.handleUpgrade(request, socket, head, (webSocket) => converse(webSocket, behavior))
  })
  await new Promise<void>((resolve) => void http.listen(0, '127.0.0.1', resolve))
  const { port } = http.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}/v1`,
    get openCount() {
      return connections.size
    },
    async close() {
      for (const connection of connections) connection.destroy()
      await new Promise((resolve) => void http.close(resolve))
    },
  }
}

function behaviorOf(request: IncomingMessage): Behavior {
  const model = new URL(request.url ?? '', 'http://provider').searchParams.get('model')
  return behaviors.find((behavior) => behavior === model) ?? 'speaks'
}

function converse(socket: WebSocket, behavior: Behavior): void {
  let turn = 0
  const send = (event: object) => socket.send(JSON.stringify(event))
  socket.on('error', () => undefined)
  socket.on('message', (data) => {
    const { type } = JSON.parse(String(data)) as { type: string }
    if (type === 'session.update') send({ type: 'session.updated', session: {} })
    if (type !== 'input_audio_buffer.commit') return
    turn += 1
    const events = answer(turn)
    // Stops in the middle of the answer.
    for (const event of behavior === 'dies' ? events.slice(0, events.length / 2) : events) send(event)
    if (behavior === 'dies') socket.terminate()
  })
  send({ type: 'session.created', session: {} })
}
