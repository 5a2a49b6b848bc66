import { setTimeout as sleep } from 'node:timers/promises'
import { streamChat } from '@parley/stage/models/chat-stream'
import { type Attack, scaled, tally } from '../stage.js'

const questions = 400
const pieces = 400

export const turnFlood: Attack = {
  name: 'turn-flood',
  about:
    'asks 400 questions at once, each with an answer of 400 pieces, and leaves before half of the answers',
  async run({ attacker, hostile, connectionId, scale }) {
    hostile.onQuestion('pieces', async (response) => {
      await sleep(200)
      await streamChat(
        response,
        Array.from({ length: pieces }, (_, index) => ({ content: `word ${index} ` })),
      )
    })
    const agent = await attacker.makeAgent(connectionId, { model: 'pieces' })
    const replies = await Promise.all(
      Array.from({ length: scaled(questions, scale) }, (_, index) =>
        attacker.ask(agent.id, `Question ${index}?`, index % 2 === 0 ? AbortSignal.timeout(1000) : undefined),
      ),
    )
    return tally(replies.map(({ status }) => (status === 0 ? 'left' : status)))
  },
}
