import { type RepeatingJob, startRepeatingJob } from '../adapters/system/repeating-job.js'
import { batch, coalesce } from '../concurrency/coalesce.js'
import type { DatabaseConfig } from '../config/config.js'
import { sealAuditLog } from '../domain/audit/seal.js'
import { SealLog } from '../domain/audit/seal-log.js'
import type { RunningSessions } from '../domain/realtime/session/running-sessions.js'
import { type RetentionPeriods, removeOverdue } from '../domain/retention/remove-overdue.js'
import { FarPlans, type TaskRuns } from '../domain/task-runs/task-runs.js'
import type { UnattendedCalls } from '../domain/tools/approvals/unattended-calls.js'
import type { WaitingApprovals } from '../domain/tools/approvals/waiting-approvals.js'
import type { RunningTurns } from '../domain/turns/running-turns.js'
import type { WebhookDeliveries } from '../domain/webhook-deliveries/webhook-deliveries.js'
import type { ChangeKind, SignalledChange } from '../ports/changes.js'
import type { Database } from '../ports/database.js'
import type { Log } from '../ports/log.js'
import type { Metrics, WorkMetrics } from '../ports/metrics.js'
import type { ChainKeys, Cipher } from '../ports/secrets.js'
import type { Clock, Timers } from '../ports/time.js'
import type { ComposedPeople } from './people.js'

const retentionIntervalMilliseconds = 60 * 1000
const deliveryIntervalMilliseconds = 1000
const planIntervalMilliseconds = 60 * 1000
const clockIntervalMilliseconds = 10_000
/** How far back the log's newest head of a chain can be. */
const headIntervalMilliseconds = 10 * 60 * 1000
/** What is said is told to webhooks this soon, however much is said. */
const entryIntervalMilliseconds = 250
/**
 * How far apart the polls are at least that this instance's own changes cause: the first follows at once. What people wait
 * for comes soon; sealing takes seven statements however much there is to seal, and nobody waits for it.
 */
const wakeIntervalMilliseconds = { own: 25, unattended: 50, seal: 500 } as const

/**
 * How often an instance polls for what others have changed. Its own changes wake it at once, those of others where Redis
 * carries the signal, and with the embedded database there are no others: polling is then only a safety net, and costs
 * nothing that the relay would miss.
 */
const pollIntervalMilliseconds = { embedded: 10_000, postgres: 1000 } as const

/** A larger batch of changes is signaled without naming each change. */
const mostOwnChanges = 1000

const changeKinds = ['sessions', 'turns', 'approvals'] as const satisfies readonly ChangeKind[]

const organizationsOf = (changes: ReadonlySet<SignalledChange>, kind: ChangeKind): readonly string[] =>
  [...changes].flatMap((change) => (change.startsWith(`${kind} `) ? [change.slice(kind.length + 1)] : []))

export interface BackgroundWorkOptions {
  readonly databaseKind: DatabaseConfig['kind']
  /** Replaces the interval that belongs to the database. */
  readonly pollMilliseconds: number | undefined
  readonly database: Database
  readonly clock: Clock
  readonly cipher: Cipher
  readonly chainKeys: ChainKeys
  readonly timers: Timers
  readonly retention: RetentionPeriods
  readonly log: Log
  readonly metrics: Metrics
  readonly workMetrics: WorkMetrics
  readonly sessions: RunningSessions
  readonly turns: RunningTurns
  readonly waitingApprovals: WaitingApprovals
  readonly unattended: UnattendedCalls
  readonly webhookDeliveries: WebhookDeliveries
  readonly taskRuns: TaskRuns
  readonly leaseSeconds: number
  /** Compares this instance's time with what all agree on. */
  readonly compareClock: () => Promise<void>
  readonly people: Pick<ComposedPeople, 'shortenSessions'>
  /** Whether anything may be removed by this instance's time. */
  readonly isClockTrusted: () => boolean
}

export interface BackgroundWork {
  /** Something was changed here, which concerns this work: what follows from it happens soon. */
  wake(concerned: ReadonlySet<SignalledChange>): void
  /** A session or turn has written something here, which webhooks may want to know. */
  wakeForEntry(): void
  /**
   * Another instance has changed something: if this one has sessions, turns or calls that it concerns, these are looked
   * at soon. Null: anything may have changed.
   */
  wakeForOthers(changes: ReadonlySet<SignalledChange> | null): void
  stop(): Promise<void>
}

/** The names of the jobs, in the log and in the metrics. */
export const backgroundJobs = [
  'end sessions on request',
  'start and stop turns',
  'pass decisions on',
  'deliver to webhooks',
  'seal the audit log',
  'finish unattended calls',
  'run tasks',
  'renew the lease',
  'compare the clock',
  'write audit heads to the log',
  'plan tasks anew',
  'remove what is over',
] as const

type JobName = (typeof backgroundJobs)[number]

/** What the service does without being asked. */
export function startBackgroundWork(options: BackgroundWorkOptions): BackgroundWork {
  const { database, clock, timers, log, metrics, sessions, turns, waitingApprovals, unattended } = options
  const { cipher, chainKeys } = options
  const sealing = { database, clock, cipher, chainKeys }
  const sealLog = new SealLog(log)
  const farPlans = new FarPlans({ database, clock, log })
  const { webhookDeliveries } = options
  const { taskRuns, leaseSeconds, workMetrics } = options
  const repeat = (job: JobName, intervalMilliseconds: number, run: () => Promise<unknown>): RepeatingJob =>
    startRepeatingJob({
      run,
      intervalMilliseconds,
      onError(error) {
        workMetrics.jobFailed(job)
        log.error({ err: error, job }, 'background work failed')
      },
    })
  const pollMilliseconds = options.pollMilliseconds ?? pollIntervalMilliseconds[options.databaseKind]
  const poll = (job: JobName, run: () => Promise<unknown>) => repeat(job, pollMilliseconds, run)

  /** What only the instance can do that has the session, the turn or the call; each is free where there is none. */
  const ownPolls: Readonly<Record<ChangeKind, RepeatingJob>> = {
    sessions: poll('end sessions on request', () => sessions.endRequested()),
    turns: poll('start and stop turns', () => turns.poll()),
    approvals: poll('pass decisions on', () => waitingApprovals.poll()),
  }
  const holders = { sessions, turns, approvals: waitingApprovals }
  const wakeConcerned = (changes: ReadonlySet<SignalledChange> | null) => {
    for (const kind of changeKinds)
      if (changes === null || organizationsOf(changes, kind).some((id) => holders[kind].holdsWorkOf(id)))
        ownPolls[kind].wake()
  }
  const ownChanges = batch<SignalledChange>(wakeIntervalMilliseconds.own, mostOwnChanges, wakeConcerned)
  // What failed comes back by itself, and what another instance leaves behind has to be found.
  const deliver = repeat('deliver to webhooks', deliveryIntervalMilliseconds, () => webhookDeliveries.poll())
  webhookDeliveries.onRoom = () => deliver.wake()
  const deliverEntries = coalesce(entryIntervalMilliseconds, () => deliver.wake())
  const seal = poll('seal the audit log', async () =>
    metrics.auditRecordsSealed(await sealAuditLog({ ...sealing, listener: sealLog })),
  )
  const finish = poll('finish unattended calls', () => unattended.poll())
  const wakeAll = (jobs: readonly RepeatingJob[]) => () => {
    for (const job of jobs) job.wake()
  }
  /** What follows from changes of this instance. */
  const wakes = [
    coalesce(wakeIntervalMilliseconds.own, wakeAll([deliver])),
    coalesce(wakeIntervalMilliseconds.unattended, wakeAll([finish])),
    coalesce(wakeIntervalMilliseconds.seal, wakeAll([seal])),
  ]
  const tasks = poll('run tasks', () => taskRuns.poll())
  taskRuns.onDue(() => tasks.wake())
  // What was due before the start need not wait for the first poll.
  tasks.wake()
  const all = [
    ...Object.values(ownPolls),
    ...[deliver, seal, finish, tasks],
    repeat('renew the lease', (leaseSeconds * 1000) / 3, async () => {
      if (await sessions.keepLease()) await turns.closeLost(leaseSeconds)
    }),
    repeat('write audit heads to the log', headIntervalMilliseconds, async () => sealLog.writeHeads()),
    repeat('compare the clock', clockIntervalMilliseconds, options.compareClock),
    repeat('remove what is over', retentionIntervalMilliseconds, async () => {
      await options.people.shortenSessions()
      await options.compareClock()
      if (!options.isClockTrusted()) return
      await removeOverdue({ ...sealing, timers, metrics, periods: options.retention })
    }),
    repeat('plan tasks anew', planIntervalMilliseconds, () => farPlans.correctSome()),
  ]
  return {
    wake(concerned) {
      for (const change of concerned) ownChanges.add(change)
      for (const each of wakes) each.request()
      taskRuns.noteCommit()
    },
    wakeForEntry: () => deliverEntries.request(),
    wakeForOthers: wakeConcerned,
    async stop() {
      for (const each of [deliverEntries, ownChanges, ...wakes]) each.stop()
      await Promise.all(all.map((task) => task.stop()))
      sealLog.writeHeads()
    },
  }
}
