import { pour } from '../attacker.js'
import { type Attack, scaled, tally } from '../stage.js'

const sessions = 4
const megabytesEach = 60
const pingsInChunk = 500
/** A full ping of 125 bytes, masked with zeros because clients must mask. */
const ping = Buffer.concat([Buffer.from([0x89, 0x80 | 125, 0, 0, 0, 0]), Buffer.alloc(125, 'p')])

export const unreadPings: Attack = {
  name: 'unread-pings',
  about: 'sends pings on four sessions as fast as possible and reads no pongs',
  async run({ attacker, connectionId, scale }) {
    const agent = await attacker.makeAgent(connectionId)
    const chunk = Buffer.concat(Array.from({ length: pingsInChunk }, () => ping))
    const times = scaled((megabytesEach * 1_000_000) / chunk.length, scale)
    const outcomes = await Promise.all(
      Array.from({ length: sessions }, async () => {
        const socket = await attacker.openRawSession(agent.id)
        socket.pause()
        const isTaken = await pour(socket, chunk, times)
        socket.destroy()
        return isTaken ? 'taken' : 'cut off'
      }),
    )
    return tally(outcomes)
  },
}
