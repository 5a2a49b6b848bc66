import type { Stores } from '../../ports/database.js'
import type { DueTask } from '../../ports/task-store.js'
import type { TurnRecord } from '../../ports/turn-store.js'
import { systemCaller } from '../system-caller.js'
import {
  type AttemptOutcome,
  isUnderWay,
  type SettleDependencies,
  settleAttempt,
} from '../tasks/settle-attempt.js'
import { endRun } from '../tasks/task-run.js'

/**
 * Settles an attempt whose turn has ended and has not said so to its task: with its conversation, or by an instance of a
 * former version. What the turn's row says is what became of it.
 */
export async function settleLeftAttempt(
  dependencies: SettleDependencies,
  stores: Stores,
  { id, organizationId }: DueTask,
): Promise<void> {
  const task = await stores.tasks.findLocked(organizationId, id)
  if (task === null || !isUnderWay(task)) return
  const scope = { stores, caller: systemCaller(organizationId) }
  const { turnId, conversationId } = task
  const turn =
    turnId === null || conversationId === null
      ? null
      : await stores.turns.find(organizationId, conversationId, turnId)
  if (turn === null) {
    await endRun(dependencies, scope, task, { status: 'cancelled', detail: 'The turn of the run is gone.' })
    return
  }
  if (turn.endedAt === null) return
  await settleAttempt(dependencies, scope, { task, turnId: turn.id, outcome: outcomeOf(turn) })
}

function outcomeOf({ state, answer, failure }: TurnRecord): AttemptOutcome {
  if (state === 'completed') return { kind: 'answered', answer: answer ?? '' }
  if (state === 'stopped') return { kind: 'stopped' }
  return { kind: 'failed', failure: failure ?? 'It is not known why.', isWaiting: false }
}
