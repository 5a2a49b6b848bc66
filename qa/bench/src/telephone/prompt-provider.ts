import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { type WebSocket, WebSocketServer } from 'ws'
import { frameBytes } from './telephone-line.js'

/** Frames of the caller that the provider reacts to. */
export const endOfQuestion = Buffer.alloc(frameBytes, 0x01)
export const interruption = Buffer.alloc(frameBytes, 0x02)

const [endCode, interruptionCode] = [endOfQuestion, interruption].map((frame) => frame.toString('base64'))
const answer = Buffer.alloc(8000 * 3, 0x55).toString('base64')

/** A provider without a model: it answers and detects speech at once, so that only the service takes time. */
export async function startPromptProvider(): Promise<{ readonly url: string; close(): void }> {
  const server = new WebSocketServer({ host: '127.0.0.1', port: 0, perMessageDeflate: false })
  server.on('connection', (socket) => {
    let responses = 0
    socket.on('message', (data) => {
      const event = JSON.parse(data.toString()) as { type: string; audio?: string }
      if (event.type === 'session.update') send(socket, { type: 'session.updated', session: {} })
      if (event.audio === interruptionCode)
        send(socket, { type: 'input_audio_buffer.speech_started', item_id: `question_${responses}` })
      if (event.audio === endCode) {
        responses += 1
        respond(socket, responses)
      }
    })
    send(socket, { type: 'session.created', session: {} })
  })
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    close: () => server.close(),
  }
}

function respond(socket: WebSocket, number: number): void {
  const id = `response_${number}`
  const item = { response_id: id, item_id: `answer_${number}`, output_index: 0, content_index: 0 }
  send(socket, { type: 'input_audio_buffer.committed', item_id: `question_${number}` })
  send(socket, { type: 'response.created', response: { id, status: 'in_progress' } })
  send(socket, { type: 'response.output_audio.delta', ...item, delta: answer })
  send(socket, { type: 'response.done', response: { id, status: 'completed', output: [] } })
}

const send = (socket: WebSocket, event: object) => socket.send(JSON.stringify(event))
