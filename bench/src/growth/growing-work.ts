import { inParallel } from '../processes/in-parallel.js'
import { cpuMicroseconds } from '../processes/process-usage.js'

/** Some work that can be made larger. */
export interface GrowingWork {
  readonly name: string
  /** Processor time of so many times its smallest amount, in milliseconds. */
  cost(factor: number): Promise<number>
}

/** Of each amount: Linux counts processor time in hundredths of a second. */
const repetitions = 60
const atOnce = 4

/** Work that a process does when it is asked to. */
export function askedWork(pid: number, name: string, run: (factor: number) => Promise<unknown>): GrowingWork {
  return {
    name,
    async cost(factor) {
      const count = Math.ceil(repetitions / factor)
      const before = cpuMicroseconds([pid])
      await inParallel(count, atOnce, () => run(factor))
      return (cpuMicroseconds([pid]) - before) / count / 1000
    },
  }
}
