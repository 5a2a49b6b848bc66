import { type ChildProcess, fork } from 'node:child_process'
import { endChild, keepChild } from './kept-child.js'

type Reply = { readonly answer: unknown } | { readonly failure: string }

/** A part of the bench in a separate process. It handles one command at a time. */
export class Part<Command extends object> {
  readonly #child: ChildProcess

  constructor(entry: URL, args: readonly string[] = [], env: Readonly<Record<string, string>> = {}) {
    this.#child = keepChild(fork(entry, args, { env: { ...process.env, ...env } }))
  }

  get pid(): number {
    return this.#child.pid ?? 0
  }

  /** Sends a command. The type of the answer is not checked. */
  ask<Answer = void>(command: Command): Promise<Answer> {
    return new Promise((resolve, reject) => {
      const onExit = (code: number | null) =>
        reject(new Error(`A process of the bench exited with code ${code}.`))
      this.#child.once('exit', onExit)
      this.#child.once('message', (reply: Reply) => {
        this.#child.removeListener('exit', onExit)
        if ('failure' in reply) reject(new Error(reply.failure))
        else resolve(reply.answer as Answer)
      })
      this.#child.send(command)
    })
  }

  stop(): Promise<void> {
    return endChild(this.#child)
  }
}

/** Handles commands in the part's own process. */
export function serveCommands<Command>(handle: (command: Command) => unknown): void {
  const reply = (message: Reply) => void process.send?.(message)
  process.on('message', async (command) => {
    try {
      reply({ answer: await handle(command as Command) })
    } catch (error) {
      reply({ failure: error instanceof Error ? error.message : String(error) })
    }
  })
  process.once('disconnect', () => process.exit(0))
}
