import { existsSync, readdirSync, readFileSync } from 'node:fs'

/** Linux counts processor time for user programs in hundredths of a second. */
const microsecondsPerTick = 10_000
const pageBytes = 4096

export const canMeasureProcesses = existsSync('/proc/self/stat')

/** Processor time that these processes have used so far, in user and system mode. */
export function cpuMicroseconds(pids: readonly number[]): number {
  return sum(pids, (pid) => {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1')
    // The name in brackets may hold spaces; user and system time are the 14th and 15th field.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    return (Number(fields[11]) + Number(fields[12])) * microsecondsPerTick
  })
}

/** The same to the microsecond, of the threads that live: for moments too short for hundredths of a second. */
export function preciseCpuMicroseconds(pids: readonly number[]): number {
  if (!existsSync('/proc/self/schedstat')) return cpuMicroseconds(pids)
  return sum(pids, (pid) =>
    sum(readdirSync(`/proc/${pid}/task`).map(Number), (thread) => {
      const nanoseconds = readFileSync(`/proc/${pid}/task/${thread}/schedstat`, 'latin1').split(' ', 1)[0]
      return Number(nanoseconds) / 1000
    }),
  )
}

/** Memory of these processes that is in use. */
export function residentBytes(pids: readonly number[]): number {
  return sum(pids, (pid) => Number(readFileSync(`/proc/${pid}/statm`, 'latin1').split(' ')[1]) * pageBytes)
}

/** The processes that this one has started and that run. */
export function childrenOf(pid: number): number[] {
  const list = readFileSync(`/proc/${pid}/task/${pid}/children`, 'latin1').trim()
  return list === '' ? [] : list.split(' ').map(Number)
}

/** It, and everything that it has started and that has started since. */
export function treeOf(pid: number): number[] {
  return [pid, ...childrenOf(pid).flatMap(treeOf)]
}

function sum(pids: readonly number[], measure: (pid: number) => number): number {
  return pids.reduce((total, pid) => total + measure(pid), 0)
}
