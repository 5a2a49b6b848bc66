import { type CustomEvent, ToolStatus } from '@parley/contract'
import type { ApprovalRecord } from '../../../ports/approval-store.js'
import type { ChatUsage } from '../../../ports/chat-model.js'
import type { Clock } from '../../../ports/clock.js'
import type { MessageRecord } from '../../../ports/conversation-store.js'
import type { Timers } from '../../../ports/timers.js'
import type { CallableTool, ToolOutcome } from '../../../ports/tool-executor.js'
import type { WaitingApprovals } from '../approvals/waiting-approvals.js'
import { checkArguments } from '../running/check-arguments.js'
import type { ToolRunner, ToolScope } from '../running/run-tool.js'
import type { SubAgentRunner } from '../sub-agents/sub-agent.js'
import { doneEvent, startEvent } from './call-events.js'
import type { CallLog } from './call-log.js'
import { callMessage } from './call-message.js'
import { adoptedCall, isOpen, newCall, type OpenCall, type WantedCall } from './open-call.js'
import { RunSlots } from './run-slots.js'
import {
  beginToolCall,
  resumeToolCall,
  stepToolCall,
  type ToolCallEffect,
  type ToolCallEvent,
  type ToolCallStep,
} from './tool-call.js'

/** How many calls of one conversation partner run at a time. */
const maxRunning = 8

export interface ToolCallsDependencies {
  readonly clock: Clock
  readonly timers: Timers
  readonly waitingApprovals: WaitingApprovals
  readonly runTool: ToolRunner
  readonly runSubAgent: SubAgentRunner
  readonly approvalTimeoutSeconds: number
}

/** Where calls are made, and who hears of them. */
export interface CallContext {
  readonly place: ToolScope & { readonly conversationId: string }
  readonly originId: string | null
  readonly channel: MessageRecord['channel']
  readonly tools: readonly CallableTool[]
  /** How many agents stand above this one. */
  readonly depth: number
  /** Set apart from call ids of others in the same conversation. */
  readonly itemPrefix: string
  /** Whether what waits here can go on without the one who waits: a sub-agent's turn cannot. */
  readonly canBeResumed: boolean
  readonly log: CallLog
  readonly nextPosition: () => { readonly microseconds: number; readonly counter: number }
  readonly tell: (event: CustomEvent) => void
  /** Hears what a text model took that works for a call: a sub-agent's. */
  readonly spent: (usage: ChatUsage) => void
}

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

  /** Takes a call, once however often it is announced, and gives its one output. Never rejects. */
  call(callId: string, functionName: string, argumentsText: string): Promise<string> {
    const tool = this.#toolNamed(functionName)
    const checked =
      tool === null
        ? { isValid: false as const, problem: `There is no tool ${functionName}.` }
        : checkArguments(tool.parameters, argumentsText)
    return this.#begin(
      { callId, functionName, argumentsText, tool, given: checked.isValid ? checked.arguments : {} },
      checked.isValid ? null : checked.problem,
    )
  }

  /** A call that was cut off before its arguments were complete: it is answered, and never run. */
  interrupted(callId: string, functionName: string, argumentsText: string): Promise<string> {
    const tool = this.#toolNamed(functionName)
    return this.#begin(
      { callId, functionName, argumentsText, tool, given: {} },
      'The call was interrupted before it was complete. It was not run.',
    )
  }

  /** Goes on with what a former session left. */
  adopt(approval: ApprovalRecord): Promise<string> {
    const call = adoptedCall(approval)
    this.#calls.set(call.callId, call)
    this.#context.tell(startEvent(call, true))
    this.#apply(call, resumeToolCall(approval.state !== 'waiting'))
    this.#watch(call)
    return call.output
  }

  /** Nobody listens any more. What runs goes on and is written down; what waits for a person is let go. */
  leave(): void {
    if (this.#left.signal.aborted) return
    this.#left.abort()
    for (const call of this.#calls.values()) this.#letGo(call)
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

  #begin(wanted: WantedCall, problem: string | null): Promise<string> {
    const known = this.#calls.get(wanted.callId)
    if (known) return known.output
    const call = newCall(this.#context.place.agentId, wanted)
    this.#calls.set(call.callId, call)
    const step = beginToolCall(problem, call.tool?.approvalRequired === true)
    if (step.state.phase !== 'recording') {
      call.isMessageAdded = true
      this.#context.log.add(callMessage(this.#context, call, ToolStatus.Pending), () =>
        this.#context.tell(startEvent(call, false)),
      )
    }
    this.#apply(call, step)
    return call.output
  }

  #dispatch(call: OpenCall, event: ToolCallEvent): void {
    this.#apply(call, stepToolCall(call.state, event))
  }

  #apply(call: OpenCall, { state, effects }: ToolCallStep): void {
    call.state = state
    for (const effect of effects) this.#perform(call, effect)
    if (!isOpen(state)) call.stopWatching()
    if (state.phase === 'released') call.resolve('')
    if (state.phase === 'waiting' && this.#left.signal.aborted) this.#letGo(call)
  }

  #perform(call: OpenCall, effect: ToolCallEffect): void {
    const { log, tell } = this.#context
    const { callId, messageId } = call
    switch (effect.effect) {
      case 'record':
        void this.#record(call)
        return
      case 'announceWaiting':
        tell({
          type: 'approval.waiting',
          data: { callId, messageId, timeoutSeconds: this.#secondsLeft(call) },
        })
        return
      case 'announceApproved':
        log.started(messageId, () => tell({ type: 'approval.approved', data: { callId, messageId } }))
        return
      case 'announceExpired':
        tell({ type: 'approval.expired', data: { callId, messageId } })
        return
      case 'withdraw':
        if (call.approvalId !== null) log.withdraw(call.approvalId)
        return
      case 'claim':
        void this.#claim(call)
        return
      case 'enqueue':
        this.#slots.take(() => this.#dispatch(call, { type: 'slot' }))
        return
      case 'run':
        void this.#run(call)
        return
      case 'answer':
        this.#answer(call, effect.status, effect.output)
    }
  }

  /** The message and the approval are written together; without both, nothing waits and nothing runs. */
  async #record(call: OpenCall): Promise<void> {
    const { clock, waitingApprovals, approvalTimeoutSeconds } = this.#dependencies
    call.deadline = new Date(clock.now().getTime() + approvalTimeoutSeconds * 1000).toISOString()
    const isRecorded = await waitingApprovals.open(this.#context, call, call.approvalId ?? '', call.deadline)
    if (!isRecorded) {
      this.#dispatch(call, { type: 'recordFailed' })
      return
    }
    call.isMessageAdded = true
    this.#context.tell(startEvent(call, true))
    this.#dispatch(call, { type: 'recorded' })
    this.#watch(call)
  }

  #watch(call: OpenCall): void {
    if (call.approvalId === null || call.state.phase !== 'waiting') return
    call.stopWatching = this.#dependencies.waitingApprovals.watch(
      call.approvalId,
      call.deadline ?? '',
      (decided) => this.#dispatch(call, decided),
    )
  }

  async #claim(call: OpenCall): Promise<void> {
    const claim = await this.#dependencies.waitingApprovals.claim(
      call.approvalId ?? '',
      this.#context.originId,
    )
    this.#dispatch(call, claim)
  }

  async #run(call: OpenCall): Promise<void> {
    call.startedAt = this.#dependencies.timers.monotonic()
    const outcome = await this.#outcomeOf(call)
    this.#slots.free()
    this.#dispatch(call, { type: 'result', outcome })
  }

  #outcomeOf(call: OpenCall): Promise<ToolOutcome> {
    const { runTool, runSubAgent } = this.#dependencies
    const { tool, given } = call
    if (tool === null) return Promise.resolve({ isSuccess: false, output: 'There is no such tool.' })
    const signal = this.#stopping.signal
    if (tool.action.kind === 'subagent')
      return runSubAgent({
        tool,
        context: this.#context,
        messageId: call.messageId,
        question: given.question,
        signal,
        left: this.#left.signal,
      })
    return runTool({
      tool,
      place: this.#context.place,
      arguments: given,
      idempotencyKey: call.messageId,
      signal,
    })
  }

  /** The model has its output at once; people are told when it is written down. */
  #answer(call: OpenCall, status: ToolStatus, output: string): void {
    const { log, tell } = this.#context
    const { waitingApprovals, timers } = this.#dependencies
    const seconds = call.startedAt === null ? 0 : (timers.monotonic() - call.startedAt) / 1000
    const executionTimeSeconds = Math.round(seconds * 1000) / 1000
    if (!call.isMessageAdded)
      log.add(callMessage(this.#context, call, ToolStatus.Pending), () => tell(startEvent(call, false)))
    const approvalId = call.isMessageAdded ? call.approvalId : null
    const announce = () => {
      if (approvalId !== null) waitingApprovals.letGo(approvalId)
      tell(doneEvent(call, status, output, executionTimeSeconds))
    }
    log.finished(call.messageId, { status, content: output, executionTimeSeconds }, approvalId, announce)
    call.resolve(output)
  }

  #letGo(call: OpenCall): void {
    if (call.state.phase !== 'waiting') return
    if (this.#context.canBeResumed) {
      this.#dispatch(call, { type: 'channelGone' })
      return
    }
    if (call.approvalId !== null) this.#context.log.withdraw(call.approvalId)
    this.#dispatch(call, { type: 'withdrawn' })
  }

  #secondsLeft(call: OpenCall): number {
    const { clock } = this.#dependencies
    const milliseconds = Date.parse(call.deadline ?? '') - clock.now().getTime()
    return Math.max(0, Math.ceil(milliseconds / 1000))
  }
}
