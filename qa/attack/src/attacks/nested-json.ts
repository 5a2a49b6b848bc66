import { type Attack, scaled, tally } from '../stage.js'

const requests = 60
const frames = 400
const events = 200

const lists = (depth: number) => `${'['.repeat(depth)}${']'.repeat(depth)}`
const objects = (depth: number) => `${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}`

export const nestedJson: Attack = {
  name: 'nested-json',
  about: 'sends JSON of 500 000 levels: as bodies, as frames of a client and as events of a provider',
  async run({ attacker, hostile, connectionId, scale }) {
    hostile.onSession('nested', (socket) => {
      for (let index = 0; index < scaled(events, scale); index += 1)
        socket.send(`{"type":"response.done","response":{"output":${lists(30_000)}}}`)
    })
    const { id: nestedId } = await attacker.create('Connection', {
      name: 'Nested',
      kind: 'openai-compatible',
      baseUrl: `${hostile.origin}/v1`,
      apiKey: 'sk-hostile',
      models: { chat: 'brief', realtime: ['nested'] },
    })
    const [quiet, nested] = await Promise.all([connectionId, nestedId].map((id) => attacker.makeAgent(id)))
    const sockets = await Promise.all([quiet, nested].map((agent) => attacker.openSession(agent?.id ?? '')))
    for (const socket of sockets)
      for (let index = 0; index < scaled(frames, scale); index += 1)
        socket.send(`{"type":"conversation.item.create","item":${objects(9000)}}`)
    const bodies = [
      lists(500_000),
      `{"title":${objects(150_000)}}`,
      `{"title":"x","a":${'['.repeat(900_000)}`,
    ]
    const replies = await Promise.all(
      Array.from({ length: scaled(requests, scale) }, (_, index) =>
        attacker.send('POST', 'Task', bodies[index % bodies.length]),
      ),
    )
    for (const socket of sockets) socket.terminate()
    return tally(replies.map(({ status }) => status))
  },
}
