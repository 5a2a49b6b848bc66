import { execFileSync } from 'node:child_process'
import { cpus } from 'node:os'

/** Whether processes can be given cores of their own. */
export function canPin(): boolean {
  try {
    execFileSync('taskset', ['--version'], { stdio: 'ignore' })
    return cpus().length > 1
  } catch {
    return false
  }
}

/** Lets processes run on these cores alone (`0`, or `1-7`), their threads too; what they start from then on inherits it. */
export function pin(pids: readonly number[], cores: string): void {
  for (const pid of pids)
    execFileSync('taskset', ['--all-tasks', '--cpu-list', '--pid', cores, String(pid)], { stdio: 'ignore' })
}

/** Every core but the first. Node itself counts those that it may run on, which pinning makes fewer. */
export const otherCores = () => `1-${cpus().length - 1}`

export const allCores = () => `0-${cpus().length - 1}`
