import { streamChat } from '@parley/stage/models/chat-stream'
import { type Attack, scaled, tally } from '../stage.js'

const questions = 6
const bytes = 24_000_000
const pieceBytes = 4000

export const longAnswers: Attack = {
  name: 'long-answers',
  about:
    'sends six concurrent questions: a model streams three answers of 24 MB in large chunks and three of 120 000 single letters',
  async run({ attacker, hostile, connectionId, scale }) {
    const size = scaled(bytes, scale)
    hostile.onQuestion('endless', (response) => {
      void streamChat(response, repeat('x'.repeat(pieceBytes), size / pieceBytes))
    })
    hostile.onQuestion('letters', (response) => void streamChat(response, repeat('x', size / 200)))
    const [endless, letters] = await Promise.all(
      ['endless', 'letters'].map((model) => attacker.makeAgent(connectionId, { model })),
    )
    const replies = await Promise.all(
      Array.from({ length: questions }, (_, index) =>
        attacker.ask((index % 2 === 0 ? endless : letters)?.id ?? '', 'Go on.'),
      ),
    )
    const longest = Math.max(...replies.map(({ text }) => text.length))
    return `${tally(replies.map(({ status }) => status))}, at most ${longest} characters`
  },
}

function* repeat(content: string, times: number): Generator<object> {
  for (let index = 0; index < times; index += 1) yield { content }
}
