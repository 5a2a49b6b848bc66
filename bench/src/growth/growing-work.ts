import { inParallel } from '../processes/in-parallel.js'
import { preciseCpuMicroseconds } from '../processes/process-usage.js'

/** Some work that can be made larger. */
export interface GrowingWork {
  readonly name: string
  /** Processor time of so many times its smallest amount, in milliseconds. */
  cost(factor: number): Promise<number>
}

const repetitions = 60
const atOnce = 4

/** One call that a process gets, with more in it. */
export const largerCall = (pid: number, name: string, run: (factor: number) => Promise<unknown>) =>
  askedWork(pid, name, { run, count: () => repetitions })

/** Work that takes as much longer as there is more of it: it is done less often. */
export const longerWork = (pid: number, name: string, run: (factor: number) => Promise<unknown>) =>
  askedWork(pid, name, { run, count: (factor) => Math.ceil(repetitions / factor) })

interface AskedWork {
  readonly run: (factor: number) => Promise<unknown>
  readonly count: (factor: number) => number
}

function askedWork(pid: number, name: string, { run, count }: AskedWork): GrowingWork {
  return {
    name,
    async cost(factor) {
      const times = count(factor)
      const before = preciseCpuMicroseconds([pid])
      await inParallel(times, atOnce, () => run(factor))
      return (preciseCpuMicroseconds([pid]) - before) / times / 1000
    },
  }
}
