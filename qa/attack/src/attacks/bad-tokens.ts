import { randomBytes, randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { inParallel } from '@parley/stage/processes/in-parallel'
import { type Attack, scaled, tally, within } from '../stage.js'

const handshakes = 3000
const width = 100

export const badTokens: Attack = {
  name: 'bad-tokens',
  about: 'opens 3000 sockets with invalid tokens',
  async run({ attacker, connectionId, scale }) {
    const agent = await attacker.makeAgent(connectionId)
    const path = new URL(await attacker.ticket(agent.id), attacker.url)
    const outcomes = await inParallel(scaled(handshakes, scale), width, async (index) => {
      path.searchParams.set('sessionId', randomBytes(32).toString('base64url'))
      if (index % 2 === 0) path.searchParams.set('conversationId', randomUUID())
      const socket = await attacker.connectAsStranger()
      socket.write(
        `GET ${path.pathname}${path.search} HTTP/1.1\r\nHost: service\r\nConnection: Upgrade\r\n` +
          'Upgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n',
      )
      const answer = await within(20_000, once(socket, 'data'))
      socket.destroy()
      return answer === null ? 'no answer' : String(answer[0]).slice(9, 12)
    })
    return tally(outcomes)
  },
}
