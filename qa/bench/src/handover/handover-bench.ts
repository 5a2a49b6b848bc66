import type { RealtimeSession } from '@parley/contract'
import { inParallel } from '@parley/stage/processes/in-parallel'
import { Part } from '@parley/stage/processes/part'
import { cpuMicroseconds } from '@parley/stage/processes/process-usage'
import { openSession } from '@parley/stage/service/open-session'
import { startParley } from '@parley/stage/service/parley-service'
import { startPostgres } from '@parley/stage/service/postgres-process'
import { createTicket, makeSpeakingAgents } from '@parley/stage/service/speaking-agents'
import { describeTable } from '@parley/stage/terminal/table'
import type { ProviderCommand } from '../relay/load-parts.js'

export interface HandoverBenchOptions {
  readonly sessions: number
  /** This many sessions are opened twice at the same time, once on each instance. */
  readonly doubled: number
}

const concurrency = 16
const model = 'gpt-realtime'
const alreadyUsed = 'RealtimeSessionAlreadyUsed'

/** Opens sessions on one instance that the other created. All stay open until the last. Returns whether all worked. */
export async function runHandoverBench({ sessions, doubled }: HandoverBenchOptions): Promise<boolean> {
  const provider = new Part<ProviderCommand>(new URL('../relay/provider-process.js', import.meta.url))
  const providerUrl = `http://127.0.0.1:${await provider.ask<number>({ command: 'listen' })}/v1`
  const postgres = await startPostgres()
  const env = {
    DATABASE_URL: postgres.url,
    PARLEY_SECRET: 'a secret for the bench that is long enough',
    PARLEY_ORG_MAX_SESSIONS: '10000',
    PARLEY_REALTIME_SESSION_TTL_SECONDS: '600',
    LOG_LEVEL: 'warn',
  }
  const creating = await startParley({ env })
  const opening = await startParley({ env, credentials: creating.credentials })
  const agents = await makeSpeakingAgents(creating.api, providerUrl, [model])

  const begin = performance.now()
  const tickets = await inParallel(sessions, concurrency, () => createTicket(creating.api, agents[model]))
  const created = performance.now()
  const cpuBefore = cpuMicroseconds([opening.pid])
  const milliseconds: number[] = []
  const outcomes = await inParallel(sessions, concurrency, async (index) => {
    const path = tickets[index]?.webSocketPath ?? ''
    const start = performance.now()
    const urls = index < doubled ? [opening.url, creating.url] : [opening.url]
    const opened = await Promise.all(urls.map((url) => openSession(url, path)))
    milliseconds.push(performance.now() - start)
    return opened
  })
  const openedAt = performance.now()
  const cpu = cpuMicroseconds([opening.pid]) - cpuBefore
  const connected = outcomes.flat().filter((outcome) => outcome.ok)
  const rejections = outcomes.flat().flatMap((outcome) => (outcome.ok ? [] : [outcome.reason]))
  const once = outcomes.filter((of) => of.filter(({ ok }) => ok).length === 1).length
  const running = await opening.api.call<{ readonly totalCount: number; readonly items: RealtimeSession[] }>(
    'GET',
    '/api/v1/RealtimeSession?IsRunning=true&Limit=1',
  )
  milliseconds.sort((one, other) => one - other)
  const at = (share: number) => (milliseconds[Math.floor(share * (sessions - 1))] ?? Number.NaN).toFixed(0)
  console.log(
    describeTable([
      [
        'sessions',
        'opened once',
        'rejected as used',
        'rejected otherwise',
        'running in the API',
        'created /s',
        'opened /s',
        'p50 ms',
        'p99 ms',
        'ms of CPU',
      ],
      [
        ...[sessions, once, rejections.filter((reason) => reason === alreadyUsed).length],
        ...[rejections.filter((reason) => reason !== alreadyUsed).length, running.totalCount],
        ...[
          Math.round((sessions * 1000) / (created - begin)),
          Math.round((sessions * 1000) / (openedAt - created)),
        ],
        ...[at(0.5), at(0.99), (cpu / sessions / 1000).toFixed(1)],
      ].map(String),
    ]),
  )
  for (const { socket } of connected) socket.close(1000)
  await Promise.all([creating.stop(), opening.stop()])
  await provider.stop()
  await postgres.stop()
  const isWhole = once === sessions && rejections.length === doubled && running.totalCount === sessions
  return isWhole && rejections.every((reason) => reason === alreadyUsed)
}
