import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { inParallel } from '@parley/stage/processes/in-parallel'
import { Part } from '@parley/stage/processes/part'
import { preciseCpuMicroseconds, residentBytes } from '@parley/stage/processes/process-usage'
import { makeTemporaryDirectory, type TemporaryDirectory } from '@parley/stage/processes/temporary-directory'
import { Latencies } from './latencies.js'
import { LoadParts } from './load-parts.js'
import type { Stream } from './load-side.js'
import type { RunningTarget, Target } from './targets/target.js'
import { type Certificate, makeCertificate } from './tls/make-certificate.js'
import type { TlsFrontCommand } from './tls/tls-front-process.js'

export interface Load {
  readonly stream: Stream
  /** How long the load runs before a measurement to warm up, and how long the measurement takes. */
  readonly settleSeconds: number
  readonly measureSeconds: number
}

export interface Slice {
  readonly messagesPerSecond: number
  readonly cpuMicrosecondsPerMessage: number
  /** Of all messages in both directions. */
  readonly latencies: Latencies
  /** Resident memory at the end. */
  readonly residentBytes: number
}

export interface LaneOptions {
  readonly sessions: number
  readonly isSecure?: boolean
}

const ticketConcurrency = 10
/**
 * A target with its own clients and provider, and all its sessions open. It has load only while it is
 * measured.
 */
export class Lane {
  readonly name: string
  readonly #parts: LoadParts
  readonly #running: RunningTarget
  readonly #secrets: Secrets | undefined
  #front: TlsFront | undefined

  private constructor(name: string, parts: LoadParts, running: RunningTarget, secrets: Secrets | undefined) {
    this.name = name
    this.#parts = parts
    this.#running = running
    this.#secrets = secrets
  }

  static async open(target: Target, { sessions, isSecure = false }: LaneOptions): Promise<Lane> {
    const secrets = isSecure ? await makeSecrets() : undefined
    const parts = new LoadParts({ certificate: secrets?.certificate })
    const running = await target.start(await parts.listen(), secrets?.file)
    const lane = new Lane(target.name, parts, running, secrets)
    await lane.addSessions(sessions)
    return lane
  }

  /** The measured processes. */
  get pids(): readonly number[] {
    return this.#running.pids
  }

  async addSessions(count: number): Promise<void> {
    const urls = await inParallel(count, ticketConcurrency, () => this.#running.sessionUrl())
    await this.#parts.open(await this.#behindTls(urls))
  }

  /**
   * Warms up, starts the load, measures, and stops the load. Rate and latency cover only the measured time.
   * Processor time covers all messages from the first to the last one. Otherwise a busy machine that falls
   * behind would count work without its messages, or messages without their work.
   */
  async measure({ stream, settleSeconds, measureSeconds }: Load): Promise<Slice> {
    const { pids } = this.#running
    if (settleSeconds > 0) await this.#warmUp(stream, settleSeconds)
    const cpuBefore = preciseCpuMicroseconds(pids)
    await this.#parts.tell({ command: 'stream', ...stream })
    await this.#parts.tell({ command: 'mark' })
    const startedAt = performance.now()
    await sleep(measureSeconds * 1000)
    const seconds = (performance.now() - startedAt) / 1000
    const reports = await this.#parts.report()
    await this.#parts.tell({ command: 'pause' })
    const messages = await this.#parts.drain()
    const latencies = new Latencies()
    for (const report of reports) latencies.merge(report.latencies)
    return {
      messagesPerSecond: reports.reduce((sum, { received }) => sum + received, 0) / seconds,
      cpuMicrosecondsPerMessage: (preciseCpuMicroseconds(pids) - cpuBefore) / messages,
      latencies,
      residentBytes: residentBytes(pids),
    }
  }

  async #warmUp(stream: Stream, seconds: number): Promise<void> {
    await this.#parts.tell({ command: 'stream', ...stream })
    await sleep(seconds * 1000)
    await this.#parts.tell({ command: 'pause' })
    await this.#parts.drain()
  }

  async close(): Promise<void> {
    await this.#parts.stop()
    await this.#front?.part.stop()
    await this.#running.stop()
    await this.#secrets?.directory.remove()
  }

  /** If clients speak TLS and the target does not, puts a TLS proxy in front of the target. */
  async #behindTls(urls: readonly string[]): Promise<readonly string[]> {
    const [first] = urls
    if (this.#secrets === undefined || first === undefined || !first.startsWith('ws:')) return urls
    this.#front ??= await startFront(this.#secrets.certificate, Number(new URL(first).port))
    const { port } = this.#front
    return urls.map((url) => url.replace(/^ws:\/\/[^/]*/, `wss://127.0.0.1:${port}`))
  }
}

interface Secrets {
  readonly certificate: Certificate
  readonly directory: TemporaryDirectory
  readonly file: string
}

async function makeSecrets(): Promise<Secrets> {
  const certificate = makeCertificate()
  const directory = await makeTemporaryDirectory('tls')
  const file = join(directory.path, 'authority.pem')
  await writeFile(file, certificate.cert)
  return { certificate, directory, file }
}

interface TlsFront {
  readonly part: Part<TlsFrontCommand>
  readonly port: number
}

async function startFront(certificate: Certificate, targetPort: number): Promise<TlsFront> {
  const part = new Part<TlsFrontCommand>(new URL('./tls/tls-front-process.js', import.meta.url))
  return { part, port: await part.ask<number>({ certificate, port: targetPort }) }
}
