import type { Log } from '../../ports/log.js'

/** Work that an answer must not wait for, because its duration would tell something. */
export interface AfterAnswer {
  /** Starts the work once the answer is on its way. A failure is logged. */
  run(work: () => Promise<void>): void
  /** Settles when all work that was started so far has ended. */
  settled(): Promise<void>
}

export function makeAfterAnswer(log: Pick<Log, 'error'>): AfterAnswer {
  const running = new Set<Promise<void>>()
  return {
    run(work) {
      const done = new Promise<void>((resolve) => {
        setImmediate(() => {
          work()
            .catch((error: unknown) => log.error({ err: error }, 'a refused sign-in was not recorded'))
            .finally(resolve)
        })
      })
      running.add(done)
      void done.then(() => running.delete(done))
    },
    async settled() {
      await Promise.all(running)
    },
  }
}
