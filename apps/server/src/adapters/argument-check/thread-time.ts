import { readFileSync, readlinkSync } from 'node:fs'

const nanosecondsInMillisecond = 1e6

/** The system's own number of the thread that calls this; null where the system has no such list of threads. */
export function ownThreadNumber(): number | null {
  try {
    return Number(readlinkSync('/proc/thread-self').split('/').at(-1))
  } catch {
    return null
  }
}

/** How long a thread of this process has computed since it began; null where the system does not tell. */
export function computedMilliseconds(thread: number | null): number | null {
  try {
    const [nanoseconds] = readFileSync(`/proc/self/task/${thread}/schedstat`, 'utf8').split(' ')
    return Number(nanoseconds) / nanosecondsInMillisecond
  } catch {
    return null
  }
}
