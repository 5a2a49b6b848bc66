import type { ClientRecords, QuestionEntry, TaskEntry } from './client-records.js'
import type { StoredRecords } from './stored-records.js'
import type { Violation } from './violation.js'

/**
 * Checks that each question has one end and the streamed words, and that each task has one run, one end and
 * one result.
 */
export function judgeWork(load: ClientRecords, stored: StoredRecords): readonly Violation[] {
  const turns = new Map(stored.turns.map((turn) => [turn.id, turn]))
  const tasks = new Map(stored.tasks.map((each) => [each.task.id, each]))
  return [
    ...load.questions.flatMap((question) => judgeQuestion(question, stored, turns.get(question.turnId))),
    ...load.tasks.flatMap((task) => judgeTask(task, tasks.get(task.id))),
  ]
}

function judgeQuestion(
  question: QuestionEntry,
  stored: StoredRecords,
  turn: StoredRecords['turns'][number] | undefined,
): readonly Violation[] {
  const { key, turnId, conversationId, end, text, startedAt, endedAt } = question
  const ids = [turnId, conversationId]
  const faults = question.faults.map((what) => ({ what, at: endedAt ?? startedAt }))
  const expect = (isTrue: boolean, what: string, at = endedAt ?? startedAt) =>
    void (isTrue || faults.push({ what, at }))
  expect(turn !== undefined, 'was accepted, but its turn does not exist')
  expect(end !== null, 'was accepted, but its stream never ended')
  const messages = stored.messages.get(conversationId) ?? []
  expect(messages.filter(({ role }) => role === 'user').length === 1, 'is not stored exactly once')
  const answers = messages.filter(({ role }) => role === 'assistant')
  expect(answers.length <= 1, `has ${answers.length} answers`)
  if (end === 'completed') {
    expect(turn?.state === 'completed', `was reported as complete, but is ${turn?.state}`)
    expect(answers[0]?.content === text, `was answered “${text}”, but “${answers[0]?.content}” is stored`)
  }
  if (end === 'error') expect(turn?.state !== 'completed', 'was reported as failed, but is complete')
  return faults.map(({ what, at }) => ({
    invariant: 'questions',
    what: `the question ${key} ${what}`,
    at,
    ids,
  }))
}

function judgeTask(
  { id, key, acceptedAt }: TaskEntry,
  found: StoredRecords['tasks'][number] | undefined,
): readonly Violation[] {
  const faults: string[] = []
  const expect = (isTrue: boolean, what: string) => void (isTrue || faults.push(what))
  if (found === undefined) faults.push('was accepted but does not exist')
  else {
    const { task, starts, ends } = found
    expect(task.status === 'done' || task.status === 'failed', `is ${task.status}`)
    expect(task.runStartedAt === null && task.nextRunAt === null, 'has a run that has not ended')
    expect(task.status !== 'done' || task.result !== null, 'is done without a result')
    expect(task.status !== 'failed' || task.statusDetail !== null, 'failed without a reason')
    expect(starts === 1, `has ${starts} starts in the audit log`)
    expect(ends === 1, `has ${ends} ends in the audit log`)
  }
  const ids = [id, found?.task.conversationId ?? id]
  return faults.map((what) => ({ invariant: 'tasks', what: `the task ${key} ${what}`, at: acceptedAt, ids }))
}
