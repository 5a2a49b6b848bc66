import { type RepeatingTask, startRepeatingTask } from '../adapters/system/repeating-task.js'
import type { DatabaseConfig } from '../config/config.js'
import { sealAuditLog } from '../domain/audit/seal.js'
import { removeOldFiles } from '../domain/files/files.js'
import { forgetOldAnswers } from '../domain/idempotency/answer-once.js'
import type { RunningTurns } from '../domain/questions/running-turns.js'
import { forgetOldEvents } from '../domain/questions/turns.js'
import { leaseSeconds, type RunningSessions } from '../domain/realtime/session/running-sessions.js'
import type { AbandonedCalls } from '../domain/tools/approvals/abandoned-calls.js'
import type { WaitingApprovals } from '../domain/tools/approvals/waiting-approvals.js'
import type { Clock } from '../ports/clock.js'
import type { Database } from '../ports/database.js'
import type { Log } from '../ports/log.js'
import type { Metrics } from '../ports/metrics.js'

const leaseMilliseconds = 5000
const forgetMilliseconds = 60 * 60 * 1000
const fileMilliseconds = 60 * 1000

/**
 * How often an instance looks for what others have changed. Its own changes wake it at once, and with the embedded
 * database there are no others: looking is then only the net below, and costs nothing that the relay would miss.
 */
const pollMilliseconds = { embedded: 10_000, postgres: 1000 } as const

export interface BackgroundWorkOptions {
  readonly databaseKind: DatabaseConfig['kind']
  readonly database: Database
  readonly clock: Clock
  readonly log: Log
  readonly metrics: Metrics
  readonly sessions: RunningSessions
  readonly turns: RunningTurns
  readonly waitingApprovals: WaitingApprovals
  readonly abandoned: AbandonedCalls
}

export interface BackgroundWork {
  /** Something has changed here: whatever follows from it happens soon. */
  wake(): void
  stop(): Promise<void>
}

/** What the service does without being asked. */
export function startBackgroundWork(options: BackgroundWorkOptions): BackgroundWork {
  const { database, clock, log, metrics, sessions, turns, waitingApprovals, abandoned } = options
  const repeat = (job: string, intervalMilliseconds: number, task: () => Promise<unknown>): RepeatingTask =>
    startRepeatingTask(
      async () => void (await task()),
      intervalMilliseconds,
      (error) => log.error({ err: error, job }, 'background work failed'),
    )
  const look = pollMilliseconds[options.databaseKind]
  const woken = [
    repeat('seal the audit log', look, async () => metrics.auditRecordsSealed(await sealAuditLog(database))),
    repeat('end sessions on request', look, () => sessions.endRequested()),
    repeat('see to turns', look, () => turns.poll()),
    repeat('look at approvals', look, () => waitingApprovals.poll()),
    repeat('see to abandoned calls', look, () => abandoned.poll()),
  ]
  const all = [
    ...woken,
    repeat('keep the lease', leaseMilliseconds, async () => {
      if (await sessions.keepLease()) await turns.closeLost(leaseSeconds)
    }),
    repeat('forget old events of turns', forgetMilliseconds, () => forgetOldEvents(database.stores, clock)),
    repeat('remove old files', fileMilliseconds, () => removeOldFiles(database, clock)),
    repeat('forget old idempotency keys', forgetMilliseconds, () => forgetOldAnswers(database, clock)),
  ]
  return {
    wake() {
      for (const task of woken) task.wake()
    },
    async stop() {
      await Promise.all(all.map((task) => task.stop()))
    },
  }
}
