export interface RepeatingJob {
  /** Runs the task soon, without waiting for the interval. */
  wake(): void
  /** Waits for the current run, and starts no further ones. */
  stop(): Promise<void>
}

export interface RepeatingTaskOptions {
  readonly run: () => Promise<unknown>
  readonly intervalMilliseconds: number
  /** Called when a run fails. The next run follows after the interval. */
  readonly onError: (error: unknown) => void
}

/**
 * Runs a task at intervals and when it is woken. Runs never overlap. If the job is woken during a run, the
 * task runs again afterwards.
 */
export function startRepeatingJob({
  run,
  intervalMilliseconds,
  onError,
}: RepeatingTaskOptions): RepeatingJob {
  let isStopped = false
  let isWokenDuringRun = false
  let running: Promise<void> | null = null

  async function runOnce(): Promise<void> {
    try {
      await run()
    } catch (error) {
      onError(error)
    }
  }

  function wake(): void {
    if (isStopped) return
    if (running !== null) {
      isWokenDuringRun = true
      return
    }
    running = runOnce().finally(() => {
      running = null
      if (isWokenDuringRun) setImmediate(wake)
      isWokenDuringRun = false
    })
  }

  const timer = setInterval(wake, intervalMilliseconds).unref()
  return {
    wake,
    async stop() {
      isStopped = true
      clearInterval(timer)
      await running
    },
  }
}
