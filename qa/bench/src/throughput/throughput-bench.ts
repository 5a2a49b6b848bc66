import { setTimeout as sleep } from 'node:timers/promises'
import { inParallel } from '@parley/stage/processes/in-parallel'
import { inTurns } from '@parley/stage/processes/in-turns'
import { canPin, otherCores, pin } from '@parley/stage/processes/pin'
import { childrenOf, cpuMicroseconds, treeOf } from '@parley/stage/processes/process-usage'
import { untilAtRest } from '@parley/stage/processes/until-at-rest'
import { openSession } from '@parley/stage/service/open-session'
import { type ParleyService, startParley } from '@parley/stage/service/parley-service'
import { type PostgresProcess, startPostgres } from '@parley/stage/service/postgres-process'
import { createTicket, makeSpeakingAgents } from '@parley/stage/service/speaking-agents'
import { LoadParts } from '../relay/load-parts.js'
import { measureSharedRelay } from './shared-relay.js'
import type { ThroughputOptions } from './throughput-options.js'
import { type Burst, describeThroughput, isWithinTarget, type Rate, type Talk } from './throughput-report.js'

/** One deployment: the service with this many processes, its database and the talking sessions. */
interface Lane {
  readonly workers: number
  readonly parley: ParleyService
  readonly postgres: PostgresProcess
  readonly parts: LoadParts
  readonly agentId: string
  readonly pids: readonly number[]
  readonly talks: Talk[]
  readonly bursts: Burst[]
}

const concurrency = 8
const settleSeconds = 2
const workerCounts = [1, 2]
const model = 'gpt-realtime'

/**
 * The service has one core, everything else has the others. Measures the cost of a talking session with one process, and with
 * two that have as many each, then the sessions per second that are created and opened while others talk. Returns whether two
 * processes cost the same as one.
 */
export async function runThroughputBench(options: ThroughputOptions): Promise<boolean> {
  const lanes: Lane[] = []
  const sharedRelay: number[] = []
  try {
    for (const workers of workerCounts) {
      lanes.push(await startLane(workers, options))
      console.log(`  ${options.sessions * workers} sessions are open, ${workers} workers`)
    }
    giveOneCore(lanes.flatMap(({ pids }) => pids))
    await Promise.all(lanes.map(({ pids }) => untilAtRest(pids)))
    // The talking sessions come first, before other work leaves garbage.
    await eachRound(lanes, options.rounds, async (lane, round) => {
      const talk = await measureTalk(lane, options)
      if (round === 0) return
      lane.talks.push(talk)
      console.log(
        `  round ${round} of ${options.rounds}, ${lane.workers} workers: ${talk.talkingCpu.toFixed(2)} ms per second and session`,
      )
    })
    sharedRelay.push(...(await measureSharedRelay(options)))
    await eachRound(lanes, options.rounds, async (lane, round) => {
      const burst = await measureBurst(lane, options)
      if (round > 0) lane.bursts.push(burst)
    })
  } finally {
    for (const { parts, parley, postgres } of lanes) {
      await parts.stop()
      await parley.stop()
      await postgres.stop()
    }
  }
  console.log(describeThroughput(options, lanes, sharedRelay))
  return isWithinTarget(lanes)
}

/** Round 0 includes compilation. */
async function eachRound(
  lanes: readonly Lane[],
  rounds: number,
  measure: (lane: Lane, round: number) => Promise<void>,
): Promise<void> {
  for (let round = 0; round <= rounds; round += 1)
    for (const lane of inTurns(round, lanes)) await measure(lane, round)
}

function giveOneCore(pids: readonly number[]): void {
  if (!canPin())
    return console.log('Without taskset, or with one core, the service shares its core with the load.')
  pin(treeOf(process.pid), otherCores())
  pin(pids, '0')
}

async function startLane(workers: number, { sessions }: ThroughputOptions): Promise<Lane> {
  const parts = new LoadParts()
  const providerUrl = await parts.listen()
  const postgres = await startPostgres()
  const parley = await startParley({
    isBundled: true,
    env: {
      DATABASE_URL: postgres.url,
      PARLEY_SECRET: 'a secret for the bench that is long enough',
      PARLEY_WORKERS: String(workers),
      PARLEY_ORG_MAX_SESSIONS: '100000',
      PARLEY_REALTIME_SESSION_TTL_SECONDS: '600',
      // The sessions of the other deployment are silent during this time.
      PARLEY_REALTIME_IDLE_TIMEOUT_SECONDS: '3600',
      PARLEY_REALTIME_MAX_SESSION_SECONDS: '7200',
      LOG_LEVEL: 'warn',
    },
  })
  const pids = await processesOf(parley.pid, workers)
  const agents = await makeSpeakingAgents(parley.api, providerUrl, [model])
  const agentId = agents[model]
  const tickets = await inParallel(sessions * workers, concurrency, () => createTicket(parley.api, agentId))
  await parts.open(tickets.map(({ webSocketPath }) => `${parley.url.replace('http', 'ws')}${webSocketPath}`))
  return { workers, parley, postgres, parts, agentId, pids, talks: [], bursts: [] }
}

/** The main process, and the workers that it starts after the first one serves. */
async function processesOf(pid: number, workers: number): Promise<number[]> {
  if (workers === 1) return [pid]
  for (let attempt = 0; attempt < 200; attempt += 1) {
    const children = childrenOf(pid)
    if (children.length >= workers) return [pid, ...children]
    await sleep(50)
  }
  throw new Error(`There are fewer than ${workers} workers.`)
}

/** Measures while all are silent, while all talk, and while only one worker's share of them talks. */
async function measureTalk(lane: Lane, options: ThroughputOptions): Promise<Talk> {
  const { sessions, seconds } = options
  const silentCpu = await cpuPerSecond(lane.pids, seconds)
  const talkingCpu = await cpuOfTalking(lane, options, sessions * lane.workers, silentCpu)
  const sharedCpu = lane.workers === 1 ? talkingCpu : await cpuOfTalking(lane, options, sessions, silentCpu)
  return { silentCpu, talkingCpu, sharedCpu }
}

/** Returns the additional processor time per talking session. */
async function cpuOfTalking(
  { parts, pids }: Lane,
  { framesPerSecond, seconds }: ThroughputOptions,
  sessions: number,
  silentCpu: number,
): Promise<number> {
  await parts.tell({ command: 'stream', framesPerSecond, sessions })
  await sleep(settleSeconds * 1000)
  const cpu = await cpuPerSecond(pids, seconds)
  await parts.tell({ command: 'pause' })
  await sleep(settleSeconds * 1000)
  return (cpu - silentCpu) / sessions
}

/** Creates and opens sessions while others talk. */
async function measureBurst(
  { parley, parts, agentId, pids }: Lane,
  { sessions, framesPerSecond, seconds }: ThroughputOptions,
): Promise<Burst> {
  await parts.tell({ command: 'stream', framesPerSecond, sessions })
  await sleep(settleSeconds * 1000)
  const paths: string[] = []
  const created = await rate(pids, seconds, async () => {
    paths.push((await createTicket(parley.api, agentId)).webSocketPath)
  })
  const sockets: { close(code: number): void }[] = []
  const opened = await rate(pids, Number.POSITIVE_INFINITY, async () => {
    const path = paths.pop()
    if (path === undefined) return false
    const opening = await openSession(parley.url, path)
    if (!opening.ok) throw new Error(`A session did not open: ${opening.reason}`)
    sockets.push(opening.socket)
    return true
  })
  for (const socket of sockets) socket.close(1000)
  await parts.tell({ command: 'pause' })
  await sleep(settleSeconds * 1000)
  return { created, opened }
}

/** The processor time of these processes, in milliseconds per second. */
async function cpuPerSecond(pids: readonly number[], seconds: number): Promise<number> {
  const before = cpuMicroseconds(pids)
  const startedAt = performance.now()
  await sleep(seconds * 1000)
  return (cpuMicroseconds(pids) - before) / (performance.now() - startedAt)
}

/** Repeats an operation concurrently until the time is over or no work is left. */
async function rate(
  pids: readonly number[],
  seconds: number,
  act: () => Promise<boolean | undefined>,
): Promise<Rate> {
  const milliseconds: number[] = []
  const before = cpuMicroseconds(pids)
  const begin = performance.now()
  const work = async () => {
    while (performance.now() - begin < seconds * 1000) {
      const start = performance.now()
      if ((await act()) === false) return
      milliseconds.push(performance.now() - start)
    }
  }
  await Promise.all(Array.from({ length: concurrency }, work))
  const elapsed = (performance.now() - begin) / 1000
  const cores = (cpuMicroseconds(pids) - before) / 1e6 / elapsed
  return { perSecond: milliseconds.length / elapsed, milliseconds, cores }
}
