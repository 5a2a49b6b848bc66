import { inParallel } from '@parley/stage/processes/in-parallel'
import { preciseCpuMicroseconds } from '@parley/stage/processes/process-usage'

/** A workload of adjustable size. */
export interface GrowingWork {
  readonly name: string
  /** Returns the processor time of a multiple of the smallest amount, in milliseconds. */
  cost(factor: number): Promise<number>
}

/** Workloads, and the processes that they need. */
export interface StartedWorks {
  readonly works: readonly GrowingWork[]
  stop(): Promise<void>
}

const repetitions = 60
const concurrency = 4

/** Creates workloads that a process runs on request. */
export interface WorkMaker {
  /** One call with a larger payload. */
  largerCall(name: string, run: (factor: number) => Promise<unknown>): GrowingWork
  /** Larger payloads take longer, so they are repeated less often. */
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
        await inParallel(count(factor), concurrency, () => run(factor))
        return (preciseCpuMicroseconds([pid]) - before) / count(factor) / 1000
      },
    })
  return { largerCall: work(() => times), longerWork: work((factor) => Math.ceil(times / factor)) }
}
