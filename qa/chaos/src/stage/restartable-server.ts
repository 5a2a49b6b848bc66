import { type ChildProcess, spawn } from 'node:child_process'
import { setTimeout as sleep } from 'node:timers/promises'
import { keepChild } from '@parley/stage/processes/kept-child'

export interface ServerCommand {
  readonly name: string
  readonly command: readonly [string, ...string[]]
  readonly folder: string
  readonly environment: Readonly<Record<string, string>>
  readonly user: { readonly uid: number; readonly gid: number } | null
  readonly isReady: () => Promise<boolean>
}

const startMilliseconds = 60_000
const outputCharacters = 10_000

/** A server that can be stopped and started again on the same data. */
export class RestartableServer {
  readonly #command: ServerCommand
  #child: ChildProcess | null = null
  #output = ''

  constructor(command: ServerCommand) {
    this.#command = command
  }

  get pid(): number {
    return this.#child?.pid ?? 0
  }

  get isRunning(): boolean {
    return this.#child !== null && this.#child.exitCode === null && this.#child.signalCode === null
  }

  /** Starts the server if it does not run, and waits until it is ready. */
  async start(): Promise<void> {
    const { name, command, folder, environment, user, isReady } = this.#command
    const deadline = performance.now() + startMilliseconds
    while (performance.now() < deadline) {
      if (!this.isRunning) {
        const [program, ...args] = command
        this.#child = keepChild(
          spawn(program, args, {
            cwd: folder,
            env: { LC_ALL: 'C', ...environment },
            stdio: ['ignore', 'pipe', 'pipe'],
            // Ctrl-C must not reach the server. The run stops it last.
            detached: true,
            ...user,
          }),
        )
        for (const stream of [this.#child.stdout, this.#child.stderr])
          stream?.setEncoding('utf8').on('data', (chunk: string) => {
            this.#output = (this.#output + chunk).slice(-outputCharacters)
          })
      }
      if (await isReady()) return
      await sleep(100)
    }
    throw new Error(`${name} did not start:\n${this.#output}`)
  }

  /** Sends a signal that stops the server, and waits for the exit. */
  async stop(signal: NodeJS.Signals): Promise<void> {
    const child = this.#child
    if (child === null || !this.isRunning) return
    const gone = new Promise((resolve) => void child.once('exit', resolve))
    child.kill(signal)
    const timer = setTimeout(() => child.kill('SIGKILL'), 20_000)
    await gone
    clearTimeout(timer)
  }
}
