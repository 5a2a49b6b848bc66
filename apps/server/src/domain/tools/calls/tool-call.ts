import { type ApprovedBy, ToolStatus } from '@parley/contract'
import type { CallableTool, ToolOutcome } from '../../../ports/tool-executor.js'
import { type ApprovalOutcome, approvalTexts, rejectionText } from '../approvals/waiting-approvals.js'
import { mayHaveEffect } from '../running/run-tool.js'

/*
 * One backend tool call, from its creation by the model to its single output.
 *
 *   call that cannot run ─────────────────────────────────────────────────────► done
 *   call that may have an
 *   effect ──────────────────► storing ──storeFailed, withdrawn───────────────► done
 *                                │
 *                              stored
 *                                ▼
 *   call that has none ──────► queued ──slot──► running ──result──────────────► done
 *                                ▲
 *                             claimed
 *                                │
 *                             claiming ──takenOver─────────────────────────────► done
 *                                ▲
 *                             approved
 *                                │
 *   call that needs          waiting ──rejected, expired, withdrawn, takenOver─► done
 *   approval ─► recording ──recorded──┘  └──channelGone──► released
 *                   └──recordFailed────────────────────────────────────────────► done
 *
 * A call that may have an effect is stored before it runs, so that its outcome is recorded as unknown if the process dies.
 * In `released`, the client has disconnected, and the row waits for the next session. Only `done` contains an output, and
 * no event leaves it. This guarantees exactly one output.
 */
export type ToolCallState =
  | { readonly phase: 'storing'; readonly work: CallWork }
  | { readonly phase: 'recording'; readonly work: CallWork; readonly approval: AskedApproval }
  | { readonly phase: 'waiting'; readonly work: CallWork; readonly approval: AskedApproval }
  | { readonly phase: 'claiming'; readonly work: CallWork; readonly approval: AskedApproval }
  | { readonly phase: 'queued'; readonly work: CallWork; readonly approval: AskedApproval | null }
  | { readonly phase: 'running'; readonly approval: AskedApproval | null }
  | { readonly phase: 'done'; readonly status: ToolStatus; readonly output: string }
  | { readonly phase: 'released' }

/** The tool of a call, and arguments that are valid under its schema. */
export interface CallWork {
  readonly tool: CallableTool
  readonly arguments: Readonly<Record<string, unknown>>
}

/** The approval row of a call. */
export interface AskedApproval {
  readonly id: string
  readonly deadline: string
  /** Who may decide. */
  readonly approvedBy: ApprovedBy
}

export type ToolCallEvent =
  | ApprovalOutcome
  /** The call's message was stored. */
  | { readonly type: 'stored' }
  /** The message was not stored in time, but may still be stored. The call must not run. */
  | { readonly type: 'storeFailed' }
  /** The approval was stored. */
  | { readonly type: 'recorded' }
  /** The approval was not stored in time, but may still be stored. The call must not run. */
  | { readonly type: 'recordFailed' }
  /** The caller was stopped or has disconnected. */
  | { readonly type: 'withdrawn' }
  /** This process has claimed the call. */
  | { readonly type: 'claimed' }
  /** Another process has run the call, with this outcome. */
  | { readonly type: 'takenOver'; readonly outcome: ToolOutcome }
  /** A slot is free. */
  | { readonly type: 'slot' }
  | { readonly type: 'result'; readonly outcome: ToolOutcome; readonly executionTimeSeconds: number }
  /** The client's socket is closed. */
  | { readonly type: 'channelGone' }

export type ToolCallEffect =
  /** Stores the message. The call waits until that is done. */
  | { readonly effect: 'store' }
  /**
   * Stores the message without waiting. With `precedesOutput`, the output waits until the call was announced
   * to the client.
   */
  | { readonly effect: 'append'; readonly precedesOutput: boolean }
  /** Stores message and approval in one transaction. */
  | { readonly effect: 'record'; readonly work: CallWork; readonly approval: AskedApproval }
  | { readonly effect: 'watch'; readonly approval: AskedApproval }
  | { readonly effect: 'emitWaiting'; readonly approval: AskedApproval }
  | { readonly effect: 'emitApproved' }
  | { readonly effect: 'emitExpired' }
  | { readonly effect: 'withdraw'; readonly approval: AskedApproval }
  | { readonly effect: 'claim'; readonly approval: AskedApproval }
  | { readonly effect: 'enqueue' }
  | { readonly effect: 'run'; readonly work: CallWork }
  | AnswerEffect

export interface AnswerEffect {
  readonly effect: 'answer'
  readonly status: ToolStatus
  readonly output: string
  readonly executionTimeSeconds: number
  /** Whether it is unknown if the call took effect. */
  readonly isUnknown?: true
  /** The approval that ends together with the call. */
  readonly approval: AskedApproval | null
}

export interface ToolCallStep {
  readonly state: ToolCallState
  readonly effects: readonly ToolCallEffect[]
}

/**
 * Returns the first step of a checked call: an error, a request for approval, a write, or a position in the
 * queue.
 */
export function beginToolCall(
  checked: { readonly ok: true; readonly work: CallWork } | { readonly ok: false; readonly problem: string },
  approval: AskedApproval | null,
): ToolCallStep {
  if (!checked.ok) {
    const { state, effects } = failed(checked.problem, null)
    return step(state, { effect: 'append', precedesOutput: true }, ...effects)
  }
  const { work } = checked
  if (approval !== null)
    return step({ phase: 'recording', work, approval }, { effect: 'record', work, approval })
  if (mayHaveEffect(work.tool.action)) return step({ phase: 'storing', work }, { effect: 'store' })
  const queued: ToolCallState = { phase: 'queued', work, approval }
  return step(queued, { effect: 'append', precedesOutput: true }, { effect: 'enqueue' })
}

/** The output of a call that could not be stored. */
export const unrecorded = 'The call could not be stored in time. It was not run.'

/**
 * Resumes a call of an earlier session or process. If a decision was already made, no approval is requested
 * again.
 */
export function resumeToolCall(work: CallWork, approval: AskedApproval, isDecided: boolean): ToolCallStep {
  const waiting: ToolCallState = { phase: 'waiting', work, approval }
  return isDecided
    ? step(waiting, { effect: 'watch', approval })
    : step(waiting, { effect: 'emitWaiting', approval }, { effect: 'watch', approval })
}

export function stepToolCall(state: ToolCallState, event: ToolCallEvent): ToolCallStep {
  switch (state.phase) {
    case 'storing':
      return whileStoring(state, event)
    case 'recording':
      return whileRecording(state, event)
    case 'waiting':
      return whileWaiting(state, event)
    case 'claiming':
      return whileClaiming(state, event)
    case 'queued':
      return event.type === 'slot'
        ? step({ phase: 'running', approval: state.approval }, { effect: 'run', work: state.work })
        : step(state)
    case 'running':
      return event.type === 'result'
        ? answered(event.outcome, state.approval, event.executionTimeSeconds)
        : step(state)
    case 'done':
    case 'released':
      return step(state)
  }
}

type InPhase<Phase extends ToolCallState['phase']> = Extract<ToolCallState, { phase: Phase }>

function whileStoring(state: InPhase<'storing'>, event: ToolCallEvent): ToolCallStep {
  switch (event.type) {
    case 'stored':
      return step({ phase: 'queued', work: state.work, approval: null }, { effect: 'enqueue' })
    case 'storeFailed':
      return failed(unrecorded, null)
    case 'withdrawn':
      return failed('The call was withdrawn before it started. It was not run.', null)
    default:
      return step(state)
  }
}

function whileRecording(state: InPhase<'recording'>, event: ToolCallEvent): ToolCallStep {
  const { work, approval } = state
  if (event.type === 'recorded') return resumeToolCall(work, approval, false)
  if (event.type !== 'recordFailed') return step(state)
  const { state: done, effects } = failed(approvalTexts.notRecorded, null)
  // The row may exist anyway. It must not be approved, because it was never announced to a client.
  return step(done, { effect: 'withdraw', approval }, { effect: 'append', precedesOutput: false }, ...effects)
}

function whileWaiting(state: InPhase<'waiting'>, event: ToolCallEvent): ToolCallStep {
  const { work, approval } = state
  switch (event.type) {
    case 'approved':
      return step({ phase: 'claiming', work, approval }, { effect: 'claim', approval })
    case 'rejected':
      return failed(rejectionText(event.reason), approval)
    case 'expired': {
      const { state: done, effects } = failed(approvalTexts.expired, approval)
      return step(done, { effect: 'emitExpired' }, ...effects)
    }
    case 'withdrawn': {
      const { state: done, effects } = failed(approvalTexts.withdrawn, approval)
      return step(done, { effect: 'withdraw', approval }, { effect: 'emitExpired' }, ...effects)
    }
    case 'takenOver':
      return answered(event.outcome, approval)
    case 'channelGone':
      return step({ phase: 'released' })
    default:
      return step(state)
  }
}

function whileClaiming(state: InPhase<'claiming'>, event: ToolCallEvent): ToolCallStep {
  const { work, approval } = state
  switch (event.type) {
    case 'claimed':
      return step({ phase: 'queued', work, approval }, { effect: 'emitApproved' }, { effect: 'enqueue' })
    case 'takenOver': {
      // The client gets the approval event before the outcome.
      const { state: done, effects } = answered(event.outcome, approval)
      return step(done, { effect: 'emitApproved' }, ...effects)
    }
    default:
      return step(state)
  }
}

function answered(
  { ok, output, isUnknown }: ToolOutcome,
  approval: AskedApproval | null,
  executionTimeSeconds = 0,
): ToolCallStep {
  const status = ok ? ToolStatus.Success : ToolStatus.Failed
  const state: ToolCallState = { phase: 'done', status, output }
  const answer: AnswerEffect = { effect: 'answer', status, output, executionTimeSeconds, approval }
  return step(state, isUnknown ? { ...answer, isUnknown } : answer)
}

function failed(output: string, approval: AskedApproval | null): ToolCallStep {
  return answered({ ok: false, output }, approval)
}

function step(state: ToolCallState, ...effects: ToolCallEffect[]): ToolCallStep {
  return { state, effects }
}
