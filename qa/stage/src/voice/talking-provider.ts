import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type WebSocket, WebSocketServer } from 'ws'

const rate = 24_000
const chunkMilliseconds = 200
/** How far the provider is ahead of the listener. Models speak faster than real time. */
const leadMilliseconds = 400
const chunksPerAnswer = 150
/** Never silent, so that silence always means missing audio. */
const chunk = Buffer.from(new Int16Array((rate * chunkMilliseconds) / 1000).fill(8000).buffer).toString(
  'base64',
)

export interface SpeechInterval {
  readonly atMilliseconds: number
  /** The amount of microphone audio received so far. */
  readonly heardMilliseconds: number
}

export interface TalkingProvider {
  readonly url: string
  /** The received audio of the latest session. */
  readonly heard: readonly SpeechInterval[]
  close(): Promise<void>
}

/**
 * Starts a provider that talks without a pause from the start of a session, in real time, one answer after
 * the other.
 */
export async function startTalkingProvider(): Promise<TalkingProvider> {
  const http = createServer()
  const sockets = new WebSocketServer({ server: http, perMessageDeflate: false })
  let heard: SpeechInterval[] = []
  sockets.on('connection', (socket) => {
    heard = []
    converse(socket, heard)
  })
  await new Promise<void>((resolve) => void http.listen(0, '127.0.0.1', resolve))
  const { port } = http.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}/v1`,
    get heard() {
      return heard
    },
    async close() {
      for (const socket of sockets.clients) socket.terminate()
      await new Promise((resolve) => void http.close(resolve))
    },
  }
}

function converse(socket: WebSocket, heard: SpeechInterval[]): void {
  let heardMilliseconds = 0
  const send = (event: object) => socket.send(JSON.stringify(event))
  socket.on('error', () => undefined)
  socket.on('message', (data) => {
    const event = JSON.parse(String(data)) as { type: string; audio?: string }
    if (event.type === 'session.update') {
      send({ type: 'session.updated', session: {} })
      talk(socket, send)
    }
    if (event.type !== 'input_audio_buffer.append') return
    heardMilliseconds += ((event.audio ?? '').length * 0.75 * 1000) / (2 * rate)
    heard.push({ atMilliseconds: performance.now(), heardMilliseconds })
  })
  send({ type: 'session.created', session: {} })
}

function talk(socket: WebSocket, send: (event: object) => void): void {
  const startedAt = performance.now()
  let sent = 0
  const sendDue = () => {
    const due = (performance.now() - startedAt + leadMilliseconds) / chunkMilliseconds
    for (; sent < due; sent += 1) sendChunk(send, sent)
  }
  sendDue()
  const timer = setInterval(sendDue, chunkMilliseconds / 4)
  socket.once('close', () => clearInterval(timer))
}

function sendChunk(send: (event: object) => void, count: number): void {
  const answer = Math.floor(count / chunksPerAnswer)
  const ids = { response_id: `r${answer}`, item_id: `a${answer}`, output_index: 0, content_index: 0 }
  if (count % chunksPerAnswer === 0) send({ type: 'response.created', response: { id: ids.response_id } })
  send({ type: 'response.output_audio.delta', ...ids, delta: chunk })
  if (count % chunksPerAnswer < chunksPerAnswer - 1) return
  send({ type: 'response.output_audio.done', ...ids })
  send({ type: 'response.done', response: { id: ids.response_id, status: 'completed', output: [] } })
}
