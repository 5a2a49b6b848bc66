import type { MessageRecord } from '../../ports/conversation-stores.js'
import type { PhoneCallRecord } from '../../ports/phone-stores.js'
import type { TaskRecord } from '../../ports/task-stores.js'
import type { Clock } from '../../ports/time.js'
import { recordChange } from '../audit/record-change.js'
import type { CallerScope } from '../caller-scope.js'
import {
  type AttemptOutcome,
  attemptSentence,
  type SettleDependencies,
  settleAttempt,
} from '../tasks/settle-attempt.js'
import { endRun, writeTask } from '../tasks/task-run.js'
import { calledNumber } from '../tasks/tasks.js'
import type { PhoneCalls } from '../telephone/phone-calls.js'

export interface CallAttemptDependencies {
  readonly clock: Clock
  readonly phoneCalls: Pick<PhoneCalls, 'make'>
}

/** The maximum number of messages in the result of a task. */
const maxMessages = 1000

/** Returns the instructions of the task: its title and description. */
export function wordsOf({ title, description }: TaskRecord): string {
  return [title, description].filter((part) => part !== null && part !== '').join('\n\n')
}

/**
 * Queues the next attempt at a locked task as an outgoing call in the conversation of its run, in the same transaction
 * that marks the attempt as started. Throws if the call cannot be made, and writes nothing to the task in that case.
 */
export async function startCallAttempt(
  { clock, phoneCalls }: CallAttemptDependencies,
  scope: CallerScope,
  { task, agentId, conversationId }: { task: TaskRecord; agentId: string; conversationId: string },
): Promise<void> {
  const { externalUserId, metadata, variables } = task
  const call = await phoneCalls.make(
    scope,
    agentId,
    {
      to: calledNumber(task) ?? '',
      from: task.from ?? '',
      greeting: null,
      additionalInstructions: `You call to do this task. Do it in this call:\n\n${wordsOf(task)}`,
      // A voicemail cannot do its part of the task, so it counts as an unanswered call.
      voicemail: 'hang_up',
      externalUserId,
      metadata,
      variables,
    },
    { conversationId, apiKeyId: task.runByKeyId },
  )
  const attempts = task.attempts + 1
  await writeTask(clock, scope, task, {
    attempts,
    turnId: null,
    phoneCallId: call.id,
    nextRunAt: null,
    statusDetail: attemptSentence({ ...task, attempts }),
  })
  const { endUserId } = call
  await recordChange(clock, scope, {
    action: 'task.run.attempt',
    type: 'Task',
    id: task.id,
    details: {
      attempt: attempts,
      agentId,
      conversationId,
      phoneCallId: call.id,
      ...(endUserId !== null && { endUserId }),
    },
  })
}

/** Settles an attempt whose call has ended. Does nothing if the call has not ended. */
export async function settleEndedCall(
  dependencies: SettleDependencies,
  scope: CallerScope,
  task: TaskRecord & { readonly phoneCallId: string },
): Promise<void> {
  const call = await scope.stores.phoneCalls.find(task.organizationId, task.phoneCallId)
  if (call === null) {
    const end = { status: 'cancelled', detail: 'The call of the run was deleted.' } as const
    await endRun(dependencies, scope, task, end)
    return
  }
  if (call.endedAt === null) return
  const outcome = await outcomeOf(scope, call)
  await settleAttempt(dependencies, scope, { task, attemptId: call.id, outcome })
}

async function outcomeOf(scope: CallerScope, call: PhoneCallRecord): Promise<AttemptOutcome> {
  const { endReason, endDetail, answeredAt } = call
  const failed = (failure: string): AttemptOutcome => ({ kind: 'failed', failure, isWaiting: false })
  switch (endReason) {
    case 'stopped':
      return { kind: 'stopped' }
    case 'busy':
      return failed('The called number was busy.')
    case 'rejected':
      return failed(endDetail ?? 'The call was rejected.')
    case 'hung_up':
    case 'agent_hung_up':
    case 'transferred':
      return answeredAt === null
        ? failed('The call was not answered.')
        : { kind: 'answered', answer: await transcriptOf(scope, call), output: null }
    case 'no_answer':
      return failed('The call was not answered.')
    case 'voicemail':
      return failed('A voicemail answered.')
    default:
      return failed(endDetail ?? 'The call failed.')
  }
}

/** Returns the words of both sides in the call. */
async function transcriptOf(
  { stores }: CallerScope,
  { conversationId, createdAt }: PhoneCallRecord,
): Promise<string> {
  const after = { microseconds: Date.parse(createdAt) * 1000, counter: 0 }
  const messages =
    conversationId === null
      ? []
      : await stores.conversations.recentMessages(conversationId, maxMessages, after)
  const lines = messages.flatMap(lineOf)
  return lines.length === 0 ? 'The call was answered, but nothing was said.' : lines.join('\n')
}

const speakers: Partial<Record<MessageRecord['role'], string>> = { user: 'User', assistant: 'Agent' }

function lineOf({ role, content }: MessageRecord): readonly string[] {
  const speaker = speakers[role]
  return speaker === undefined || content === null || content === '' ? [] : [`${speaker}: ${content}`]
}
