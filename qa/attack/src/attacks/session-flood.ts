import { setTimeout as sleep } from 'node:timers/promises'
import { inParallel } from '@parley/stage/processes/in-parallel'
import type WebSocket from 'ws'
import { type Attack, scaled, tally } from '../stage.js'

const sessions = 300
const width = 50
const holdMilliseconds = 2000

export const sessionFlood: Attack = {
  name: 'session-flood',
  about: 'opens 300 sessions at once, speaks in each, and drops them all in one moment',
  async run({ attacker, connectionId, scale }) {
    const agent = await attacker.makeAgent(connectionId)
    const opened: WebSocket[] = []
    const outcomes = await inParallel(scaled(sessions, scale), width, () =>
      attacker.openSession(agent.id).then(
        (socket) => {
          opened.push(socket)
          socket.send(JSON.stringify({ type: 'input_audio_buffer.append', audio: 'A'.repeat(2000) }))
          return 'opened'
        },
        (error: Error) => error.message.slice(0, 30),
      ),
    )
    await sleep(holdMilliseconds * scale)
    for (const socket of opened) socket.terminate()
    return tally(outcomes)
  },
}
