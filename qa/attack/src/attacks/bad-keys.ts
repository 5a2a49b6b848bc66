import { randomBytes, randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { inParallel } from '@parley/stage/processes/in-parallel'
import { type Attack, scaled, tally, within } from '../stage.js'

const requests = 6000
const width = 64

export const badKeys: Attack = {
  name: 'bad-keys',
  about: 'tries 6000 keys that do not exist and keys of another organization',
  async run({ attacker, scale }) {
    const known = attacker.headers['x-api-key'] ?? ''
    const keys: readonly (() => string)[] = [
      () => `prl_${randomBytes(4).toString('hex')}_${randomBytes(32).toString('base64url')}`,
      () => `${known.slice(0, 13)}${randomBytes(32).toString('base64url')}`,
      () => 'x'.repeat(8000),
    ]
    const statuses = await inParallel(scaled(requests, scale), width, async (index) => {
      const key = (keys[index % keys.length] as () => string)()
      const socket = await attacker.connectAsStranger()
      socket.write(
        `GET /api/v1/Task HTTP/1.1\r\nHost: service\r\nConnection: close\r\nX-Api-Key: ${key}\r\nX-Org-Id: ${randomUUID()}\r\n\r\n`,
      )
      const answer = await within(20_000, once(socket, 'data'))
      socket.destroy()
      return answer === null ? 'no answer' : String(answer[0]).slice(9, 12)
    })
    return tally(statuses)
  },
}
