import { setTimeout as sleep } from 'node:timers/promises'
import { inParallel } from '../processes/in-parallel.js'
import { cpuMicroseconds, residentBytes } from '../processes/process-usage.js'
import type { LatencyCounts } from './latencies.js'
import { LoadParts } from './load-parts.js'
import type { RunningTarget, Target } from './targets/target.js'

export interface Load {
  readonly sessions: number
  /** Each way, on each session. */
  readonly framesPerSecond: number
  /** How long the load runs before a measurement, and how long that takes. */
  readonly settleSeconds: number
  readonly measureSeconds: number
}

/** One measurement. */
export interface Slice {
  readonly messagesPerSecond: number
  readonly cpuMicrosecondsPerMessage: number
  readonly latencies: readonly LatencyCounts[]
}

/** What was measured of one target. */
export interface LaneResult {
  readonly name: string
  readonly slices: readonly Slice[]
  /** Memory in use at the end. */
  readonly residentBytes: number
}

const ticketsAtOnce = 10

/** A target with clients and a provider of its own, all of its sessions open; loaded only while it is measured. */
export class Lane {
  readonly name: string
  readonly #slices: Slice[] = []
  readonly #parts: LoadParts
  readonly #running: RunningTarget
  readonly #load: Load

  private constructor(name: string, parts: LoadParts, running: RunningTarget, load: Load) {
    this.name = name
    this.#parts = parts
    this.#running = running
    this.#load = load
  }

  static async open(target: Target, load: Load): Promise<Lane> {
    const parts = new LoadParts()
    const running = await target.start(await parts.listen())
    const lane = new Lane(target.name, parts, running, load)
    await parts.open(await inParallel(load.sessions, ticketsAtOnce, () => running.sessionUrl()))
    return lane
  }

  get result(): LaneResult {
    return { name: this.name, slices: this.#slices, residentBytes: residentBytes(this.#running.pids) }
  }

  /** Forgets what was measured so far. */
  forget(): void {
    this.#slices.length = 0
  }

  /** Puts the load on, waits for it to settle, measures, takes it off. */
  async measure(): Promise<void> {
    const { framesPerSecond, settleSeconds, measureSeconds } = this.#load
    const { pids } = this.#running
    await this.#parts.tell({ command: 'stream', framesPerSecond })
    await sleep(settleSeconds * 1000)
    await this.#parts.tell({ command: 'mark' })
    const cpuBefore = cpuMicroseconds(pids)
    const startedAt = performance.now()
    await sleep(measureSeconds * 1000)
    const cpuUsed = cpuMicroseconds(pids) - cpuBefore
    const seconds = (performance.now() - startedAt) / 1000
    const reports = await this.#parts.report()
    await this.#parts.tell({ command: 'pause' })
    const messages = reports.reduce((sum, { received }) => sum + received, 0)
    this.#slices.push({
      messagesPerSecond: messages / seconds,
      cpuMicrosecondsPerMessage: cpuUsed / messages,
      latencies: reports.map(({ latencies }) => latencies),
    })
  }

  async close(): Promise<void> {
    await this.#parts.stop()
    await this.#running.stop()
  }
}
