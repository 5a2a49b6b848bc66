import { once } from 'node:events'
import { type Attack, scaled, within } from '../stage.js'

const frames = 20_000

export const approvalsOfNothing: Attack = {
  name: 'approvals-of-nothing',
  about: 'decides on 20 000 calls of a session that do not exist',
  async run({ attacker, connectionId, scale }) {
    const agent = await attacker.makeAgent(connectionId)
    const socket = await attacker.openSession(agent.id)
    let rejections = 0
    socket.on('message', () => {
      rejections += 1
    })
    for (let index = 0; index < scaled(frames, scale); index += 1)
      socket.send(JSON.stringify({ type: 'approval.approve', callId: `call_${index}` }))
    socket.ping()
    const isRead = (await within(30_000, once(socket, 'pong'))) !== null
    socket.terminate()
    return `${isRead ? 'all read' : 'not all read'}, ${rejections} events back`
  },
}
