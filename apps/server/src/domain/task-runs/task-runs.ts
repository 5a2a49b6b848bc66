import type { ChangeSignals } from '../../ports/changes.js'
import type { TurnRecord } from '../../ports/conversation-stores.js'
import type { Database, Stores } from '../../ports/database.js'
import type { Log } from '../../ports/log.js'
import type { DueTask, PlannedTask, TaskRecord } from '../../ports/task-stores.js'
import type { Clock, Timers } from '../../ports/time.js'
import { systemCaller } from '../caller-scope.js'
import { DomainError } from '../domain-error.js'
import { correctedRunTime, deadlineOf } from '../tasks/run-plan.js'
import { isAttemptRunning, overdue } from '../tasks/settle-attempt.js'
import { beginRun, endRun, stopAttempt, writeTask } from '../tasks/task-run.js'
import type { RunningTurns } from '../turns/running-turns.js'
import { type StartAttemptDependencies, settleEndedAttempt, startAttempt } from './attempts.js'
import { type CallAttemptDependencies, startCallAttempt } from './call-attempts.js'

export interface TaskRunsDependencies extends StartAttemptDependencies, CallAttemptDependencies {
  readonly database: Database
  readonly timers: Timers
  readonly log: Log
  readonly running: RunningTurns
  readonly signals: ChangeSignals
  /** The maximum number of concurrent attempts on this instance. */
  readonly maxRunning: number
}

const batchSize = 20
/** The delay before the next attempt to start a run whose organization has no free slot. */
const roomPauseSeconds = 10
/** After a run was planned here, any commit within this time may be the one that contains it. */
const expectMilliseconds = 2000
/** The delay before the next attempt to start a due task that could not start. */
const blockedMilliseconds = 1000
/** The maximum delay of the timer. The regular poll finds later tasks. */
const maxTimerMilliseconds = 60_000

/**
 * The result for a due task: an attempt to run here, a change after which more tasks may be due, or nothing.
 */
type Advance = { readonly turn: TurnRecord } | 'again' | 'nothing'

/**
 * Starts due runs, and passes their attempts to the turns of this instance, up to a limit. Slots are shared
 * fairly between organizations. The outcome of an attempt is stored by its turn.
 */
export class TaskRuns {
  readonly #dependencies: TaskRunsDependencies
  #isStopped = false
  #plannedUntil = 0
  #cancelTimer: () => void = () => undefined
  #onDue: () => void = () => undefined

  constructor(dependencies: TaskRunsDependencies) {
    this.#dependencies = dependencies
    dependencies.running.onAttemptOver(() => this.#onDue())
    dependencies.signals.subscribe('tasks', () => this.#onDue())
  }

  /** The listener is called when tasks may be due before the next regular poll. */
  onDue(listener: () => void): void {
    this.#onDue = listener
  }

  /** Called when a run is planned here. One of the next commits contains it. */
  expect(): void {
    this.#plannedUntil = this.#dependencies.timers.monotonic() + expectMilliseconds
  }

  /** Called after every commit on this instance. Returns immediately if no run was planned recently. */
  noteCommit(): void {
    if (this.#dependencies.timers.monotonic() >= this.#plannedUntil) return
    this.#onDue()
    // This instance may have no free slot, so the other instances are notified as well.
    this.#dependencies.signals.publish('tasks')
  }

  /** Stops starting attempts. Due tasks are left to other instances or the next start. */
  stop(): void {
    this.#isStopped = true
    this.#cancelTimer()
  }

  async poll(): Promise<void> {
    if (this.#isStopped) return
    await this.#settleEndedAttempts()
    await this.#endOverdue()
    await this.#endOverdueCalls()
    await this.#startDue()
    await this.#setTimer()
  }

  /**
   * Settles attempts whose turn ended without settling them, for example because its conversation was
   * deleted.
   */
  async #settleEndedAttempts(): Promise<void> {
    const { database } = this.#dependencies
    for (const left of await database.stores.tasks.unsettled(batchSize))
      await database.transaction((stores) => settleEndedAttempt(this.#dependencies, stores, left))
  }

  async #endOverdue(): Promise<void> {
    const { clock, running, settings, database } = this.#dependencies
    const now = clock.now().toISOString()
    const turnIds = running.attempts.map(({ turnId }) => turnId)
    for (const { turnId, runStartedAt, ...task } of await database.stores.tasks.inProgress(turnIds))
      if (runStartedAt !== null && deadlineOf(task, runStartedAt, settings) <= now) running.endOverdue(turnId)
  }

  /** Ends runs whose call is in progress at their deadline, and the calls. They may run on any instance. */
  async #endOverdueCalls(): Promise<void> {
    const { clock, database } = this.#dependencies
    const now = clock.now().toISOString()
    for (const { id, organizationId } of await database.stores.tasks.overdueCalls(now, batchSize))
      await database.transaction(async (stores) => {
        const task = await stores.tasks.findLocked(organizationId, id)
        const isOverdue = task !== null && isAttemptRunning(task) && (task.runDeadlineAt ?? now) <= now
        if (!isOverdue || task.phoneCallId === null) return
        const scope = { stores, caller: systemCaller(organizationId) }
        await stopAttempt(clock, scope, task)
        await endRun(this.#dependencies, scope, task, { status: 'failed', detail: overdue })
      })
  }

  async #startDue(): Promise<void> {
    const { database, clock, running, maxRunning, log } = this.#dependencies
    while (!this.#isStopped) {
      // An attempt that waits for approval uses no resources and may wait for a long time.
      const busy = running.attempts.filter(({ isOnlyWaiting }) => !isOnlyWaiting)
      const limit = Math.min(batchSize, maxRunning - busy.length)
      if (limit <= 0) return
      const at = clock.now().toISOString()
      const due = await database.stores.tasks.due({
        at,
        limit,
        running: countByOrganization(busy),
        // No organization may use all slots, so that the next task of another organization finds a free one.
        maxOfEach: Math.ceil(maxRunning / 2),
      })
      let hasAdvanced = false
      for (const task of due) {
        const advance = await this.#advance(task).catch((error: unknown): Advance => {
          log.warn({ err: error, taskId: task.id }, 'a task could not be started; retrying')
          return 'nothing'
        })
        if (advance !== 'nothing') hasAdvanced = true
      }
      if (!hasAdvanced) return
    }
  }

  #advance(task: DueTask): Promise<Advance> {
    const advancing = this.#commitAdvance(task)
    // A shutdown waits for the attempt that may result from this.
    this.#dependencies.running.expect(advancing)
    return advancing
  }

  async #commitAdvance({ id, organizationId }: DueTask): Promise<Advance> {
    const { database, running } = this.#dependencies
    const taken: { turn: TurnRecord | null } = { turn: null }
    const advance = (stores: Stores) => this.#advanceLocked(stores, { id, organizationId }, taken)
    try {
      const advanced = await database.runFairly({ organizationId, kind: 'log' }, () =>
        database.transaction(advance),
      )
      if (taken.turn !== null) running.take(taken.turn)
      return advanced
    } catch (error) {
      // A commit without a confirmation may have succeeded. In that case, the turn is answered.
      if (taken.turn !== null) running.take(taken.turn)
      throw error
    }
  }

  /** Performs one step: begins the run or its next attempt, or ends the run if no attempt is possible. */
  async #advanceLocked(
    stores: Stores,
    { id, organizationId }: DueTask,
    taken: { turn: TurnRecord | null },
  ): Promise<Advance> {
    const { clock, settings } = this.#dependencies
    const scope = { stores, caller: systemCaller(organizationId) }
    const now = clock.now().toISOString()
    const task = await stores.tasks.findLocked(organizationId, id)
    // Another instance came first, or the task was changed.
    if (task === null || task.nextRunAt === null || task.nextRunAt > now) return 'nothing'
    if (task.runStartedAt === null) {
      await this.#begin(stores, task)
      return 'again'
    }
    const end = (status: 'failed' | 'cancelled', detail: string) =>
      endRun(this.#dependencies, scope, task, { status, detail }).then((): Advance => 'again')
    if (deadlineOf(task, task.runStartedAt, settings) <= now)
      return end('failed', 'The deadline of the run has passed.')
    const { agentId, conversationId } = task
    const agent = agentId === null ? null : await stores.agents.find(organizationId, agentId)
    if (agent === null || conversationId === null) return end('failed', 'The agent of the task was deleted.')
    const attempt = { task, agentId: agent.id, conversationId }
    try {
      if (task.channel === 'telephone') {
        await startCallAttempt(this.#dependencies, scope, attempt)
        return 'again'
      }
      taken.turn = await startAttempt(this.#dependencies, scope, attempt)
    } catch (error) {
      if (!(error instanceof DomainError)) throw error
      // A free line is worth waiting for. Other refusals of a call do not pass soon.
      const isCall = task.channel === 'telephone'
      if (isCall && error.retryAfterSeconds === undefined)
        return end('failed', `The call could not be made: ${error.detail}`)
      const pauseSeconds = Math.max(roomPauseSeconds, (isCall && error.retryAfterSeconds) || 0)
      const later = new Date(Date.parse(now) + pauseSeconds * 1000).toISOString()
      await writeTask(clock, scope, task, { statusDetail: error.detail, nextRunAt: later })
      return 'nothing'
    }
    if (taken.turn === null) return end('cancelled', 'The conversation of the run was deleted.')
    return { turn: taken.turn }
  }

  /**
   * Begins a run at its scheduled time. If it is rejected, the run fails with the error, because there is no
   * caller who could receive it.
   */
  async #begin(stores: Stores, task: TaskRecord): Promise<void> {
    const scope = { stores, caller: systemCaller(task.organizationId) }
    try {
      await beginRun(this.#dependencies, scope, task)
    } catch (error) {
      if (!(error instanceof DomainError)) throw error
      const detail = `The run could not start: ${error.detail}`
      await endRun(this.#dependencies, scope, task, { status: 'failed', detail })
    }
  }

  /** Sets a timer for the next due task, so that the task need not wait for the regular poll. */
  async #setTimer(): Promise<void> {
    const { database, clock, timers, running, settings } = this.#dependencies
    this.#cancelTimer()
    const now = clock.now()
    const next = await database.stores.tasks.firstDueAt()
    const turnIds = running.attempts.map(({ turnId }) => turnId)
    const inProgress = await database.stores.tasks.inProgress(turnIds)
    const deadlines = inProgress.map((task) =>
      deadlineOf(task, task.runStartedAt ?? now.toISOString(), settings),
    )
    const [first] = [next, ...deadlines].filter((at) => at !== null).sort()
    if (first === undefined || this.#isStopped) return
    // A due task that could not begin waits for a slot or for a call. It is checked again soon.
    const left = Date.parse(first) - now.getTime()
    const milliseconds = left > 0 ? left : blockedMilliseconds
    if (milliseconds > maxTimerMilliseconds) return
    this.#cancelTimer = timers.after(milliseconds, () => this.#onDue())
  }
}

function countByOrganization(
  attempts: readonly { readonly organizationId: string }[],
): ReadonlyMap<string, number> {
  const counts = new Map<string, number>()
  for (const { organizationId } of attempts) counts.set(organizationId, (counts.get(organizationId) ?? 0) + 1)
  return counts
}

interface FarPlansDependencies {
  readonly database: Database
  readonly clock: Clock
  readonly log: Log
}

/** The number of planned tasks that one pass checks. */
const plansAtATime = 200

/**
 * Corrects times of next runs that were written while a clock was ahead, because those runs would start too
 * late or never. Each pass checks some planned tasks, starting with the latest times.
 */
export class FarPlans {
  readonly #dependencies: FarPlansDependencies
  #last: PlannedTask | null = null

  constructor(dependencies: FarPlansDependencies) {
    this.#dependencies = dependencies
  }

  async correctSome(): Promise<void> {
    const { database, clock } = this.#dependencies
    const page = await database.stores.tasks.plannedFurthest(this.#last, plansAtATime)
    this.#last = page.length < plansAtATime ? null : (page.at(-1) ?? null)
    const now = clock.now()
    for (const task of page) if (correctedRunTime(task, now) !== null) await this.#correct(task)
  }

  async #correct({ id, organizationId }: PlannedTask): Promise<void> {
    const { database, clock, log } = this.#dependencies
    await database.transaction(async (stores) => {
      const task = await stores.tasks.findLocked(organizationId, id)
      const nextRunAt = task === null ? null : correctedRunTime(task, clock.now())
      if (task === null || nextRunAt === null) return
      await writeTask(clock, { stores, caller: systemCaller(organizationId) }, task, { nextRunAt })
      log.warn(
        { taskId: id, organizationId, before: task.nextRunAt, nextRunAt },
        'the next run of a task was later than its schedule allows; it was planned again',
      )
    })
  }
}
