import { setTimeout as sleep } from 'node:timers/promises'
import type { WebSocket } from 'ws'
import { type Attack, scaled, tally } from '../stage.js'

const transcripts = 5000
/** The maximum that the service accepts. */
const calls = 1000
const tooManyCalls = 100_000
const megabytes = 80
const holdMilliseconds = 10_000

/** The service stores each transcript as a message. */
function sendTranscripts(socket: WebSocket, count: number): void {
  for (let index = 0; index < count; index += 1)
    send(socket, {
      type: 'conversation.item.input_audio_transcription.completed',
      item_id: `item_${index}`,
      content_index: 0,
      transcript: `Sentence ${index}.`,
    })
}

/** Announces the calls of one response one by one and all together. */
function sendCalls(socket: WebSocket, count: number): void {
  send(socket, { type: 'response.created', response: { id: 'r', status: 'in_progress' } })
  const output = Array.from({ length: count }, (_, index) => callOf(index))
  for (const item of output) send(socket, { type: 'response.output_item.done', response_id: 'r', item })
  send(socket, { type: 'response.done', response: { id: 'r', status: 'completed', output } })
}

function sendTooManyCalls(socket: WebSocket, count: number): void {
  const output = Array.from({ length: count }, (_, index) => callOf(index))
  send(socket, { type: 'response.done', response: { id: 'r', status: 'completed', output } })
}

const callOf = (index: number) => ({
  id: `f${index}`,
  type: 'function_call',
  name: 'current_time',
  call_id: `c${index}`,
  arguments: '{}',
})

/** Calls that begin and never end, with ids and arguments of half a megabyte. */
function sendIds(socket: WebSocket, count: number): void {
  const long = 'x'.repeat(500_000)
  for (let index = 0; index < count; index += 1) {
    const item = { ...callOf(index), id: `${index}${long}`, arguments: long }
    send(socket, { type: 'response.output_item.added', response_id: 'r', item })
  }
}

/** Endless audio for a client that does not read it. */
function sendSound(socket: WebSocket, count: number): void {
  const delta = 'A'.repeat(1_000_000)
  for (let index = 0; index < count; index += 1)
    send(socket, { type: 'response.output_audio.delta', response_id: 'r', item_id: 'i', delta })
}

/** One answer with an endless transcript. */
function sendWords(socket: WebSocket, count: number): void {
  const delta = 'x'.repeat(1_000_000)
  for (let index = 0; index < count; index += 1)
    send(socket, {
      type: 'response.output_text.delta',
      response_id: 'r',
      item_id: 'i',
      content_index: 0,
      delta,
    })
}

const send = (socket: WebSocket, event: object) => socket.send(JSON.stringify(event))

export const providerFlood: Attack = {
  name: 'provider-flood',
  about:
    'runs providers that send 5000 transcripts, 1000 and 100 000 calls, and 80 MB of audio, words and ids at once',
  async run({ attacker, hostile, scale }) {
    hostile.onSession('transcripts', (socket) => sendTranscripts(socket, scaled(transcripts, scale)))
    hostile.onSession('calls', (socket) => sendCalls(socket, scaled(calls, scale)))
    hostile.onSession('too-many-calls', (socket) => sendTooManyCalls(socket, scaled(tooManyCalls, scale)))
    hostile.onSession('ids', (socket) => sendIds(socket, scaled(megabytes, scale)))
    hostile.onSession('sound', (socket) => sendSound(socket, scaled(megabytes, scale)))
    hostile.onSession('words', (socket) => sendWords(socket, scaled(megabytes, scale)))
    const models = ['transcripts', 'calls', 'too-many-calls', 'sound', 'words', 'ids']
    const connection = await attacker.create('Connection', {
      name: 'Flood',
      kind: 'openai-compatible',
      baseUrl: `${hostile.origin}/v1`,
      apiKey: 'sk-hostile',
      models: { realtime: models },
    })
    const tools = [{ kind: 'builtin', name: 'current_time', builtin: 'current_time' }]
    const sockets = await Promise.all(
      models.map(async (realtimeModel) => {
        const agent = await attacker.makeAgent(connection.id, { realtimeModel, tools })
        const socket = await attacker.openSession(agent.id)
        if (realtimeModel === 'sound') socket.pause()
        return socket
      }),
    )
    await sleep(holdMilliseconds * scale)
    const states = sockets.map((socket) => (socket.readyState === socket.OPEN ? 'open' : 'closed'))
    for (const socket of sockets) socket.terminate()
    return tally(states)
  },
}
