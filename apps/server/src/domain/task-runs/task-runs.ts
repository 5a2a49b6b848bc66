import type { ChangeSignals } from '../../ports/changes.js'
import type { TurnRecord } from '../../ports/conversation-stores.js'
import type { Database, Stores } from '../../ports/database.js'
import type { Log } from '../../ports/log.js'
import type { DueTask, PlannedTask, TaskRecord } from '../../ports/task-stores.js'
import type { Clock, Timers } from '../../ports/time.js'
import { systemCaller } from '../caller-scope.js'
import { DomainError } from '../domain-error.js'
import { deadlineOf, runTooFarAhead } from '../tasks/run-plan.js'
import { beginRun, endRun, writeTask } from '../tasks/task-run.js'
import type { RunningTurns } from '../turns/running-turns.js'
import { type StartAttemptDependencies, settleLeftAttempt, startAttempt } from './attempts.js'

export interface TaskRunsDependencies extends StartAttemptDependencies {
  readonly database: Database
  readonly timers: Timers
  readonly log: Log
  readonly running: RunningTurns
  readonly signals: ChangeSignals
  /** The maximum number of attempts on this instance. */
  readonly maxRunning: number
}

const atATime = 20
/** The delay before a run without room in its organization is tried again. */
const roomPauseSeconds = 10
/** After a run was planned here, every commit within this time may be its commit. */
const expectMilliseconds = 2000
/** The delay before a due task that could not start is tried again. */
const blockedMilliseconds = 1000
/** The longest timer. The regular poll finds later tasks. */
const maxTimerMilliseconds = 60_000

/** The result for a due task: an attempt to answer here, more work at once, or nothing. */
type Advance = { readonly turn: TurnRecord } | 'again' | 'nothing'

/**
 * The runs of tasks: begins those that are due, and passes their attempts to the turns of this instance, up to a limit
 * that organizations share fairly. The turn of an attempt stores its outcome.
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

  /** The listener is called when work may be due before the next regular poll. */
  onDue(listener: () => void): void {
    this.#onDue = listener
  }

  /** Called when a run is planned here. The next commit may contain it. */
  expect(): void {
    this.#plannedUntil = this.#dependencies.timers.monotonic() + expectMilliseconds
  }

  /** Called after every commit on this instance. Commits that concern no task cost nothing. */
  noteCommit(): void {
    if (this.#dependencies.timers.monotonic() >= this.#plannedUntil) return
    this.#onDue()
    // This instance may have no room for it, so the others are notified as well.
    this.#dependencies.signals.publish('tasks')
  }

  /** Starts no more attempts. Other instances or the next start handle due tasks. */
  stop(): void {
    this.#isStopped = true
    this.#cancelTimer()
  }

  async poll(): Promise<void> {
    if (this.#isStopped) return
    await this.#settleLeft()
    await this.#endOverdue()
    await this.#startDue()
    await this.#setTimer()
  }

  /** Settles attempts whose turn has ended without settling them, for example with its conversation. */
  async #settleLeft(): Promise<void> {
    const { database } = this.#dependencies
    for (const left of await database.stores.tasks.unsettled(atATime))
      await database.transaction((stores) => settleLeftAttempt(this.#dependencies, stores, left))
  }

  async #endOverdue(): Promise<void> {
    const { clock, running, settings, database } = this.#dependencies
    const now = clock.now().toISOString()
    const turnIds = running.attempts.map(({ turnId }) => turnId)
    for (const { turnId, runStartedAt, ...task } of await database.stores.tasks.underWay(turnIds))
      if (runStartedAt !== null && deadlineOf(task, runStartedAt, settings) <= now) running.endOverdue(turnId)
  }

  async #startDue(): Promise<void> {
    const { database, clock, running, maxRunning, log } = this.#dependencies
    while (!this.#isStopped) {
      // An attempt that waits for a person uses no resources and may wait long.
      const busy = running.attempts.filter(({ isOnlyWaiting }) => !isOnlyWaiting)
      const limit = Math.min(atATime, maxRunning - busy.length)
      if (limit <= 0) return
      const at = clock.now().toISOString()
      const due = await database.stores.tasks.due({
        at,
        limit,
        running: countByOrganization(busy),
        // One organization never takes all slots, so that the next task of another one finds a slot.
        maxOfEach: Math.ceil(maxRunning / 2),
      })
      let hasAdvanced = false
      for (const task of due) {
        const advance = await this.#advance(task).catch((error: unknown): Advance => {
          log.warn({ err: error, taskId: task.id }, 'a task could not be started; it is tried again')
          return 'nothing'
        })
        if (advance !== 'nothing') hasAdvanced = true
      }
      if (!hasAdvanced) return
    }
  }

  #advance(task: DueTask): Promise<Advance> {
    const advancing = this.#commitAdvance(task)
    // A shutdown waits for the attempt that may result.
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
      // A commit without a confirmation may have taken place. Then the turn is answered.
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
    // Another instance was faster, or the task was changed.
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
    try {
      taken.turn = await startAttempt(this.#dependencies, scope, { task, agentId: agent.id, conversationId })
    } catch (error) {
      if (!(error instanceof DomainError)) throw error
      const later = new Date(Date.parse(now) + roomPauseSeconds * 1000).toISOString()
      await writeTask(clock, scope, task, { statusDetail: error.detail, nextRunAt: later })
      return 'nothing'
    }
    if (taken.turn === null) return end('cancelled', 'The conversation of the run was deleted.')
    return { turn: taken.turn }
  }

  /** Begins a run at its time. If it is rejected, the run has failed, because no caller is waiting. */
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

  /** Sets a timer for the next due task, so that it need not wait for the regular poll. */
  async #setTimer(): Promise<void> {
    const { database, clock, timers, running, settings } = this.#dependencies
    this.#cancelTimer()
    const now = clock.now()
    const next = await database.stores.tasks.firstDueAt()
    const turnIds = running.attempts.map(({ turnId }) => turnId)
    const underWay = await database.stores.tasks.underWay(turnIds)
    const deadlines = underWay.map((task) =>
      deadlineOf(task, task.runStartedAt ?? now.toISOString(), settings),
    )
    const [first] = [next, ...deadlines].filter((at) => at !== null).sort()
    if (first === undefined || this.#isStopped) return
    // A due task that did not begin waits for a slot or a call. It is tried again soon.
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
 * Corrects next runs that were written while a clock was ahead and would come too late or never. Each pass checks some
 * planned tasks, those furthest ahead first.
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
    for (const task of page) if (runTooFarAhead(task, now) !== null) await this.#correct(task)
  }

  async #correct({ id, organizationId }: PlannedTask): Promise<void> {
    const { database, clock, log } = this.#dependencies
    await database.transaction(async (stores) => {
      const task = await stores.tasks.findLocked(organizationId, id)
      const nextRunAt = task === null ? null : runTooFarAhead(task, clock.now())
      if (task === null || nextRunAt === null) return
      await writeTask(clock, { stores, caller: systemCaller(organizationId) }, task, { nextRunAt })
      log.warn(
        { taskId: id, organizationId, before: task.nextRunAt, nextRunAt },
        'the next run of a task was further ahead than its schedule allows; it is planned anew',
      )
    })
  }
}
