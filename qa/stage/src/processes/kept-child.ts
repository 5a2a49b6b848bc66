import type { ChildProcess } from 'node:child_process'

const patienceMilliseconds = 15_000

/** Kills a child when this process exits, for any reason. */
export function keepChild<Child extends ChildProcess>(
  child: Child,
  signal: NodeJS.Signals = 'SIGKILL',
): Child {
  const kill = () => void child.kill(signal)
  process.once('exit', kill)
  child.once('exit', () => process.removeListener('exit', kill))
  return child
}

/** Ends a child with a signal. Kills it if it does not exit in time. */
export async function endChild(child: ChildProcess, signal: NodeJS.Signals = 'SIGTERM'): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const gone = new Promise((resolve) => void child.once('exit', resolve))
  child.kill(signal)
  const timer = setTimeout(() => child.kill('SIGKILL'), patienceMilliseconds)
  await gone
  clearTimeout(timer)
}

/** Exits on signals, so that the children are killed too. */
export function exitOnSignals(): void {
  process.setMaxListeners(0)
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1))
}
