import { ToolStatus } from '@parley/contract'
import type { Clock, Timers } from '../../../ports/time.js'
import type { CallableTool, ToolOutcome } from '../../../ports/tool-executor.js'
import { narrowed } from '../approvals/approvals.js'
import type { WaitingApprovals } from '../approvals/waiting-approvals.js'
import { executionSeconds, type ToolRunner } from '../running/run-tool.js'
import {
  type CallContext,
  callApproval,
  callMessage,
  doneEvent,
  startEvent,
  type ToolCall,
} from './call-records.js'
import {
  type AnswerEffect,
  type AskedApproval,
  type CallWork,
  stepToolCall,
  type ToolCallEffect,
  type ToolCallEvent,
  type ToolCallState,
  type ToolCallStep,
} from './tool-call.js'

/** How long a call waits until it is stored. */
const storeMilliseconds = 10_000

export interface OpenCallDependencies {
  readonly clock: Clock
  readonly timers: Timers
  readonly waitingApprovals: WaitingApprovals
  readonly runTool: ToolRunner
  readonly runSubAgent: SubAgentRunner
}

/** One question to a sub-agent. */
export interface SubAgentRun {
  readonly tool: CallableTool
  readonly context: CallContext
  readonly callId: string
  /** The id of the call's message. It prefixes the ids of the sub-agent's own calls. */
  readonly messageId: string
  readonly question: unknown
  readonly signal: AbortSignal
  /**
   * Aborts when the caller disconnects. The sub-agent continues, and its calls that wait for approval are
   * released.
   */
  readonly left: AbortSignal
}

/** Asks a sub-agent. Never rejects. */
export type SubAgentRunner = (run: SubAgentRun) => Promise<ToolOutcome>

/** The state that all open calls of a session or turn share. */
export interface CallGroup {
  readonly context: CallContext
  readonly slots: RunSlots
  /** Aborts when all calls must stop. */
  readonly stopping: AbortSignal
  /** Aborts when the caller disconnects. */
  readonly left: AbortSignal
}

/** One open call. It performs the effects of the state machine in tool-call.ts. */
export class OpenCall {
  readonly output: Promise<string>
  readonly #dependencies: OpenCallDependencies
  readonly #group: CallGroup
  readonly #call: ToolCall
  #state: ToolCallState
  #resolve: (output: string) => void = () => undefined
  #stopWatching: () => void = () => undefined
  /**
   * Settles when the call and its approval have been announced to the client. The model gets no output before
   * that.
   */
  #announced: Promise<unknown> = Promise.resolve()

  constructor(
    dependencies: OpenCallDependencies,
    group: CallGroup,
    { call, state }: { readonly call: ToolCall; readonly state: ToolCallState },
  ) {
    this.#dependencies = dependencies
    this.#group = group
    this.#call = call
    this.#state = state
    this.output = new Promise((resolve) => {
      this.#resolve = resolve
    })
  }

  /** Returns whether the call may still get an outcome here. */
  get isOpen(): boolean {
    return this.#state.phase !== 'done' && this.#state.phase !== 'released'
  }

  get isWaiting(): boolean {
    return this.#state.phase === 'waiting'
  }

  /** Applies a step: updates the state, then performs its effects. */
  apply({ state, effects }: ToolCallStep): void {
    this.#state = state
    if (state.phase !== 'waiting') this.#stopWatching()
    for (const effect of effects) this.#perform(effect)
    if (state.phase === 'released') this.#resolve('')
    if (state.phase === 'waiting' && this.#group.left.aborted) this.leave()
  }

  /**
   * Called when the caller disconnects. A waiting call is released for a later session, or withdrawn if it
   * cannot be resumed.
   */
  leave(): void {
    if (this.isWaiting)
      this.#dispatch({ type: this.#group.context.canBeResumed ? 'channelGone' : 'withdrawn' })
  }

  #dispatch(event: ToolCallEvent): void {
    this.apply(stepToolCall(this.#state, event))
  }

  #perform(effect: ToolCallEffect): void {
    const { context, slots } = this.#group
    const { log, emit } = context
    const { callId, messageId } = this.#call
    switch (effect.effect) {
      case 'store':
        void this.#store()
        return
      case 'append': {
        const appended = this.#append()
        if (effect.precedesOutput) this.#announced = appended
        return
      }
      case 'record':
        void this.#record(effect.work, effect.approval)
        return
      case 'watch':
        this.#watch(effect.approval)
        return
      case 'emitWaiting': {
        const timeoutSeconds = this.#secondsLeft(effect.approval)
        // The rules of this session may not match those of the session that made the call. In that case, the
        // decision is left to staff.
        const approvedBy = narrowed(effect.approval.approvedBy, context.approvedBy) ?? 'staff'
        const narrowing = approvedBy === 'either' ? {} : { approvedBy }
        emit({ type: 'approval.waiting', data: { callId, messageId, timeoutSeconds, ...narrowing } })
        return
      }
      case 'emitApproved':
        this.#announced = this.#inTime(
          log.startCall(messageId, [{ type: 'approval.approved', data: { callId, messageId } }]),
        )
        return
      case 'emitExpired':
        emit({ type: 'approval.expired', data: { callId, messageId } })
        return
      case 'withdraw':
        void log.withdrawApproval(effect.approval.id)
        return
      case 'claim':
        void this.#claim(effect.approval)
        return
      case 'enqueue':
        slots.take(() => this.#dispatch({ type: 'slot' }))
        return
      case 'run':
        void this.#run(effect.work)
        return
      case 'answer':
        void this.#answer(effect)
    }
  }

  #append(): Promise<boolean> {
    const { context } = this.#group
    return this.#inTime(context.log.append(callMessage(context, this.#call), [startEvent(this.#call, false)]))
  }

  /** Resolves with true when the write has succeeded, and with false if it failed or timed out. */
  async #inTime(written: Promise<boolean>): Promise<boolean> {
    const inTime = await this.#dependencies.timers.within(storeMilliseconds, written)
    return inTime.ok && inTime.value
  }

  async #store(): Promise<void> {
    if (!(await this.#append())) return this.#dispatch({ type: 'storeFailed' })
    this.#dispatch({ type: this.#group.stopping.aborted ? 'withdrawn' : 'stored' })
  }

  /** Stores message and approval in one transaction. Without both, the call neither waits nor runs. */
  async #record(work: CallWork, approval: AskedApproval): Promise<void> {
    const { clock, waitingApprovals } = this.#dependencies
    const { context } = this.#group
    const isRecorded = await waitingApprovals.open(
      callMessage(context, this.#call, ToolStatus.PendingApproval),
      callApproval(context, this.#call, { approval, work, clock }),
    )
    if (isRecorded) context.emit(startEvent(this.#call, true))
    this.#dispatch({ type: isRecorded ? 'recorded' : 'recordFailed' })
  }

  #watch({ id, deadline }: AskedApproval): void {
    const { onApprovalAwaited, caller } = this.#group.context
    const watched = { id, deadline, organizationId: caller.organizationId }
    const stop = this.#dependencies.waitingApprovals.watch(watched, (outcome) => this.#dispatch(outcome))
    const { callId } = this.#call
    onApprovalAwaited(true, callId)
    this.#stopWatching = () => {
      this.#stopWatching = () => undefined
      stop()
      onApprovalAwaited(false, callId)
    }
  }

  async #claim({ id }: AskedApproval): Promise<void> {
    const { originId } = this.#group.context
    this.#dispatch(await this.#dependencies.waitingApprovals.claim(id, originId))
  }

  async #run(work: CallWork): Promise<void> {
    const { timers } = this.#dependencies
    const startedAt = timers.monotonic()
    const outcome = await this.#outcomeOf(work)
    this.#group.slots.free()
    const executionTimeSeconds = executionSeconds(timers, startedAt)
    this.#dispatch({ type: 'result', outcome, executionTimeSeconds })
  }

  #outcomeOf({ tool, arguments: args }: CallWork): Promise<ToolOutcome> {
    const { runTool, runSubAgent } = this.#dependencies
    const { context, stopping: signal, left } = this.#group
    const { callId, messageId } = this.#call
    if (tool.action.kind === 'subagent')
      return runSubAgent({ tool, context, callId, messageId, question: args.question, signal, left })
    const { caller } = context
    return runTool({ tool, caller, arguments: args, callId, idempotencyKey: messageId, signal })
  }

  /** The model gets its output before the output is stored. Clients get it after that. */
  async #answer(answer: AnswerEffect): Promise<void> {
    const { status, output: content, executionTimeSeconds, approval } = answer
    const { messageId } = this.#call
    const known = { messageId, status, content, executionTimeSeconds, approvalId: approval?.id ?? null }
    const finished = answer.isUnknown ? { ...known, failure: content } : known
    const stored = this.#group.context.log.finishCall(finished, [doneEvent(this.#call, answer)])
    await this.#announced
    this.#resolve(content)
    if ((await stored) && approval !== null) this.#dependencies.waitingApprovals.release(approval.id)
  }

  #secondsLeft({ deadline }: AskedApproval): number {
    const milliseconds = Date.parse(deadline) - this.#dependencies.clock.now().getTime()
    return Math.max(0, Math.ceil(milliseconds / 1000))
  }
}

/** The slots for running calls. Further calls are queued in order of arrival. */
export class RunSlots {
  readonly #limit: number
  readonly #waiting: (() => void)[] = []
  #taken = 0

  constructor(limit: number) {
    this.#limit = limit
  }

  /** Calls `start` when a slot is free, which may be immediately. */
  take(start: () => void): void {
    if (this.#taken >= this.#limit) {
      this.#waiting.push(start)
      return
    }
    this.#taken += 1
    start()
  }

  free(): void {
    const next = this.#waiting.shift()
    if (next) next()
    else this.#taken -= 1
  }
}
