import { setTimeout as sleep } from 'node:timers/promises'
import { streamChat } from '@parley/stage/models/chat-stream'
import type { Attacker } from '../attacker.js'
import { type Attack, type Stage, scaled } from '../stage.js'

const followers = 100
const listReaders = 100
const ordinaryReaders = 50
const answerBytes = 900_000
const tasks = 50
const holdMilliseconds = 6000

export const unreadAnswers: Attack = {
  name: 'unread-answers',
  about: 'requests 100 streams and 100 lists of a megabyte each and reads none of them',
  /**
   * Simulates a burst: fifty clients follow a long answer and fifty request lists, and all read their
   * responses.
   */
  async warmUp(stage) {
    const paths = await prepareAnswers(stage)
    for (const path of paths)
      await Promise.all(
        Array.from({ length: scaled(ordinaryReaders, stage.scale) }, () => stage.attacker.send('GET', path)),
      )
  },
  async run(stage) {
    const { attacker, scale } = stage
    const [events, list] = await prepareAnswers(stage)
    const sockets = await Promise.all([
      ...Array.from({ length: scaled(followers, scale) }, () => openUnread(attacker, events)),
      ...Array.from({ length: scaled(listReaders, scale) }, () => openUnread(attacker, list)),
    ])
    await sleep(holdMilliseconds * scale)
    for (const socket of sockets) socket.destroy()
    return `${sockets.length} unread answers`
  },
}

/** Makes the service produce a long answer and store long tasks, unless it has some. Returns the paths of both. */
async function prepareAnswers({ attacker, hostile, connectionId, scale }: Stage) {
  hostile.onQuestion('long', (response) => {
    const pieces = Array.from({ length: answerBytes / 3000 }, () => ({ content: 'x'.repeat(3000) }))
    void streamChat(response, pieces)
  })
  const agent = await attacker.makeAgent(connectionId, { model: 'long' })
  const { text } = await attacker.ask(agent.id, 'Go on.')
  const { conversationId, turnId } = JSON.parse(text) as { conversationId: string; turnId: string }
  const list = 'Task?Limit=200&Search=Long'
  const { totalCount } = JSON.parse((await attacker.send('GET', list)).text) as { totalCount: number }
  const description = 'x'.repeat(20_000)
  const missing = Math.max(0, scaled(tasks, scale) - totalCount)
  await Promise.all(
    Array.from({ length: missing }, () => attacker.create('Task', { title: 'Long', description })),
  )
  return [`Conversation/${conversationId}/turn/${turnId}/events`, list] as const
}

async function openUnread(attacker: Attacker, path: string) {
  const head = Object.entries(attacker.headers).map(([name, value]) => `${name}: ${value}\r\n`)
  const socket = await attacker.connect()
  socket.pause()
  socket.write(`GET /api/v1/${path} HTTP/1.1\r\nHost: service\r\n${head.join('')}\r\n`)
  return socket
}
