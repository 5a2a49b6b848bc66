import { setTimeout as sleep } from 'node:timers/promises'
import { preciseCpuMicroseconds } from './process-usage.js'

/**
 * A process is idle if it uses less than this share of a core in one interval. The wait ends after `max`
 * intervals.
 */
const rest = { milliseconds: 4000, share: 0.02, max: 10 } as const

/**
 * Waits until the processes are idle, so that cleanup after opening sessions does not count as a later cost.
 */
export async function untilAtRest(pids: readonly number[]): Promise<void> {
  for (let times = 0; times < rest.max; times += 1) {
    const before = preciseCpuMicroseconds(pids)
    await sleep(rest.milliseconds)
    const milliseconds = (preciseCpuMicroseconds(pids) - before) / 1000
    if (milliseconds < rest.share * rest.milliseconds) return
  }
}
