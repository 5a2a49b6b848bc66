import { setTimeout as sleep } from 'node:timers/promises'
import { childrenOf, residentBytes } from './process-usage.js'

const intervalMilliseconds = 100

/** Returns the memory of a process and its children. */
export function memoryOf(pid: number): number {
  try {
    return residentBytes([pid]) + childrenOf(pid).reduce((sum, child) => sum + memoryOfChild(child), 0)
  } catch {
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

/** Watches the memory of a process. Returns a function that stops and returns the peak. */
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

/** Waits until a process uses at most this much memory, up to a time limit. Returns the memory at the end. */
export async function waitForMemory(pid: number, bytes: number, milliseconds: number): Promise<number> {
  const deadline = performance.now() + milliseconds
  let now = memoryOf(pid)
  while (now > bytes && performance.now() < deadline) {
    await sleep(intervalMilliseconds)
    now = memoryOf(pid)
  }
  return now
}
