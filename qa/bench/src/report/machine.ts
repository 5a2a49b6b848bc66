import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { arch, availableParallelism, cpus, loadavg, release, totalmem } from 'node:os'

/** The machine on which the figures were measured. */
export interface Machine {
  readonly processor: string
  readonly cores: number
  readonly memoryGibibytes: number
  readonly system: string
  readonly node: string
  /** The load average of the minute before. It is near 0 on an idle machine. */
  readonly loadBefore: number
}

export interface Commit {
  readonly hash: string
  /** Whether files were changed since. */
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

/** Whether other programs kept the machine busy. */
export const isBusy = ({ loadBefore, cores }: Machine) => loadBefore > cores / 4

/** Returns the hash `unknown` outside of a checkout. */
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
