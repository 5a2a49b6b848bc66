import { ToolStatus } from '@parley/contract'
import { v7 as uuid } from 'uuid'
import type { ApprovalRecord } from '../../../ports/approval-store.js'
import type { Clock } from '../../../ports/clock.js'
import type { Timers } from '../../../ports/timers.js'
import type { CallableTool, ToolOutcome } from '../../../ports/tool-executor.js'
import type { WaitingApprovals } from '../approvals/waiting-approvals.js'
import { checkArguments } from '../running/check-arguments.js'
import type { ToolRunner } from '../running/run-tool.js'
import type { CallContext } from './call-context.js'
import { doneEvent, startEvent } from './call-events.js'
import { callApproval, callMessage } from './call-records.js'
import { adoptedCall, isOpen, type OpenCall, openCall } from './open-call.js'
import { RunSlots } from './run-slots.js'
import {
  type AnswerEffect,
  type AskedApproval,
  beginToolCall,
  type CallWork,
  type CheckedCall,
  resumeToolCall,
  stepToolCall,
  type ToolCallEffect,
  type ToolCallEvent,
  type ToolCallStep,
} from './tool-call.js'

/** How many calls of one session or turn run at a time. */
const maxRunning = 8

export interface ToolCallsDependencies {
  readonly clock: Clock
  readonly timers: Timers
  readonly waitingApprovals: WaitingApprovals
  readonly runTool: ToolRunner
  readonly runSubAgent: SubAgentRunner
  readonly approvalTimeoutSeconds: number
}

/** A sub-agent that is to work on a question. */
export interface SubAgentRun {
  readonly tool: CallableTool
  readonly context: CallContext
  /** The message of the call; the sub-agent's own calls are set apart by it. */
  readonly messageId: string
  readonly question: unknown
  readonly signal: AbortSignal
  /** Aborts when nobody listens any more: the sub-agent goes on, and what waits for a person is released. */
  readonly left: AbortSignal
}

/** Lets another agent work on a question. Never rejects. */
export type SubAgentRunner = (run: SubAgentRun) => Promise<ToolOutcome>

/**
 * The calls of one session or turn. The rules are in the machine of a single call; this performs its effects, each
 * call beside the others and none in the way of the relay.
 */
export class ToolCalls {
  readonly #dependencies: ToolCallsDependencies
  readonly #context: CallContext
  readonly #calls = new Map<string, OpenCall>()
  readonly #slots = new RunSlots(maxRunning)
  readonly #stopping = new AbortController()
  readonly #left = new AbortController()

  constructor(dependencies: ToolCallsDependencies, context: CallContext) {
    this.#dependencies = dependencies
    this.#context = context
  }

  /** Whether a call has no answer yet. */
  get hasOpenCall(): boolean {
    return [...this.#calls.values()].some(({ state }) => isOpen(state))
  }

  /** Whether a call waits for a person. */
  get hasWaitingCall(): boolean {
    return [...this.#calls.values()].some(({ state }) => state.phase === 'waiting')
  }

  knows(callId: string): boolean {
    return this.#calls.has(callId)
  }

  /** This id, or one like it: some models begin to count anew with every step. */
  freshId(callId: string): string {
    for (let count = 1; ; count += 1) {
      const id = count === 1 ? callId : `${callId}-${count}`
      if (!this.knows(id)) return id
    }
  }

  /** Takes a call, once however often it is announced, and resolves with its one output. Never rejects. */
  call(callId: string, functionName: string, argumentsText: string): Promise<string> {
    const tool = this.#toolNamed(functionName)
    return this.#begin(
      { callId, functionName, argumentsText, tool },
      checkCall(tool, functionName, argumentsText),
    )
  }

  /** A call that was cut off before its arguments were complete: it is answered, and never run. */
  interrupted(callId: string, functionName: string, argumentsText: string): Promise<string> {
    const problem = 'The call was interrupted before it was complete. It was not run.'
    const tool = this.#toolNamed(functionName)
    return this.#begin({ callId, functionName, argumentsText, tool }, { ok: false, problem })
  }

  /** Goes on with what a former session left. */
  adopt(row: ApprovalRecord): Promise<string> {
    const checked = checkArguments(row.call.parameters, row.arguments)
    const work = { tool: row.call, arguments: checked.ok ? checked.arguments : {} }
    const step = resumeToolCall(work, row, row.state !== 'waiting')
    const call = adoptedCall(row, step.state)
    this.#calls.set(call.callId, call)
    this.#context.emit(startEvent(call, true))
    this.#apply(call, step)
    return call.output
  }

  /** Nobody listens any more. What runs goes on and is written down; what waits for a person is released. */
  leave(): void {
    if (this.#left.signal.aborted) return
    this.#left.abort()
    for (const call of this.#calls.values()) this.#release(call)
  }

  /** The same; and where nobody could ever read what comes of it, nothing goes on. */
  end(): void {
    this.leave()
    if (!this.#context.canBeResumed) this.#stopping.abort()
  }

  /** Settles when nothing runs any more. */
  async settled(): Promise<void> {
    await Promise.all([...this.#calls.values()].map(({ output, state }) => isOpen(state) && output))
  }

  #toolNamed(functionName: string): CallableTool | null {
    return this.#context.tools.find(({ name }) => name === functionName) ?? null
  }

  #begin(
    made: Pick<OpenCall, 'callId' | 'functionName' | 'argumentsText' | 'tool'>,
    checked: CheckedCall,
  ): Promise<string> {
    const known = this.#calls.get(made.callId)
    if (known) return known.output
    const step = beginToolCall(checked, made.tool?.approvalRequired ? this.#askedApproval() : null)
    const call = openCall({ ...made, agentId: this.#context.scope.agentId }, step.state)
    this.#calls.set(call.callId, call)
    this.#apply(call, step)
    return call.output
  }

  #askedApproval(): AskedApproval {
    const { clock, approvalTimeoutSeconds } = this.#dependencies
    const deadline = new Date(clock.now().getTime() + approvalTimeoutSeconds * 1000)
    return { id: uuid(), deadline: deadline.toISOString() }
  }

  #dispatch(call: OpenCall, event: ToolCallEvent): void {
    this.#apply(call, stepToolCall(call.state, event))
  }

  #apply(call: OpenCall, { state, effects }: ToolCallStep): void {
    call.state = state
    if (state.phase !== 'waiting') call.stopWatching()
    for (const effect of effects) this.#perform(call, effect)
    if (state.phase === 'released') call.resolve('')
    if (state.phase === 'waiting' && this.#left.signal.aborted) this.#release(call)
  }

  #perform(call: OpenCall, effect: ToolCallEffect): void {
    const { log, emit } = this.#context
    const { callId, messageId } = call
    switch (effect.effect) {
      case 'append':
        void log.append(callMessage(this.#context, call), [startEvent(call, false)])
        return
      case 'record':
        void this.#record(call, effect.work, effect.approval)
        return
      case 'watch':
        this.#watch(call, effect.approval)
        return
      case 'emitWaiting': {
        const timeoutSeconds = this.#secondsLeft(effect.approval)
        emit({ type: 'approval.waiting', data: { callId, messageId, timeoutSeconds } })
        return
      }
      case 'emitApproved':
        void log.startCall(messageId, [{ type: 'approval.approved', data: { callId, messageId } }])
        return
      case 'emitExpired':
        emit({ type: 'approval.expired', data: { callId, messageId } })
        return
      case 'withdraw':
        void log.withdrawApproval(effect.approval.id)
        return
      case 'claim':
        void this.#claim(call, effect.approval)
        return
      case 'enqueue':
        this.#slots.take(() => this.#dispatch(call, { type: 'slot' }))
        return
      case 'run':
        void this.#run(call, effect.work)
        return
      case 'answer':
        void this.#answer(call, effect)
    }
  }

  /** The message and the approval are written together; without both, nothing waits and nothing runs. */
  async #record(call: OpenCall, work: CallWork, approval: AskedApproval): Promise<void> {
    const { clock, waitingApprovals } = this.#dependencies
    const isRecorded = await waitingApprovals.open(
      callMessage(this.#context, call, ToolStatus.PendingApproval),
      callApproval(this.#context, call, { approval, work, clock }),
    )
    if (isRecorded) this.#context.emit(startEvent(call, true))
    this.#dispatch(call, { type: isRecorded ? 'recorded' : 'recordFailed' })
  }

  #watch(call: OpenCall, { id, deadline }: AskedApproval): void {
    const { onPersonAwaited } = this.#context
    const stop = this.#dependencies.waitingApprovals.watch(id, deadline, (outcome) =>
      this.#dispatch(call, outcome),
    )
    onPersonAwaited(true)
    call.stopWatching = () => {
      call.stopWatching = () => undefined
      stop()
      onPersonAwaited(false)
    }
  }

  async #claim(call: OpenCall, { id }: AskedApproval): Promise<void> {
    this.#dispatch(call, await this.#dependencies.waitingApprovals.claim(id, this.#context.originId))
  }

  async #run(call: OpenCall, work: CallWork): Promise<void> {
    const { timers } = this.#dependencies
    const startedAt = timers.monotonic()
    const outcome = await this.#outcomeOf(call, work)
    this.#slots.free()
    const executionTimeSeconds = Math.round(timers.monotonic() - startedAt) / 1000
    this.#dispatch(call, { type: 'result', outcome, executionTimeSeconds })
  }

  #outcomeOf({ messageId }: OpenCall, { tool, arguments: given }: CallWork): Promise<ToolOutcome> {
    const { runTool, runSubAgent } = this.#dependencies
    const signal = this.#stopping.signal
    if (tool.action.kind === 'subagent') {
      const { question } = given
      return runSubAgent({
        tool,
        context: this.#context,
        messageId,
        question,
        signal,
        left: this.#left.signal,
      })
    }
    const { scope } = this.#context
    return runTool({ tool, scope, arguments: given, idempotencyKey: messageId, signal })
  }

  /** The model has its output at once; people are told when it is written down. */
  async #answer(call: OpenCall, answer: AnswerEffect): Promise<void> {
    const { status, output: content, executionTimeSeconds, approval } = answer
    const { messageId } = call
    const finished = { messageId, status, content, executionTimeSeconds, approvalId: approval?.id ?? null }
    const stored = this.#context.log.finishCall(finished, [doneEvent(call, answer)])
    call.resolve(content)
    if ((await stored) && approval !== null) this.#dependencies.waitingApprovals.release(approval.id)
  }

  #release(call: OpenCall): void {
    if (call.state.phase !== 'waiting') return
    this.#dispatch(call, { type: this.#context.canBeResumed ? 'channelGone' : 'withdrawn' })
  }

  #secondsLeft({ deadline }: AskedApproval): number {
    const milliseconds = Date.parse(deadline) - this.#dependencies.clock.now().getTime()
    return Math.max(0, Math.ceil(milliseconds / 1000))
  }
}

function checkCall(tool: CallableTool | null, functionName: string, argumentsText: string): CheckedCall {
  if (tool === null) return { ok: false, problem: `There is no tool ${functionName}.` }
  const checked = checkArguments(tool.parameters, argumentsText)
  return checked.ok ? { ok: true, work: { tool, arguments: checked.arguments } } : checked
}
