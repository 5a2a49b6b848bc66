import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'

export interface ChildProgram {
  readonly child: ChildProcess
  /** Returns the next line of its output, or null at the end. */
  nextLine(): Promise<string | null>
  kill(): Promise<void>
  exited: Promise<number | null>
}

/** Runs a program of this folder in a separate process. */
export function runProgram(name: string, ...args: readonly string[]): ChildProgram {
  const path = fileURLToPath(new URL(name, import.meta.url))
  const child = spawn(process.execPath, [path, ...args], { stdio: ['ignore', 'pipe', 'inherit'] })
  const exited = once(child, 'exit').then(([code]: (number | null)[]) => code ?? null)
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
  return {
    child,
    exited,
    async nextLine() {
      const line = await lines.next()
      return line.done ? null : line.value
    },
    async kill() {
      child.kill('SIGKILL')
      await exited
    },
  }
}
