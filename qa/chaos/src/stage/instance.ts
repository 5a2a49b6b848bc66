import { type ChildProcess, spawn } from 'node:child_process'
import { openSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { endChild, keepChild } from '@parley/stage/processes/kept-child'
import { memoryOf } from '@parley/stage/processes/memory-watch'

const clockShift = new URL('clock-shift.js', import.meta.url).href
/** Like a supervisor, pauses before a restart, so that an instance that cannot start does not loop. */
const restartMilliseconds = 500
const readyMilliseconds = 60_000

export interface InstanceOptions {
  readonly name: string
  readonly port: number
  /** The entry file of the service. */
  readonly program: string
  /** The folder for its log, data and clock file. */
  readonly folder: string
  readonly env: Readonly<Record<string, string>>
}

/** An exit that the run did not cause. */
export interface OwnExit {
  readonly how: string
  readonly at: number
  /** Whether the instance had been ready before. */
  readonly wasReady: boolean
}

/** One process of the service, with a supervisor that restarts it after each exit. */
export class Instance {
  readonly url: string
  readonly logPath: string
  readonly ownExits: OwnExit[] = []
  readonly #options: InstanceOptions
  readonly #log: number
  readonly #clockPath: string
  #child: ChildProcess | null = null
  #isReady = false
  #isKilled = false
  #isStopping = false
  #peakBytes = 0
  starts = 0

  constructor(options: InstanceOptions) {
    this.#options = options
    this.url = `http://127.0.0.1:${options.port}`
    this.logPath = join(options.folder, `${options.name}.log`)
    this.#clockPath = join(options.folder, `${options.name}.clock`)
    this.#log = openSync(this.logPath, 'a')
    writeFileSync(this.#clockPath, '0')
  }

  get isReady(): boolean {
    return this.#isReady
  }

  get peakBytes(): number {
    return this.#peakBytes
  }

  get pid(): number {
    return this.#child?.pid ?? 0
  }

  start(): void {
    const { port, program, folder, name, env } = this.#options
    this.starts += 1
    this.#isKilled = false
    const child = keepChild(
      spawn(process.execPath, ['--import', clockShift, program], {
        stdio: ['ignore', this.#log, this.#log],
        env: {
          PATH: process.env.PATH,
          HOST: '127.0.0.1',
          PORT: String(port),
          PARLEY_DATA_DIR: join(folder, `${name}-data`),
          CHAOS_CLOCK_FILE: this.#clockPath,
          ...env,
        },
      }),
    )
    this.#child = child
    child.once('exit', (code, signal) => void this.#onExit(`${signal ?? `code ${code}`}`))
  }

  async #onExit(how: string): Promise<void> {
    if (this.#isStopping) return
    if (!this.#isKilled) this.ownExits.push({ how, at: Date.now(), wasReady: this.#isReady })
    this.#isReady = false
    await sleep(restartMilliseconds)
    if (!this.#isStopping) this.start()
  }

  /** Checks readiness like a load balancer, and records the memory use. */
  async probe(): Promise<void> {
    this.#peakBytes = Math.max(this.#peakBytes, memoryOf(this.pid))
    const answer = await fetch(`${this.url}/readyz`, { signal: AbortSignal.timeout(1000) }).catch(() => null)
    await answer?.body?.cancel()
    this.#isReady = answer?.status === 200
  }

  async ready(): Promise<void> {
    const deadline = performance.now() + readyMilliseconds
    while (!this.#isReady) {
      if (performance.now() > deadline) throw new Error(`${this.#options.name} did not become ready.`)
      await sleep(100)
      await this.probe()
    }
  }

  kill(): void {
    this.#isKilled = true
    this.#isReady = false
    this.#child?.kill('SIGKILL')
  }

  /** Restarts the process as a rollout does: it may finish its work first. */
  async restart(): Promise<void> {
    this.#isKilled = true
    const starts = this.starts
    this.#child?.kill('SIGTERM')
    const deadline = performance.now() + readyMilliseconds
    while (this.starts === starts) {
      if (performance.now() > deadline) throw new Error(`${this.#options.name} did not stop.`)
      await sleep(100)
    }
    await this.ready()
  }

  freeze(): void {
    this.#child?.kill('SIGSTOP')
  }

  thaw(): void {
    this.#child?.kill('SIGCONT')
  }

  shiftClock(seconds: number): void {
    writeFileSync(this.#clockPath, String(seconds * 1000))
  }

  async stop(): Promise<void> {
    this.#isStopping = true
    this.thaw()
    if (this.#child) await endChild(this.#child)
  }
}
