import type { Database, Stores } from '../../ports/database.js'
import type { ErasedEndUser, RemovedBatch } from '../../ports/erasure-store.js'
import type { DueTask } from '../../ports/task-stores.js'
import type { Clock, Timers } from '../../ports/time.js'
import { recordChange } from '../audit/record-change.js'
import { systemCaller } from '../caller-scope.js'
import { endRun, stopAttempt } from '../tasks/task-run.js'

/** The limits of one transaction. The embedded database blocks other work during a transaction. */
const batch = { conversations: 50, rows: 500, endUsers: 50, tasks: 20 } as const

/** The delay before the next check whether the sessions and turns of removed conversations have ended. */
const pauseMilliseconds = 100
/** The number of checks without progress after which the next poll continues. */
const maxPauses = 100

export interface ErasuresDependencies {
  readonly database: Database
  readonly clock: Clock
  readonly timers: Timers
}

/** Thrown inside a transaction if another instance is erasing. */
class ErasedElsewhere extends Error {}

/**
 * Removes end users that are being erased, and conversations whose removal was requested. Every transaction
 * removes a batch, so a crash loses nothing. Only one instance at a time does this.
 *
 *   end user:      erasure requested ──► tasks removed ──► removal of conversations requested ──► row removed
 *   conversation:  removal requested ──► sessions and turns have ended ──► rows removed
 */
export class Erasures {
  readonly #dependencies: ErasuresDependencies
  #isStopped = false

  constructor(dependencies: ErasuresDependencies) {
    this.#dependencies = dependencies
  }

  /** Stops after the current transaction. The next start continues. */
  stop(): void {
    this.#isStopped = true
  }

  /** Runs until everything is removed, or until sessions and turns take too long to end. */
  async poll(): Promise<void> {
    const { database, timers } = this.#dependencies
    if (!(await database.stores.erasures.isAny())) return
    let pauses = 0
    try {
      while (!this.#isStopped && pauses < maxPauses) {
        const outcome = await this.#advance()
        if (outcome === 'done') return
        if (outcome === 'removed') pauses = 0
        else {
          pauses += 1
          await timers.sleep(pauseMilliseconds)
        }
      }
    } catch (error) {
      if (!(error instanceof ErasedElsewhere)) throw error
    }
  }

  async #advance(): Promise<RemovedBatch> {
    let after: string | null = null
    let isAnyLeft = false
    for (;;) {
      const page: readonly ErasedEndUser[] = await this.#database.stores.erasures.endUsers(
        after,
        batch.endUsers,
      )
      for (const endUser of page) if (!(await this.#advanceEndUser(endUser))) isAnyLeft = true
      after = page.at(-1)?.id ?? null
      if (page.length < batch.endUsers || this.#isStopped) break
    }
    let outcome: RemovedBatch = 'done'
    let hasRemoved = false
    while (!this.#isStopped) {
      outcome = await this.#transaction((stores) => stores.erasures.removeSome(batch))
      if (outcome !== 'removed') break
      hasRemoved = true
    }
    if (hasRemoved) return 'removed'
    return isAnyLeft ? 'waiting' : outcome
  }

  get #database(): Database {
    return this.#dependencies.database
  }

  /** Returns whether the end user was removed. */
  async #advanceEndUser(endUser: ErasedEndUser): Promise<boolean> {
    const { id, organizationId } = endUser
    const caller = systemCaller(organizationId)
    const { clock } = this.#dependencies
    // Tasks first, because they start turns, and because some are found through conversations.
    while (!this.#isStopped && (await this.#removeTasks(id)) > 0);
    while (!this.#isStopped) {
      const count = await this.#transaction(async (stores) => {
        const requested = await stores.erasures.requestRemovals(
          id,
          clock.now().toISOString(),
          batch.conversations,
        )
        if (requested > 0)
          await recordChange(
            clock,
            { stores, caller },
            {
              action: 'conversation.erase',
              type: 'EndUser',
              id,
              details: { conversations: requested },
            },
          )
        return requested
      })
      if (count < batch.conversations) break
    }
    while (!this.#isStopped) {
      const count = await this.#transaction((stores) => stores.erasures.removeTracesOfEndUser(id, batch.rows))
      if (count < batch.rows) break
    }
    return this.#transaction(async (stores) => {
      if (!(await stores.erasures.removeEndUser(endUser))) return false
      await recordChange(clock, { stores, caller }, { action: 'end_user.erased', type: 'EndUser', id })
      return true
    })
  }

  async #removeTasks(endUserId: string): Promise<number> {
    const tasks = await this.#database.stores.erasures.tasksOf(endUserId, batch.tasks)
    for (const task of tasks)
      while (!this.#isStopped && !(await this.#transaction((stores) => this.#removeTask(stores, task))));
    return tasks.length
  }

  /** Stops the run of a task, and removes the task. Returns false if a part is left for the next transaction. */
  async #removeTask(stores: Stores, { id, organizationId }: DueTask): Promise<boolean> {
    const { clock } = this.#dependencies
    const scope = { stores, caller: systemCaller(organizationId) }
    const task = await stores.tasks.findLocked(organizationId, id)
    if (task?.runStartedAt) {
      await stopAttempt(clock, scope, task)
      await endRun({ clock }, scope, task, { status: 'cancelled', detail: null })
      return false
    }
    if ((await stores.erasures.removeTracesOf(id, batch.rows)) >= batch.rows) return false
    if (task === null) return true
    await stores.tasks.remove({ ...task, version: task.version + 1 }, task.version)
    await recordChange(clock, scope, { action: 'task.delete', type: 'Task', id })
    return true
  }

  #transaction<Result>(work: (stores: Stores) => Promise<Result>): Promise<Result> {
    return this.#database.transaction(async (stores) => {
      if (!(await stores.erasures.tryLock())) throw new ErasedElsewhere()
      return work(stores)
    })
  }
}

/**
 * Requests the removal of conversations that are older than the retention of their agent or organization.
 * Returns their number.
 */
export async function removeOverdueConversations(
  clock: Clock,
  stores: Stores,
  { moment, limit }: { readonly moment: string; readonly limit: number },
): Promise<number> {
  let sum = 0
  for (const { organizationId, count } of await stores.erasures.requestOverdueRemovals(moment, limit)) {
    sum += count
    await recordChange(
      clock,
      { stores, caller: systemCaller(organizationId) },
      {
        action: 'conversation.expire',
        type: 'Conversation',
        id: null,
        details: { conversations: count },
      },
    )
  }
  return sum
}
