import { ToolStatus } from '@parley/contract'
import type { ToolOutcome } from '../../../ports/tool-executor.js'

/*
 * One backend tool call, from the moment the model makes it to its one answer.
 *
 *   refused ────────────────────────────────────────────────────────────────────────┐
 *   free ──► queued ──slot──► running ──result─────────────────────────────────────┤
 *               ▲                                                                       ▼
 *   guarded ──► recording ──recorded──► waiting ──approved──► claiming ──claimed─┘   done
 *                   │                     │  │                   │                      ▲
 *                   └──recordFailed───────┼──┼───────────────────┼──────────────────────┤
 *                      rejected, expired, withdrawn──┴──┴────────┴takenOver─────────────┘
 *
 * `released` lets go of a call that waits when its socket is gone: the row waits on, and whoever comes next has it.
 * Only `done` holds an answer, and nothing leaves it: that is what "exactly one output" rests on.
 */
export type ToolCallState =
  | { readonly phase: 'recording' }
  | { readonly phase: 'waiting' }
  | { readonly phase: 'claiming' }
  | { readonly phase: 'queued'; readonly isApproved: boolean }
  | { readonly phase: 'running' }
  | { readonly phase: 'done'; readonly status: ToolStatus; readonly output: string }
  | { readonly phase: 'released' }

export type ToolCallEvent =
  /** The approval stands in the database. */
  | { readonly type: 'recorded' }
  /** It could not be written: the call must not run, whatever becomes of the row. */
  | { readonly type: 'recordFailed' }
  | { readonly type: 'approved' }
  | { readonly type: 'rejected'; readonly reason: string | null }
  | { readonly type: 'expired' }
  /** Nobody wants it any more: whoever asked for it was stopped, or is gone. */
  | { readonly type: 'withdrawn' }
  /** The row is ours to run, and nobody else's. */
  | { readonly type: 'claimed' }
  /** Somebody else has run it; this is what came of it. */
  | { readonly type: 'takenOver'; readonly outcome: ToolOutcome }
  /** There is room to run. */
  | { readonly type: 'slot' }
  | { readonly type: 'result'; readonly outcome: ToolOutcome }
  /** The socket is gone. */
  | { readonly type: 'channelGone' }

export type ToolCallEffect =
  | { readonly effect: 'record' }
  | { readonly effect: 'announceWaiting' }
  | { readonly effect: 'announceApproved' }
  | { readonly effect: 'announceExpired' }
  | { readonly effect: 'withdraw' }
  | { readonly effect: 'claim' }
  | { readonly effect: 'enqueue' }
  | { readonly effect: 'run' }
  | { readonly effect: 'answer'; readonly status: ToolStatus; readonly output: string }

export interface ToolCallStep {
  readonly state: ToolCallState
  readonly effects: readonly ToolCallEffect[]
}

export const approvalTexts = {
  rejected: 'A person rejected this call. It was not run.',
  expired: 'Nobody approved this call in time. It was not run.',
  withdrawn: 'The call was withdrawn before anybody had decided on it. It was not run.',
  notRecorded: 'The call needs approval, and the approval could not be recorded. It was not run.',
} as const

/** How a call begins: with a refusal, with a question to a person, or with its turn to run. */
export function beginToolCall(problem: string | null, approvalRequired: boolean): ToolCallStep {
  if (problem !== null) return done(ToolStatus.Failed, problem)
  return approvalRequired
    ? step({ phase: 'recording' }, { effect: 'record' })
    : step({ phase: 'queued', isApproved: false }, { effect: 'enqueue' })
}

/** How a call goes on that a former session, or a former process, has left. One that is decided on asks nobody. */
export function resumeToolCall(isDecided = false): ToolCallStep {
  return isDecided ? step({ phase: 'waiting' }) : step({ phase: 'waiting' }, { effect: 'announceWaiting' })
}

export function stepToolCall(state: ToolCallState, event: ToolCallEvent): ToolCallStep {
  switch (state.phase) {
    case 'recording':
      return whileRecording(state, event)
    case 'waiting':
      return whileWaiting(state, event)
    case 'claiming':
      return whileClaiming(state, event)
    case 'queued':
      return event.type === 'slot' ? step({ phase: 'running' }, { effect: 'run' }) : step(state)
    case 'running':
      return event.type === 'result' ? answered(event.outcome) : step(state)
    case 'done':
    case 'released':
      return step(state)
  }
}

function whileRecording(state: ToolCallState, event: ToolCallEvent): ToolCallStep {
  if (event.type === 'recorded') return step({ phase: 'waiting' }, { effect: 'announceWaiting' })
  if (event.type === 'recordFailed')
    return step(
      doneState(ToolStatus.Failed, approvalTexts.notRecorded),
      // The row may stand all the same: nobody must approve what nobody was told of.
      { effect: 'withdraw' },
      answerOf(approvalTexts.notRecorded),
    )
  return step(state)
}

function whileWaiting(state: ToolCallState, event: ToolCallEvent): ToolCallStep {
  switch (event.type) {
    case 'approved':
      return step({ phase: 'claiming' }, { effect: 'claim' })
    case 'rejected':
      return done(ToolStatus.Failed, rejection(event.reason))
    case 'expired':
    case 'withdrawn':
      return step(
        doneState(ToolStatus.Failed, approvalTexts[event.type]),
        { effect: 'announceExpired' },
        answerOf(approvalTexts[event.type]),
      )
    case 'takenOver':
      return answered(event.outcome)
    case 'channelGone':
      return step({ phase: 'released' })
    default:
      return step(state)
  }
}

function whileClaiming(state: ToolCallState, event: ToolCallEvent): ToolCallStep {
  switch (event.type) {
    case 'claimed':
      return step(
        { phase: 'queued', isApproved: true },
        { effect: 'announceApproved' },
        { effect: 'enqueue' },
      )
    case 'takenOver': {
      // It was approved all the same, and whoever waits here is told so before the outcome.
      const { state: over, effects } = answered(event.outcome)
      return step(over, { effect: 'announceApproved' }, ...effects)
    }
    default:
      return step(state)
  }
}

function rejection(reason: string | null): string {
  return reason === null ? approvalTexts.rejected : `${approvalTexts.rejected} The reason given: ${reason}`
}

function answered({ isSuccess, output }: ToolOutcome): ToolCallStep {
  return done(isSuccess ? ToolStatus.Success : ToolStatus.Failed, output)
}

function done(status: ToolStatus, output: string): ToolCallStep {
  return step(doneState(status, output), { effect: 'answer', status, output })
}

const doneState = (status: ToolStatus, output: string): ToolCallState => ({ phase: 'done', status, output })

const answerOf = (output: string): ToolCallEffect => ({ effect: 'answer', status: ToolStatus.Failed, output })

function step(state: ToolCallState, ...effects: ToolCallEffect[]): ToolCallStep {
  return { state, effects }
}
