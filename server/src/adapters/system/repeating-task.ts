export interface RepeatingTask {
  /** Runs soon, without waiting for the interval. */
  wake(): void
  /** Lets the present run finish and starts no other. */
  stop(): Promise<void>
}

/** Runs `task` at intervals and when woken, never twice at once. A run that fails is reported, and the next one comes. */
export function startRepeatingTask(
  task: () => Promise<void>,
  intervalMilliseconds: number,
  onError: (error: unknown) => void,
): RepeatingTask {
  let isStopped = false
  let isWanted = false
  let running: Promise<void> | null = null

  const run = () => {
    if (isStopped) return
    if (running) {
      isWanted = true
      return
    }
    running = task()
      .catch(onError)
      .finally(() => {
        running = null
        if (!isWanted) return
        isWanted = false
        setImmediate(run)
      })
  }

  const timer = setInterval(run, intervalMilliseconds).unref()
  return {
    wake: run,
    async stop() {
      isStopped = true
      clearInterval(timer)
      await running
    },
  }
}
