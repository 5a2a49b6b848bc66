import { setTimeout as sleep } from 'node:timers/promises'
import type { Attack } from '../stage.js'

const holdMilliseconds = 5000

export const nothing: Attack = {
  name: 'nothing',
  about: 'does nothing, for comparison with the other attacks',
  async run({ scale }) {
    await sleep(holdMilliseconds * scale)
    return ''
  },
}
