export interface RepeatingJob {
  /** Runs the task soon, without waiting for the interval. */
  wake(): void
  /** Waits until the present run is over, and starts no other. */
  stop(): Promise<void>
}

export interface RepeatingTaskOptions {
  readonly run: () => Promise<unknown>
  readonly intervalMilliseconds: number
  /** Called for a run that failed; the next one comes all the same. */
  readonly onError: (error: unknown) => void
}

/** Runs a task at intervals and when it is woken, never twice at once: woken while it runs, it runs once more. */
export function startRepeatingJob({
  run,
  intervalMilliseconds,
  onError,
}: RepeatingTaskOptions): RepeatingJob {
  let isStopped = false
  let isWokenMeanwhile = false
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
      isWokenMeanwhile = true
      return
    }
    running = runOnce().finally(() => {
      running = null
      if (isWokenMeanwhile) setImmediate(wake)
      isWokenMeanwhile = false
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
