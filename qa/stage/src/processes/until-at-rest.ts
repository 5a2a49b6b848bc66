import { setTimeout as sleep } from 'node:timers/promises'
import { preciseCpuMicroseconds } from './process-usage.js'

/** Over so long a time a process at rest takes so much of a core; they have had their time at the latest after as many of these. */
const rest = { milliseconds: 4000, share: 0.02, most: 10 } as const

/** What opening sessions has left to be tidied up is no part of what they cost afterwards. */
export async function untilAtRest(pids: readonly number[]): Promise<void> {
  for (let times = 0; times < rest.most; times += 1) {
    const before = preciseCpuMicroseconds(pids)
    await sleep(rest.milliseconds)
    const milliseconds = (preciseCpuMicroseconds(pids) - before) / 1000
    if (milliseconds < rest.share * rest.milliseconds) return
  }
}
