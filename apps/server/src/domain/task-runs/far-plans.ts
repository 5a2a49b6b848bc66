import type { Clock } from '../../ports/clock.js'
import type { Database } from '../../ports/database.js'
import type { Log } from '../../ports/log.js'
import type { PlannedTask } from '../../ports/task-store.js'
import { systemCaller } from '../system-caller.js'
import { runTooFarAhead } from '../tasks/run-plan.js'
import { writeTask } from '../tasks/task-run.js'

export interface FarPlansDependencies {
  readonly database: Database
  readonly clock: Clock
  readonly log: Log
}

/** How many planned tasks are looked at in one pass. */
const atATime = 200

/**
 * Corrects next runs that were written while a clock was ahead: they would come too late, or never. Each pass looks at some
 * of all planned tasks, those furthest ahead first.
 */
export class FarPlans {
  readonly #dependencies: FarPlansDependencies
  #last: PlannedTask | null = null

  constructor(dependencies: FarPlansDependencies) {
    this.#dependencies = dependencies
  }

  async correctSome(): Promise<void> {
    const { database, clock } = this.#dependencies
    const page = await database.stores.tasks.plannedFurthest(this.#last, atATime)
    this.#last = page.length < atATime ? null : (page.at(-1) ?? null)
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
