import type WebSocket from 'ws'
import { type Attack, scaled, within } from '../stage.js'

const sessions = 6
const typedCharacters = 30_000
const askedCharacters = 50_000
const patienceMilliseconds = 30_000
/** The canary's limit for a short answer of the same engine on two busy cores. */
const neighborMilliseconds = 5000

const words = (length: number) =>
  'The library is open on Sunday. '.repeat(Math.ceil(length / 31)).slice(0, length)

export const typedWords: Attack = {
  name: 'typed-words',
  about: 'types 30 KB into six sessions of the built-in engine, and asks it a question of 50 KB',
  async warmUp({ attacker }) {
    const agentId = await attacker.findAgent('Front desk')
    await attacker.ask(agentId, words(askedCharacters))
    const sockets = await Promise.all(Array.from({ length: sessions }, () => attacker.openSession(agentId)))
    await within(
      patienceMilliseconds,
      Promise.all(sockets.map((socket) => typeInto(socket, words(typedCharacters)))),
    )
    for (const socket of sockets) socket.terminate()
  },
  async run({ attacker, neighbor, scale }) {
    const agentId = await attacker.findAgent('Front desk')
    const { id: engineId } = await neighbor.create('Connection', { name: 'Engine', kind: 'embedded' })
    const neighborAgent = await neighbor.makeAgent(engineId, { systemMessage: 'Tea costs two dollars.' })
    await neighbor.ask(neighborAgent.id, 'What does tea cost?')
    const sockets = await Promise.all(
      Array.from({ length: scaled(sessions, scale) }, () => attacker.openSession(agentId)),
    )
    const answered = sockets.map((socket) =>
      within(patienceMilliseconds, typeInto(socket, words(typedCharacters))),
    )
    const asked = attacker.ask(agentId, words(askedCharacters))
    const startedAt = performance.now()
    const { status } = await neighbor.ask(neighborAgent.id, 'What does tea cost?')
    const milliseconds = Math.round(performance.now() - startedAt)
    const count = (await Promise.all(answered)).filter((answer) => answer !== null).length
    await asked
    for (const socket of sockets) socket.terminate()
    if (status !== 200 || milliseconds > neighborMilliseconds)
      throw new Error(`the neighbor's question to the engine: ${status} after ${milliseconds} ms`)
    return `${count} of ${sockets.length} answered, the neighbor's question in ${milliseconds} ms`
  },
}

function typeInto(socket: WebSocket, text: string): Promise<true> {
  const item = { type: 'message', role: 'user', content: [{ type: 'input_text', text }] }
  const done = new Promise<true>((resolve) => {
    socket.on('message', (data) => {
      const { type } = JSON.parse(String(data)) as { type: string }
      if (type === 'response.done' || type === 'response.completed') resolve(true)
    })
  })
  socket.send(JSON.stringify({ type: 'conversation.item.create', item }))
  socket.send(JSON.stringify({ type: 'response.create' }))
  return done
}
