import type { ChatCall } from '../../ports/chat-model.js'
import type { TurnRecord } from '../../ports/conversation-stores.js'
import type { TurnMetrics } from '../../ports/metrics.js'
import type { Timers } from '../../ports/time.js'
import { providerNames, type Span } from '../../ports/tracing.js'
import { callItemPrefix, type MessagePositions } from '../conversations/message-positions.js'
import { throughOutages } from '../durability/ordered-writes.js'
import { attemptSentence } from '../tasks/settle-attempt.js'
import { jsonFormat } from '../text-turn/answer-format.js'
import { type AnswerFormat, runTextTurn, type TextTurnOutcome } from '../text-turn/run-text-turn.js'
import type { CallContext } from '../tools/calls/call-records.js'
import { ToolCalls, type ToolCallsDependencies } from '../tools/calls/tool-calls.js'
import { UseCounter } from '../usage/use-counter.js'
import { type PreparedTurn, type PrepareTurnDependencies, prepareTurn } from './prepare-turn.js'
import type { InterruptionReason, TurnInterruption, TurnOutcome } from './turn-end.js'
import type { TurnLog } from './turn-log.js'
import { deltaEvent, turnFields } from './turn-records.js'

/** How long an interrupted turn waits for its tools to end. */
const callGraceMilliseconds = 5000

/** The interruptions after which waiting calls are not resumed. */
const finalReasons: readonly InterruptionReason[] = ['stopped', 'erased', 'overdue']

export interface TurnAnswerDependencies extends PrepareTurnDependencies {
  readonly timers: Timers
  readonly calls: ToolCallsDependencies
  readonly metrics: TurnMetrics
  /** The time limit of one model step, including retries. */
  readonly stepTimeoutMilliseconds: number
  /** The maximum number of steps with tool calls in an attempt at a task. */
  readonly taskMaxSteps: number
}

export interface AnsweredTurn {
  readonly turn: TurnRecord
  /** The monotonic time at its start. */
  readonly startedAt: number
  readonly positions: MessagePositions
  readonly log: TurnLog
  readonly interruption: TurnInterruption
  /** The span of the turn. */
  readonly span: Span
}

/** Answers one question: runs the model and its tools, and returns the outcome. */
export class TurnAnswer {
  readonly #dependencies: TurnAnswerDependencies
  readonly #answered: AnsweredTurn
  readonly #uses: UseCounter
  #hasText = false
  /** The number of times that a call has started to wait for approval. */
  #waits = 0
  readonly #awaitingApproval = new Set<string>()
  #calls: ToolCalls | null = null

  constructor(dependencies: TurnAnswerDependencies, answered: AnsweredTurn) {
    this.#dependencies = dependencies
    this.#answered = answered
    const { organizationId, id, apiKeyId, endUserId } = answered.turn
    const rehearsal = answered.turn.rehearsal !== null
    const account = { organizationId, sourceId: id, apiKeyId, channel: 'text', rehearsal, endUserId } as const
    this.#uses = new UseCounter(dependencies, answered.log, account)
  }

  /** Whether everything left in the turn is calls that wait for approval and outlive the turn. */
  get isOnlyWaiting(): boolean {
    return this.#calls?.isOnlyWaiting === true
  }

  /** Never rejects, because a failure of the service ends the turn like any other failure. */
  async run(): Promise<TurnOutcome> {
    const { turn, interruption } = this.#answered
    return this.#answer().catch((error: unknown): TurnOutcome => {
      this.#dependencies.log.error({ err: error, ...turnFields(turn) }, 'a turn failed')
      return { ...interruption.endAt('answer'), text: '' }
    })
  }

  /** Adds the agent and the model to the span. They are known only after the turn was prepared. */
  #nameSpan({ agent, target }: PreparedTurn): void {
    const { span } = this.#answered
    span.rename(`invoke_agent ${agent.name}`)
    span.set({
      'gen_ai.agent.name': agent.name,
      'gen_ai.provider.name': providerNames[target.kind],
      'gen_ai.request.model': target.model,
    })
  }

  async #answer(): Promise<TurnOutcome> {
    const { turn, interruption } = this.#answered
    const { signal } = interruption
    if (signal.aborted) return { ...interruption.endAt('answer'), text: '' }
    const prepared = await throughOutages(this.#dependencies, signal, () =>
      prepareTurn(this.#dependencies, turn, { signal, uses: this.#uses }),
    )
    if (!prepared.ok) return { ...modelUnavailable(prepared.problem), text: '' }
    this.#nameSpan(prepared)
    if (prepared.isSummarized) await this.#checkStop()
    const { models, calls: callDependencies, timers, stepTimeoutMilliseconds } = this.#dependencies
    const calls = new ToolCalls(callDependencies, this.#callContext(prepared))
    this.#calls = calls
    try {
      const outcome = await runTextTurn({
        models,
        target: prepared.target,
        messages: prepared.messages,
        tools: prepared.tools,
        format: this.#format(),
        callTool: (call) => this.#callTool(calls, prepared, call),
        steps: this.#uses.stepsOf({ agentId: turn.agentId, target: prepared.target, startsTurn: true }),
        maxSteps: turn.taskId === null ? undefined : this.#dependencies.taskMaxSteps,
        stepTimeoutMilliseconds,
        signal,
        onText: (delta) => this.#emitDelta(delta),
      })
      return this.#outcomeOf(outcome, calls.hasWaitingCall)
    } finally {
      calls.end()
      if (calls.hasOpenCall) await timers.within(callGraceMilliseconds, calls.settled())
    }
  }

  async #callTool(calls: ToolCalls, { tools }: PreparedTurn, call: ChatCall): Promise<string> {
    const waitedBefore = this.#waits
    const output = await calls.call(calls.freshId(call.callId), call.name, call.arguments)
    const tool = tools.find(({ name }) => name === call.name)
    const mayHaveWaited = tool?.action.kind === 'subagent' || this.#waits > waitedBefore
    if (mayHaveWaited) await this.#checkStop()
    return output
  }

  /**
   * Checks whether the turn was stopped, or its conversation deleted, while it waited for an approval or a
   * summary. In that case, the model is not called again. If the database does not respond, the next regular
   * poll finds out.
   */
  async #checkStop(): Promise<void> {
    const { turn, interruption } = this.#answered
    const { organizationId } = turn
    const { turns } = this.#dependencies.database.ownedBy({ organizationId, kind: 'log' }).stores
    const [stopped] = await turns.stopRequested([turn.id]).catch(() => [])
    if (stopped !== undefined) interruption.interrupt(stopped.isErased ? 'erased' : 'stopped')
  }

  #outcomeOf(outcome: TextTurnOutcome, isWaiting: boolean): TurnOutcome {
    const said = { text: outcome.text }
    switch (outcome.kind) {
      case 'answered':
        return { state: 'completed', ...said }
      case 'failed':
        return { ...modelUnavailable(outcome.detail), ...said }
      case 'mismatched':
        return { ...schemaNotMet(outcome.detail), ...said }
      case 'spent':
        return { ...budgetExceeded(outcome.detail), ...said }
      case 'aborted':
        return { ...this.#answered.interruption.endAt(isWaiting ? 'approval' : 'answer'), ...said }
    }
  }

  #format(): AnswerFormat | undefined {
    const { organizationId, responseSchema } = this.#answered.turn
    const { argumentChecker } = this.#dependencies.calls
    return responseSchema === null ? undefined : jsonFormat(argumentChecker, organizationId, responseSchema)
  }

  #callContext({ agent, tools }: PreparedTurn): CallContext {
    const { turn, positions, log, interruption } = this.#answered
    const { organizationId, conversationId, endUserId, id, rehearsal } = turn
    return {
      caller: { organizationId, agentId: agent.id, agentName: agent.name, conversationId, endUserId },
      originId: id,
      channel: 'text',
      tools,
      rehearsal,
      // The caller decides over HTTP and acts as its own client.
      approvedBy: 'either',
      depth: 0,
      itemPrefix: callItemPrefix,
      // A stop or a timeout also ends the tools. After a shutdown, waiting calls can be resumed.
      get canBeResumed() {
        return interruption.reason === null || !finalReasons.includes(interruption.reason)
      },
      log,
      nextPosition: () => positions.next(),
      emit: (event) => log.emit(event),
      onApprovalAwaited: (isAwaited, callId) => this.#notePerson(isAwaited, callId),
      uses: this.#uses,
    }
  }

  /** Writes to the task whether it waits for approval. */
  #notePerson(isAwaited: boolean, callId: string): void {
    const { log } = this.#answered
    if (isAwaited) {
      this.#waits += 1
      this.#awaitingApproval.add(callId)
      log.noteTask(() => 'A tool call is waiting for approval.')
    } else if (this.#awaitingApproval.delete(callId) && this.#awaitingApproval.size === 0)
      log.noteTask(attemptSentence)
  }

  #emitDelta(delta: string): void {
    const { turn, startedAt, log } = this.#answered
    const { metrics, timers } = this.#dependencies
    if (!this.#hasText) metrics.firstWords((timers.monotonic() - startedAt) / 1000)
    this.#hasText = true
    log.emitDelta(delta, (text) => deltaEvent(turn, text))
  }
}

/** The model cannot be called, or has failed permanently. */
function modelUnavailable(failure: string) {
  return { state: 'failed', code: 'model_unavailable', failure, cause: null, isWaiting: false } as const
}

/** The text of the answer is stored, so that callers can see what the model wrote instead. */
function schemaNotMet(problem: string) {
  const failure = `The answer does not match responseSchema, even after one correction. ${problem}`
  return { state: 'failed', code: 'response_schema_not_met', failure, cause: null, isWaiting: false } as const
}

function budgetExceeded(failure: string) {
  return { state: 'stopped', code: 'budget_exceeded', failure, cause: null, isWaiting: false } as const
}
