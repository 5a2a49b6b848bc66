import { execFileSync } from 'node:child_process'
import { cpus } from 'node:os'

/** Returns whether processes can be pinned to cores. */
export function canPin(): boolean {
  try {
    execFileSync('taskset', ['--version'], { stdio: 'ignore' })
    return cpus().length > 1
  } catch {
    return false
  }
}

/** Pins processes and their threads to cores (`0`, or `1-7`). Children that they start later inherit this. */
export function pin(pids: readonly number[], cores: string): void {
  for (const pid of pids)
    execFileSync('taskset', ['--all-tasks', '--cpu-list', '--pid', cores, String(pid)], { stdio: 'ignore' })
}

/** All cores but the first. Does not use Node's own count, because pinning reduces it. */
export const otherCores = () => `1-${cpus().length - 1}`

export const allCores = () => `0-${cpus().length - 1}`
