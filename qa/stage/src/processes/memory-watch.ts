import { setTimeout as sleep } from 'node:timers/promises'
import { childrenOf, residentBytes } from './process-usage.js'

const intervalMilliseconds = 100

/** The memory of a process and of those that it has started. */
export function memoryOf(pid: number): number {
  try {
    return residentBytes([pid]) + childrenOf(pid).reduce((sum, child) => sum + memoryOfChild(child), 0)
  } catch {
    // It has ended.
    return 0
  }
}

function memoryOfChild(pid: number): number {
  try {
    return residentBytes([pid])
  } catch {
    return 0
  }
}

/** Watches how much memory a process has at most; what it returns stops that and says how much it was. */
export function watchPeak(pid: number): () => number {
  let peak = memoryOf(pid)
  const timer = setInterval(() => {
    peak = Math.max(peak, memoryOf(pid))
  }, intervalMilliseconds)
  return () => {
    clearInterval(timer)
    return Math.max(peak, memoryOf(pid))
  }
}

/** Waits until the memory of a process is at most this much, but not for ever; says how much it is then. */
export async function waitForMemory(pid: number, bytes: number, milliseconds: number): Promise<number> {
  const deadline = performance.now() + milliseconds
  let now = memoryOf(pid)
  while (now > bytes && performance.now() < deadline) {
    await sleep(intervalMilliseconds)
    now = memoryOf(pid)
  }
  return now
}
