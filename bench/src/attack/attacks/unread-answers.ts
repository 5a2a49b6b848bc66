import { setTimeout as sleep } from 'node:timers/promises'
import { streamChat } from '../hostile/chat-stream.js'
import { type Attack, scaled } from '../stage.js'

const followers = 100
const listReaders = 100
const answerBytes = 900_000
const holdMilliseconds = 6000

export const unreadAnswers: Attack = {
  name: 'unread-answers',
  about: 'asks for 100 streams and 100 lists of a megabyte each and reads none of them',
  async run({ attacker, hostile, connectionId, scale }) {
    hostile.onQuestion('long', (response) => {
      const pieces = Array.from({ length: answerBytes / 3000 }, () => ({ content: 'x'.repeat(3000) }))
      void streamChat(response, pieces)
    })
    const agent = await attacker.makeAgent(connectionId, { model: 'long' })
    const { text } = await attacker.ask(agent.id, 'Go on.')
    const { conversationId, turnId } = JSON.parse(text) as { conversationId: string; turnId: string }
    const description = 'x'.repeat(20_000)
    await Promise.all(
      Array.from({ length: scaled(50, scale) }, () =>
        attacker.create('Task', { title: 'Long', description }),
      ),
    )
    const head = Object.entries(attacker.headers).map(([name, value]) => `${name}: ${value}\r\n`)
    const open = async (path: string) => {
      const socket = await attacker.connect()
      socket.pause()
      socket.write(`GET /api/v1/${path} HTTP/1.1\r\nHost: service\r\n${head.join('')}\r\n`)
      return socket
    }
    const sockets = await Promise.all([
      ...Array.from({ length: scaled(followers, scale) }, () =>
        open(`Conversation/${conversationId}/turn/${turnId}/events`),
      ),
      ...Array.from({ length: scaled(listReaders, scale) }, () => open('Task?Limit=200')),
    ])
    await sleep(holdMilliseconds * scale)
    for (const socket of sockets) socket.destroy()
    return `${sockets.length} answers not read`
  },
}
