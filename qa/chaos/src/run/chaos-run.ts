import { setTimeout as sleep } from 'node:timers/promises'
import { Client } from 'pg'
import type { LoadFigures, LoadSize } from '../load/load-process.js'
import { describeFault, type Plan } from '../plan/fault.js'
import type { ClientRecords } from '../records/client-records.js'
import type { ExternalRecords } from '../records/external-records.js'
import { type AllRecords, judge } from '../records/judge.js'
import type { Violation } from '../records/violation.js'
import type { FoundServers } from '../stage/servers.js'
import { type Stage, type StageOptions, startStage } from '../stage/stage.js'
import { type AppliedFault, carryOut } from './apply-fault.js'
import { judgeProcesses } from './judge-processes.js'
import { settle } from './leftovers.js'
import { readStored } from './read-stored.js'
import { makeTenants } from './tenants.js'

const progressMilliseconds = 15_000
/** How long the service may take to become idle after the last user left. */
const settleMilliseconds = 120_000
/** How long the load may take to finish. Users that hang are not waited for. */
const finishMilliseconds = 240_000

export interface ChaosRunOptions extends StageOptions {
  readonly plan: Plan
  readonly servers: FoundServers
  readonly say: (line: string) => void
}

export interface ChaosResult {
  readonly plan: Plan
  readonly applied: readonly AppliedFault[]
  readonly records: AllRecords
  readonly violations: readonly Violation[]
  readonly instances: readonly InstanceFigures[]
  readonly diskKind: string
  readonly settledSeconds: number
  readonly startedAt: number
}

export interface InstanceFigures {
  readonly logPath: string
  readonly starts: number
  readonly ownExits: number
  readonly peakBytes: number
}

/** Gives each kind of load a share. Most of it is voice. */
const sizeOf = (sessions: number): LoadSize => ({
  sessions,
  askers: Math.max(2, Math.round(sessions / 10)),
  uploaders: Math.max(1, Math.round(sessions / 40)),
  taskers: Math.max(2, Math.round(sessions / 25)),
})

/** Starts the load, applies the plan, waits until the service is idle, and checks the results. */
export async function runChaos(options: ChaosRunOptions): Promise<ChaosResult> {
  const stage = await startStage(options.servers, options)
  try {
    return await play(stage, options)
  } finally {
    await stage.close()
  }
}

async function play(stage: Stage, { plan, say }: ChaosRunOptions): Promise<ChaosResult> {
  const tenants = await makeTenants(stage)
  const startedAt = Date.now()
  const since = () => `${((Date.now() - startedAt) / 1000).toFixed(0).padStart(4)} s`
  const { url } = stage.proxy
  await stage.load.ask({ command: 'start', url, tenants, size: sizeOf(plan.sessions), seed: plan.seed })
  const faults = carryOut(stage, plan, (fault) => say(`${since()}  ${describeFault(fault)}`))
  // The `await` below reports the error. This handler only prevents an unhandled rejection.
  faults.catch(() => undefined)
  const endsAt = performance.now() + plan.seconds * 1000
  while (performance.now() < endsAt) {
    await sleep(Math.min(progressMilliseconds, Math.max(0, endsAt - performance.now())))
    const { openSessions, turns } = await stage.load.ask<LoadFigures>({ command: 'figures' })
    say(`${since()}  ${openSessions} sessions are open, ${turns} turns were announced`)
  }
  const applied = await faults
  await Promise.all(stage.instances.map((instance) => instance.ready()))
  say(`${since()}  the faults are over, and the load is finishing`)
  const load = await inTime(stage.load.ask<ClientRecords>({ command: 'finish' }))
  say(`${since()}  all users have left, waiting until the service is idle`)
  const client = new Client({ connectionString: stage.postgres.url })
  await client.connect()
  try {
    const settledSeconds = (await settle(client, settleMilliseconds)) / 1000
    const outside = await stage.outside.ask<ExternalRecords>({ command: 'books' })
    const stored = await readStored({ url, tenants, load, client })
    const records = { load, outside, stored }
    return {
      plan,
      applied,
      records,
      settledSeconds,
      startedAt,
      diskKind: stage.disk.kind,
      violations: [...judge(records), ...judgeProcesses(stage.instances, applied)],
      instances: stage.instances.map(({ logPath, starts, ownExits, peakBytes }) => ({
        logPath,
        starts,
        peakBytes,
        ownExits: ownExits.length,
      })),
    }
  } finally {
    await client.end()
  }
}

async function inTime<Value>(promise: Promise<Value>): Promise<Value> {
  const stop = new AbortController()
  const late = sleep(finishMilliseconds, undefined, { signal: stop.signal }).then(() => {
    throw new Error('The load did not finish in time. This is a bug in the bench.')
  })
  late.catch(() => undefined)
  try {
    return await Promise.race([promise, late])
  } finally {
    stop.abort()
  }
}
