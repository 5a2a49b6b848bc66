import { randomBytes, randomUUID } from 'node:crypto'
import { inParallel } from '../../processes/in-parallel.js'
import { type Attack, scaled, tally } from '../stage.js'

const requests = 6000
const width = 64

export const badKeys: Attack = {
  name: 'bad-keys',
  about: 'tries 6000 keys that do not exist, and keys of somebody else',
  async run({ attacker, scale }) {
    const known = attacker.headers['x-api-key'] ?? ''
    const keys: readonly (() => string)[] = [
      () => `prl_${randomBytes(4).toString('hex')}_${randomBytes(32).toString('base64url')}`,
      () => `${known.slice(0, 13)}${randomBytes(32).toString('base64url')}`,
      () => 'x'.repeat(8000),
    ]
    const statuses = await inParallel(scaled(requests, scale), width, async (index) => {
      const headers = { 'x-api-key': (keys[index % keys.length] as () => string)(), 'x-org-id': randomUUID() }
      return (await attacker.send('GET', 'Task', undefined, { headers })).status
    })
    return tally(statuses)
  },
}
