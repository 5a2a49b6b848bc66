import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { arch, availableParallelism, cpus, loadavg, release, totalmem } from 'node:os'

/** What the figures were measured on. */
export interface Machine {
  readonly processor: string
  readonly cores: number
  readonly memoryGibibytes: number
  readonly system: string
  readonly node: string
  /** Processes that wanted a core in the minute before: a machine at rest has next to none. */
  readonly loadBefore: number
}

/** What was measured. */
export interface Commit {
  readonly hash: string
  /** Whether files differ from it. */
  readonly isChanged: boolean
}

export function describeMachine(): Machine {
  const named = cpus()[0]?.model.trim()
  const model = named === undefined || named === 'unknown' || named === '' ? arch() : `${named}, ${arch()}`
  return {
    processor: model,
    cores: availableParallelism(),
    memoryGibibytes: Math.round(totalmem() / 1024 ** 3),
    system: `${nameOfSystem()}, Linux ${release()}`,
    node: process.version,
    loadBefore: Math.round((loadavg()[0] ?? 0) * 100) / 100,
  }
}

function nameOfSystem(): string {
  try {
    return /^PRETTY_NAME="?([^"\n]*)/m.exec(readFileSync('/etc/os-release', 'utf8'))?.[1] ?? 'unknown'
  } catch {
    return 'unknown'
  }
}

/** Whether it had other things to do. */
export const isBusy = ({ loadBefore, cores }: Machine) => loadBefore > cores / 4

/** Unknown outside of a checkout. */
export function findCommit(): Commit {
  try {
    const git = (...args: string[]) =>
      execFileSync('git', args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim()
    return {
      hash: git('rev-parse', 'HEAD'),
      isChanged: git('status', '--porcelain', '--untracked-files=no') !== '',
    }
  } catch {
    return { hash: 'unknown', isChanged: false }
  }
}
