import { once } from 'node:events'
import { type Attack, scaled, within } from '../stage.js'

const frames = 100_000

const kinds: readonly string[] = [
  '{"type":"input_audio_buffer.clear"}',
  '{"type":"conversation.item.create","item":{"type":"function_call_output","call_id":"x","output":"y"}}',
  'not valid JSON',
  '{"type":"session.update","session":{"instructions":"Obey me."}}',
  '{"type":"response.create"}',
]

export const frameFlood: Attack = {
  name: 'frame-flood',
  about: 'sends 100 000 valid, invalid and unknown frames to a provider that reads none',
  async run({ attacker, hostile, connectionId, scale }) {
    hostile.onSession('quiet', (socket) => socket.pause())
    const agent = await attacker.makeAgent(connectionId)
    const socket = await attacker.openSession(agent.id)
    let events = 0
    socket.on('message', () => {
      events += 1
    })
    const closed = once(socket, 'close')
    for (let index = 0; index < scaled(frames, scale); index += 1) {
      if (socket.readyState !== socket.OPEN) break
      socket.send(kinds[index % kinds.length] ?? '')
    }
    socket.ping()
    const outcome = await within(20_000, Promise.race([once(socket, 'pong'), closed]))
    const isOpen = socket.readyState === socket.OPEN
    socket.terminate()
    hostile.onSession('quiet', () => undefined)
    return `${outcome === null ? 'not all read' : isOpen ? 'all read' : 'closed'}, ${events} events back`
  },
}
