import { inParallel } from '@parley/stage/processes/in-parallel'
import { type Attack, scaled, tally } from '../stage.js'

const requests = 400
const width = 40

export const heavyLists: Attack = {
  name: 'heavy-lists',
  about: 'searches, exports and verifies everything, forty times at once',
  async run({ attacker, scale }) {
    const search = encodeURIComponent('%_\\'.repeat(60))
    const paths = [
      `Task?Search=${search}&Limit=200`,
      'Task?Limit=200&Offset=900000000',
      `Conversation?Search=${search}`,
      'AuditLog/export?Format=csv',
      'AuditLog/verify',
      `Agent?Search=${search}`,
    ]
    const statuses = await inParallel(scaled(requests, scale), width, async (index) => {
      return (await attacker.send('GET', paths[index % paths.length] ?? '')).status
    })
    return tally(statuses)
  },
}
