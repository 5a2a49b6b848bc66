import { inParallel } from '@parley/stage/processes/in-parallel'
import { preciseCpuMicroseconds } from '@parley/stage/processes/process-usage'

/** Some work that can be made larger. */
export interface GrowingWork {
  readonly name: string
  /** Processor time of so many times its smallest amount, in milliseconds. */
  cost(factor: number): Promise<number>
}

/** Works, and what has been started for them. */
export interface StartedWorks {
  readonly works: readonly GrowingWork[]
  stop(): Promise<void>
}

const repetitions = 60
const atOnce = 4

/** Makes works of what a process does when it is asked to. */
export interface WorkMaker {
  /** One call with more in it. */
  largerCall(name: string, run: (factor: number) => Promise<unknown>): GrowingWork
  /** What takes as much longer as there is more of it: it is done less often. */
  longerWork(name: string, run: (factor: number) => Promise<unknown>): GrowingWork
}

export function worksOf(pid: number, share: number): WorkMaker {
  const times = Math.ceil(repetitions * share)
  const work =
    (count: (factor: number) => number): WorkMaker['largerCall'] =>
    (name, run) => ({
      name,
      async cost(factor) {
        const before = preciseCpuMicroseconds([pid])
        await inParallel(count(factor), atOnce, () => run(factor))
        return (preciseCpuMicroseconds([pid]) - before) / count(factor) / 1000
      },
    })
  return { largerCall: work(() => times), longerWork: work((factor) => Math.ceil(times / factor)) }
}
