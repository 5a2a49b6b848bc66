import { existsSync, readdirSync, readFileSync } from 'node:fs'

/** Linux reports processor time in hundredths of a second. */
const microsecondsPerTick = 10_000
const pageBytes = 4096

export const canMeasureProcesses = existsSync('/proc/self/stat')

/** Returns the processor time of these processes so far, in user and system mode. */
export function cpuMicroseconds(pids: readonly number[]): number {
  return sum(pids, (pid) => {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1')
    // The name in parentheses may contain spaces. User and system time are fields 14 and 15.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    return (Number(fields[11]) + Number(fields[12])) * microsecondsPerTick
  })
}

/**
 * Returns the processor time of all live threads with a resolution of microseconds, for short measurements.
 */
export function preciseCpuMicroseconds(pids: readonly number[]): number {
  if (!existsSync('/proc/self/schedstat')) return cpuMicroseconds(pids)
  return sum(pids, (pid) =>
    sum(readdirSync(`/proc/${pid}/task`).map(Number), (thread) => {
      const nanoseconds = readFileSync(`/proc/${pid}/task/${thread}/schedstat`, 'latin1').split(' ', 1)[0]
      return Number(nanoseconds) / 1000
    }),
  )
}

/** Returns the resident memory of these processes. */
export function residentBytes(pids: readonly number[]): number {
  return sum(pids, (pid) => Number(readFileSync(`/proc/${pid}/statm`, 'latin1').split(' ')[1]) * pageBytes)
}

/** Returns the running children of a process. */
export function childrenOf(pid: number): number[] {
  const list = readFileSync(`/proc/${pid}/task/${pid}/children`, 'latin1').trim()
  return list === '' ? [] : list.split(' ').map(Number)
}

/** Returns a process and all its running descendants. */
export function treeOf(pid: number): number[] {
  return [pid, ...childrenOf(pid).flatMap(treeOf)]
}

function sum(pids: readonly number[], measure: (pid: number) => number): number {
  return pids.reduce((total, pid) => total + measure(pid), 0)
}
