import { setTimeout as sleep } from 'node:timers/promises'
import { inParallel } from '../processes/in-parallel.js'
import { cpuMicroseconds, residentBytes } from '../processes/process-usage.js'
import { type LoadAnswer, startClients, startProvider } from './load-commands.js'
import type { LatencyCounts } from './latencies.js'
import type { SideReport } from './load-side.js'
import type { Target } from './targets/target.js'

export interface Load {
  readonly sessions: number
  /** Each way, on each session. */
  readonly framesPerSecond: number
  readonly warmUpSeconds: number
  readonly measureSeconds: number
}

/** One target under one load, once. */
export interface CaseResult {
  readonly target: string
  readonly messagesPerSecond: number
  /** The share of the messages asked for that came through. */
  readonly achieved: number
  readonly cpuMicrosecondsPerMessage: number
  readonly bytesPerSession: number
  readonly latencies: readonly LatencyCounts[]
}

const ticketsAtOnce = 10

/** Starts everything anew, opens the sessions, warms up, measures, and takes it all down again. */
export async function runCase(target: Target, load: Load): Promise<CaseResult> {
  const provider = startProvider()
  const clients = startClients()
  const { port } = (await provider.ask({ command: 'listen' })) as { port: number }
  const running = await target.start(`http://127.0.0.1:${port}/v1`)
  const both = (command: Parameters<typeof obeyed>[0]) => obeyed(command)
  const obeyed = (command: { command: 'mark' | 'report' | 'stop' }) =>
    Promise.all([clients.ask(command), provider.ask(command)])
  try {
    const bytesBefore = residentBytes(running.pids)
    const urls = await inParallel(load.sessions, ticketsAtOnce, () => running.sessionUrl())
    await clients.ask({ command: 'open', urls })
    const stream = { command: 'stream', framesPerSecond: load.framesPerSecond } as const
    await Promise.all([clients.ask(stream), provider.ask(stream)])
    await sleep(load.warmUpSeconds * 1000)

    await both({ command: 'mark' })
    const cpuBefore = cpuMicroseconds(running.pids)
    const startedAt = performance.now()
    await sleep(load.measureSeconds * 1000)
    const cpuUsed = cpuMicroseconds(running.pids) - cpuBefore
    const seconds = (performance.now() - startedAt) / 1000
    const reports = (await both({ command: 'report' })).map(asReport)
    const bytesUsed = residentBytes(running.pids) - bytesBefore
    await both({ command: 'stop' })

    const messages = reports.reduce((sum, { received }) => sum + received, 0)
    return {
      target: target.name,
      messagesPerSecond: messages / seconds,
      achieved: messages / (2 * load.sessions * load.framesPerSecond * seconds),
      cpuMicrosecondsPerMessage: cpuUsed / messages,
      bytesPerSession: bytesUsed / load.sessions,
      latencies: reports.map(({ latencies }) => latencies),
    }
  } finally {
    await Promise.all([clients.stop(), provider.stop()])
    await running.stop()
  }
}

const asReport = (answer: LoadAnswer) => answer as SideReport
