import { streamChat } from '@parley/stage/models/chat-stream'
import { type Attack, scaled, tally } from '../stage.js'

const subAgents = 8
const callConcurrency = 128
const holdMilliseconds = 12_000

export const subAgentFlood: Attack = {
  name: 'sub-agents',
  about: 'asks agents that ask each other, 128 calls per step, three levels deep',
  async run({ attacker, hostile, connectionId, scale }) {
    hostile.onQuestion('delegates', (response, { tools = [] }) => {
      const calls = Array.from(
        { length: tools.length === 0 ? 0 : scaled(callConcurrency, scale) },
        (_, index) => ({
          index,
          id: `call_${index}_${Math.random()}`,
          type: 'function',
          function: {
            name: tools[index % tools.length]?.function.name,
            arguments: '{"question":"And you?"}',
          },
        }),
      )
      void streamChat(
        response,
        calls.length === 0 ? [{ content: 'No.' }] : calls.map((call) => ({ tool_calls: [call] })),
        calls.length === 0 ? 'stop' : 'tool_calls',
      )
    })
    const make = (name: string, subAgentIds: readonly string[]) =>
      attacker.makeAgent(connectionId, { name, model: 'delegates', subAgentIds })
    const level = async (depth: number, below: readonly string[]): Promise<string[]> => {
      const made = Array.from({ length: subAgents }, (_, index) =>
        make(`Level ${depth} agent ${index}`, below),
      )
      return (await Promise.all(made)).map(({ id }) => id)
    }
    const top = await make('Top', await level(1, await level(2, await level(3, []))))
    const turn = await attacker.send(
      'POST',
      `Agent/${top.id}/question`,
      JSON.stringify({ question: 'Who knows?' }),
      { signal: AbortSignal.timeout(scaled(holdMilliseconds, scale)) },
    )
    return tally([turn.status === 0 ? 'still asking when its caller left' : turn.status])
  },
}
