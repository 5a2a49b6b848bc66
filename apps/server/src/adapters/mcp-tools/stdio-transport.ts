import { type ChildProcessByStdio, spawn } from 'node:child_process'
import { once } from 'node:events'
import type { Readable, Writable } from 'node:stream'
import {
  type JSONRPCMessage,
  ReadBuffer,
  serializeMessage,
  type Transport,
} from '@modelcontextprotocol/client'
import { getDefaultEnvironment } from '@modelcontextprotocol/client/stdio'
import type { Timers } from '../../ports/time.js'
import { NotSentError } from './call-failure.js'

/** A stdio server on the operator's list. */
export interface StdioServer {
  readonly command: string
  readonly args: readonly string[]
  readonly env: Readonly<Record<string, string>>
}

export interface StdioTransportOptions {
  readonly timers: Timers
  readonly server: StdioServer
  readonly maxMessageBytes: number
  /** How long a process may take to exit by its own decision, and again after SIGTERM. */
  readonly graceMilliseconds: number
  readonly onStderr: (chunk: Buffer) => void
}

/**
 * The transport to a child process. Unlike the client library's own transport, it reports whether a message
 * was written, passes on only the environment that a program needs, and ends the whole process group.
 */
export class StdioTransport implements Transport {
  onclose?: () => void
  onerror?: (error: Error) => void
  onmessage?: NonNullable<Transport['onmessage']>

  readonly #options: StdioTransportOptions
  readonly #received: ReadBuffer
  #child: ChildProcessByStdio<Writable, Readable, Readable> | null = null
  #exited: Promise<unknown> = Promise.resolve()
  #closing: Promise<void> | null = null

  constructor(options: StdioTransportOptions) {
    this.#options = options
    this.#received = new ReadBuffer({ maxBufferSize: options.maxMessageBytes })
  }

  get processId(): number | undefined {
    return this.#child?.pid
  }

  async start(): Promise<void> {
    const { server, onStderr } = this.#options
    const { command, args, env } = server
    // Starts a separate process group, so that a launcher is ended together with its child processes.
    const child = spawn(command, args, {
      env: { ...inheritedEnvironment(), ...env },
      stdio: ['pipe', 'pipe', 'pipe'],
      detached: true,
      windowsHide: true,
    })
    this.#child = child
    child.stdin.on('error', () => undefined)
    child.stdout.on('data', (chunk: Buffer) => this.#receive(chunk))
    child.stderr.on('data', onStderr)
    child.once('close', () => this.onclose?.())
    await once(child, 'spawn')
    child.on('error', (error) => this.onerror?.(error))
    this.#exited = once(child, 'exit').then(() => this.#signal('SIGKILL'))
  }

  send(message: JSONRPCMessage): Promise<void> {
    return new Promise((resolve, reject) => {
      const stdin = this.#child?.stdin
      if (stdin?.writable !== true) throw new NotSentError('The process of the MCP server has ended.')
      stdin.write(serializeMessage(message), (error) => {
        if (error) reject(new NotSentError('The process of the MCP server has ended.', { cause: error }))
        else resolve()
      })
    })
  }

  /** Resolves when the process has exited. */
  close(): Promise<void> {
    this.#closing ??= this.#end()
    return this.#closing
  }

  async #end(): Promise<void> {
    const { timers, graceMilliseconds } = this.#options
    this.#child?.stdin.end()
    for (const signal of ['SIGTERM', 'SIGKILL'] as const) {
      const exited = await timers.within(graceMilliseconds, this.#exited)
      if (exited.ok) break
      this.#signal(signal)
    }
    await this.#exited
    // Other processes may still hold these pipes, so do not wait until they close.
    this.#child?.stdout.destroy()
    this.#child?.stderr.destroy()
  }

  /** Signals the whole group, even if the process itself has exited. */
  #signal(signal: NodeJS.Signals): void {
    const id = this.#child?.pid
    if (id === undefined) return
    try {
      process.kill(-id, signal)
    } catch {
      // The signal fails because all processes of the group have exited.
    }
  }

  #receive(chunk: Buffer): void {
    try {
      this.#received.append(chunk)
    } catch (error) {
      this.#fail(error)
      this.#signal('SIGKILL')
      return
    }
    for (let message = this.#nextMessage(); message !== null; message = this.#nextMessage())
      this.onmessage?.(message)
  }

  /**
   * Returns the next complete message, or null. Skips invalid lines, because some programs print greetings.
   */
  #nextMessage(): JSONRPCMessage | null {
    for (;;) {
      try {
        return this.#received.readMessage()
      } catch (error) {
        this.#fail(error)
      }
    }
  }

  #fail(error: unknown): void {
    this.onerror?.(error instanceof Error ? error : new Error(String(error)))
  }
}

/**
 * Only these variables are passed on, because our own environment contains secrets. A program only needs to
 * find other programs and its files.
 */
function inheritedEnvironment(): Record<string, string> {
  const inherited = Object.entries(getDefaultEnvironment())
  return Object.fromEntries(inherited.filter(([name]) => name === 'PATH' || name === 'HOME'))
}
