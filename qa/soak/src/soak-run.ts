import { setTimeout as sleep } from 'node:timers/promises'
import type { Page, RealtimeSession } from '@parley/contract'
import { inParallel } from '@parley/stage/processes/in-parallel'
import { type ParleyService, startParley } from '@parley/stage/service/parley-service'
import { createTicket, makeSpeakingAgents } from '@parley/stage/service/speaking-agents'
import { type Scenario, scenarios } from './scenarios.js'
import { takeQuietSnapshot, takeSnapshot } from './snapshot.js'
import { type Behavior, behaviors, type SoakProvider, startSoakProvider } from './soak-provider.js'
import type { SoakOutcome } from './verdict.js'

export interface SoakOptions {
  readonly sessions: number
  readonly concurrency: number
}

const idleTimeoutSeconds = 2
const progressMilliseconds = 10_000

/**
 * Plays all scenarios in turn on a real service, many at a time. Takes snapshots of the idle service before,
 * in the middle and at the end.
 */
export async function runSoak({ sessions, concurrency }: SoakOptions): Promise<SoakOutcome> {
  const provider = await startSoakProvider()
  const service = await startParley({
    nodeOptions: ['--inspect=127.0.0.1:0'],
    env: { PARLEY_REALTIME_IDLE_TIMEOUT_SECONDS: String(idleTimeoutSeconds), LOG_LEVEL: 'warn' },
  })
  try {
    return await play(service, provider, { sessions, concurrency })
  } finally {
    await service.stop()
    await provider.close()
  }
}

async function play(
  service: ParleyService,
  provider: SoakProvider,
  { sessions, concurrency }: SoakOptions,
): Promise<SoakOutcome> {
  const agents = await makeSpeakingAgents(service.api, provider.url, behaviors)
  const failures: string[] = []
  const played = new Map<Scenario, number>()
  let done = 0

  const batch = async (count: number) => {
    const stop = new AbortController()
    const progress = tellProgress(service, () => done, stop.signal)
    await inParallel(count, concurrency, async (index) => {
      const scenario = scenarios[index % scenarios.length] as Scenario
      await playOne(service, agents, scenario).catch((error: Error) =>
        failures.push(`${scenario.name}: ${error.message}`),
      )
      played.set(scenario, (played.get(scenario) ?? 0) + 1)
      done += 1
    })
    stop.abort()
    await progress
  }
  const rest = async () => {
    console.log(`  ${done} sessions are over, waiting until the service is idle`)
    return { after: done, snapshot: await takeQuietSnapshot(service) }
  }

  await batch(Math.ceil(sessions / 10))
  const warm = await rest()
  played.clear()
  await batch(Math.floor(sessions / 2))
  const middle = await rest()
  await batch(sessions - Math.floor(sessions / 2))
  const end = await rest()
  const running = await service.api.call<Page<RealtimeSession>>(
    'GET',
    '/api/v1/RealtimeSession?IsRunning=true',
  )
  return {
    snapshots: [warm.snapshot, middle.snapshot, end.snapshot],
    sessions: [warm.after, middle.after, end.after],
    played,
    failures,
    stillRunning: running.totalCount,
    openAtProvider: provider.openCount,
  }
}

async function playOne(
  { api, url }: ParleyService,
  agents: Readonly<Record<Behavior, string>>,
  scenario: Scenario,
): Promise<void> {
  const { webSocketPath, conversationId } = await createTicket(api, agents[scenario.provider])
  await scenario.play({ api, conversationId, url: `${url.replace('http', 'ws')}${webSocketPath}` })
}

async function tellProgress(service: ParleyService, done: () => number, signal: AbortSignal): Promise<void> {
  const [startedAt, doneBefore] = [performance.now(), done()]
  for (;;) {
    await sleep(progressMilliseconds, undefined, { signal }).catch(() => undefined)
    if (signal.aborted) return
    const { activeSessions, heapBytes, fileDescriptors } = await takeSnapshot(service)
    const perSecond = ((done() - doneBefore) / (performance.now() - startedAt)) * 1000
    console.log(
      `  ${done()} sessions, ${perSecond.toFixed(0)} per second, now ${activeSessions} active, ` +
        `heap ${Math.round(heapBytes / 1024 / 1024)} MiB, ${fileDescriptors} open files`,
    )
  }
}
