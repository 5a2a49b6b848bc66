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

/** A stdio server that the operator offers by name. */
export interface StdioServer {
  readonly command: string
  readonly args: readonly string[]
  readonly env: Readonly<Record<string, string>>
}

export interface StdioTransportOptions {
  readonly timers: Timers
  readonly server: StdioServer
  readonly maxMessageBytes: number
  /** How long a process may take to end by itself, and again to end when it is asked to. */
  readonly graceMilliseconds: number
  readonly onStderr: (chunk: Buffer) => void
}

/**
 * Speaks to a process that we start. Unlike the client library's own transport it says whether a message could be
 * handed over, passes on no more of our environment than a program needs, and ends what the process has started too.
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
    // A group of its own, so that a launcher can be ended together with what it has launched.
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

  /** Resolves when the process is gone. */
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
    // What else holds the far ends of these pipes is not waited for.
    this.#child?.stdout.destroy()
    this.#child?.stderr.destroy()
  }

  /** To the whole group, the process itself being there or not. */
  #signal(signal: NodeJS.Signals): void {
    const id = this.#child?.pid
    if (id === undefined) return
    try {
      process.kill(-id, signal)
    } catch {
      // Nobody is left to receive it.
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

  /** Null where no more is complete. A line that is no message is skipped: programs print greetings. */
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

/** Our own environment holds secrets; a program needs to find other programs and its files. */
function inheritedEnvironment(): Record<string, string> {
  const inherited = Object.entries(getDefaultEnvironment())
  return Object.fromEntries(inherited.filter(([name]) => name === 'PATH' || name === 'HOME'))
}
