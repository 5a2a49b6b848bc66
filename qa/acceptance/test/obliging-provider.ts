import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { json } from 'node:stream/consumers'
import { type WebSocket, WebSocketServer } from 'ws'
import { closeAfterwards } from '../../../apps/server/test/support/close-afterwards.js'
import { openaiEvents } from '../../../apps/server/test/support/scripted-chat-events.js'

/** The model's next step: words or a tool call. */
type Step = { readonly says: string } | { readonly calls: string; readonly arguments: object }

/** A model that calls a tool if the question asks for one, and otherwise repeats the words. */
function stepAfter(words: string | null): Step {
  if (words === null) return { says: 'That is done.' }
  if (/what time/i.test(words)) return { calls: 'current_time', arguments: {} }
  if (/the light/i.test(words)) return { calls: 'switch_light', arguments: { room: 'kitchen', state: 'on' } }
  return { says: `You said: ${words}` }
}

/** Serves the model over HTTP and over a socket, like a provider. Returns its address. */
export async function startObligingProvider(): Promise<string> {
  const server = createServer(async (request, response) => {
    const { messages } = (await json(request)) as { messages: { role: string; content: unknown }[] }
    const last = messages.at(-1)
    const step = stepAfter(last?.role === 'tool' ? null : JSON.stringify(last?.content))
    const { said, finish } = openaiEvents(
      'says' in step
        ? { text: step.says.split(/(?<= )/) }
        : { calls: [{ name: step.calls, arguments: step.arguments }] },
    )
    response.writeHead(200, { 'content-type': 'text/event-stream' }).end([...said, ...finish].join(''))
  })
  const sockets = new WebSocketServer({ server, perMessageDeflate: false })
  sockets.on('connection', serve)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  closeAfterwards(async () => {
    for (const socket of sockets.clients) socket.terminate()
    const closed = once(server, 'close')
    server.close()
    server.closeAllConnections()
    await closed
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`
}

interface ClientEvent {
  readonly type: string
  readonly session?: object
  readonly item?: { readonly type: string; readonly content?: readonly { readonly text?: string }[] }
}

function serve(socket: WebSocket): void {
  const send = (type: string, fields: object) => socket.send(JSON.stringify({ type, ...fields }))
  let words: string | null = ''
  let count = 0
  socket.on('error', () => undefined)
  socket.on('message', (data) => {
    const { type, session, item } = JSON.parse(String(data)) as ClientEvent
    count += 1
    if (type === 'session.update') send('session.updated', { session })
    if (type === 'conversation.item.create' && item) {
      words = item.type === 'message' ? (item.content?.[0]?.text ?? '') : null
      send('conversation.item.added', { item: { id: `item_${count}`, ...item } })
    }
    if (type === 'response.create') respond(send, stepAfter(words), count)
  })
  send('session.created', { session: {} })
}

function respond(send: (type: string, fields: object) => void, step: Step, count: number): void {
  const [responseId, itemId, callId] = [`response_${count}`, `answer_${count}`, `call_${count}`]
  const ids = { response_id: responseId, item_id: itemId, output_index: 0 }
  send('response.created', { response: { id: responseId, status: 'in_progress' } })
  if ('says' in step) {
    send('response.output_audio.delta', { ...ids, content_index: 0, delta: 'AAAA' })
    send('response.output_audio_transcript.done', { ...ids, content_index: 0, transcript: step.says })
  } else {
    const call = { call_id: callId, name: step.calls, arguments: JSON.stringify(step.arguments) }
    send('response.function_call_arguments.done', { ...ids, ...call })
  }
  send('response.done', { response: { id: responseId, status: 'completed', output: [] } })
}
