import type { TurnEvent } from '@parley/contract'
import { type ChatUsage, noUsage } from '../../ports/chat-model.js'
import type { QuestionMetrics } from '../../ports/question-metrics.js'
import type { TurnRecord } from '../../ports/turn-store.js'
import { callItemPrefix } from '../conversations/call-items.js'
import { throughOutages } from '../durability/through-outages.js'
import { addUsage } from '../text-turn/chat-usage.js'
import { runTextTurn, type TextTurnOutcome } from '../text-turn/run-text-turn.js'
import type { CallContext } from '../tools/calls/call-context.js'
import { ToolCalls, type ToolCallsDependencies } from '../tools/calls/tool-calls.js'
import { type PreparedTurn, type PrepareTurnDependencies, prepareTurn } from './prepare-turn.js'
import { type StartOutcome, startTurn, type TurnStart } from './start-turn.js'
import { endTurn, type Interruption, interruptions, type TurnOutcome, unanswered } from './turn-end.js'
import { TurnLog, type TurnLogDependencies } from './turn-log.js'

/** How long a turn that was given up waits for the last words of its tools. */
const lastWordsMilliseconds = 5000

export interface RunningTurnDependencies extends PrepareTurnDependencies, TurnLogDependencies {
  readonly calls: ToolCallsDependencies
  readonly metrics: QuestionMetrics
  /** How long a model may take for one step, tries included. */
  readonly stepTimeoutMilliseconds: number
}

/**
 * One question and its answer, from its start to its end, whether anybody listens or not.
 *
 *   queued ──earlier questions answered──► running ──┐
 *      └───────────────stop(reason)───────────────────┴──► ended, once
 */
export class RunningTurn {
  readonly #dependencies: RunningTurnDependencies
  readonly #turn: TurnRecord
  readonly #giveUp = new AbortController()
  readonly #log: TurnLog
  #interruption: Interruption | null = null
  #starting: Promise<StartOutcome> | null = null
  #hasFailedToStart = false
  #start: TurnStart | null = null
  #places = 0
  /** What the sub-agents took. */
  #subAgentUsage = noUsage
  #hasSpoken = false

  constructor(dependencies: RunningTurnDependencies, turn: TurnRecord) {
    this.#dependencies = dependencies
    this.#turn = turn
    this.#log = new TurnLog(dependencies, turn.id, {
      onFull: () => this.interrupt('overflow'),
      onEndedElsewhere: () => this.interrupt('lost'),
    })
  }

  get isInterrupted(): boolean {
    return this.#interruption !== null
  }

  get conversationId(): string {
    return this.#turn.conversationId
  }

  /** Starts, if it is this question's turn. Rejects while the database is away; one tries again. */
  async tryStart(): Promise<StartOutcome> {
    // A try under way may have looked before the question ahead had ended.
    const underWay = await this.#starting?.catch(() => 'waiting' as const)
    if (underWay !== undefined && underWay !== 'waiting') return underWay
    this.#starting ??= this.#tryStart().finally(() => {
      this.#starting = null
    })
    return this.#starting
  }

  /** Answers the question. Settles when the end is written down; never rejects. */
  async answer(): Promise<void> {
    const { log, metrics } = this.#dependencies
    metrics.turnStarted()
    // Whoever stops a turn while it starts: then it has started.
    await this.#starting?.catch(() => undefined)
    let ended: TurnOutcome
    try {
      ended = await this.#answerFor(this.#giveUp.signal)
    } catch (error) {
      log.error({ err: error, turnId: this.#turn.id }, 'a turn failed')
      const failure = 'The service failed. The operator can find the reason in the log.'
      const internal = { state: 'failed', code: 'internal', failure } as const
      const reason = this.#interruption === null ? internal : interruptions[this.#interruption]
      ended = { ...reason, text: '', usage: noUsage }
    }
    endTurn(this.#dependencies, this.#log, this.#turn, {
      ...ended,
      usage: addUsage(ended.usage, this.#subAgentUsage),
      hasStarted: this.#start !== null,
      nextPosition: () => this.#nextPosition(),
    })
    await this.#log.settled()
    metrics.turnEnded(ended.state)
  }

  interrupt(reason: Interruption): void {
    this.#interruption ??= reason
    this.#giveUp.abort()
  }

  async #tryStart(): Promise<StartOutcome> {
    const hasFailed = this.#hasFailedToStart
    this.#hasFailedToStart = true
    const started = await startTurn(this.#dependencies, this.#turn, hasFailed)
    this.#hasFailedToStart = false
    if (typeof started === 'string') return started
    this.#log.resumeAfter(started.stored.sequence)
    this.#dependencies.feeds.publish(this.#turn.id, [started.stored])
    this.#start = started.start
    return 'started'
  }

  async #answerFor(signal: AbortSignal): Promise<TurnOutcome> {
    if (signal.aborted) return { ...interruptions[this.#whyInterrupted(false)], text: '', usage: noUsage }
    const prepared = await throughOutages(this.#dependencies, signal, () =>
      prepareTurn(this.#dependencies, this.#turn, signal),
    )
    if ('problem' in prepared) return unanswered(prepared.problem)
    const calls = new ToolCalls(this.#dependencies.calls, this.#callContext(prepared))
    try {
      const outcome = await runTextTurn({
        models: this.#dependencies.models,
        target: prepared.target,
        messages: prepared.messages,
        tools: prepared.tools,
        callTool: async ({ callId, name, arguments: given }) => {
          const output = await calls.call(calls.freshId(callId), name, given)
          if (mayHaveWaited(prepared, name)) await this.#checkStop()
          return output
        },
        stepTimeoutMilliseconds: this.#dependencies.stepTimeoutMilliseconds,
        signal,
        onText: (delta) => this.#say(delta),
      })
      return this.#endedBy(outcome, prepared.usage, calls.hasWaitingCall)
    } finally {
      calls.end()
      await this.#lastWords(calls)
    }
  }

  /**
   * Somebody may have stopped the turn, or deleted its conversation, while it waited for a person: then the model is
   * not asked again. Where the database does not respond, the next regular poll finds out.
   */
  async #checkStop(): Promise<void> {
    const { turns } = this.#dependencies.database.stores
    const stopped = await turns.stopRequested([this.#turn.id]).catch(() => [])
    if (stopped.length > 0) this.interrupt('stopped')
  }

  #endedBy(outcome: TextTurnOutcome, usageBefore: ChatUsage, isWaiting: boolean): TurnOutcome {
    const said = { text: outcome.text, usage: addUsage(outcome.usage, usageBefore) }
    switch (outcome.outcome) {
      case 'answered':
        return { state: 'completed', code: null, failure: null, ...said }
      case 'failed':
        return { ...unanswered(outcome.detail), ...said }
      case 'aborted':
        return { ...interruptions[this.#whyInterrupted(isWaiting)], ...said }
    }
  }

  #whyInterrupted(isWaiting: boolean): Interruption {
    const reason = this.#interruption ?? 'stopped'
    if (reason !== 'draining') return reason
    if (this.#start === null) return 'unasked'
    return isWaiting ? 'waiting' : 'draining'
  }

  #callContext({ agent, tools }: PreparedTurn): CallContext {
    const { organizationId, conversationId, id } = this.#turn
    const wasStopped = () => this.#interruption === 'stopped'
    return {
      scope: { organizationId, agentId: agent.id, agentName: agent.name, conversationId },
      originId: id,
      channel: 'text',
      tools,
      depth: 0,
      itemPrefix: callItemPrefix,
      // Whoever stops a turn does not want its tools; a shutdown leaves what waits for a person waiting.
      get canBeResumed() {
        return !wasStopped()
      },
      log: this.#log,
      nextPosition: () => this.#nextPosition(),
      emit: (event) => this.#log.emit(event),
      onPersonAwaited: () => undefined,
      onUsage: (usage) => {
        this.#subAgentUsage = addUsage(this.#subAgentUsage, usage)
      },
    }
  }

  async #lastWords(calls: ToolCalls): Promise<void> {
    if (calls.hasOpenCall) await this.#dependencies.timers.within(lastWordsMilliseconds, calls.settled())
  }

  #nextPosition() {
    const { clock, timers } = this.#dependencies
    const start = this.#start ?? { microseconds: clock.now().getTime() * 1000, monotonic: timers.monotonic() }
    const passed = timers.monotonic() - start.monotonic
    this.#places += 1
    return { microseconds: start.microseconds + Math.round(passed * 1000), counter: this.#places }
  }

  #say(delta: string): void {
    const { metrics, timers } = this.#dependencies
    if (!this.#hasSpoken && this.#start !== null)
      metrics.firstWords((timers.monotonic() - this.#start.monotonic) / 1000)
    this.#hasSpoken = true
    this.#log.say(delta, (text) => this.#deltaEvent(text))
  }

  #deltaEvent(delta: string): TurnEvent {
    const { agentId, answerMessageId } = this.#turn
    return { type: 'response.text.delta', data: { chatbotId: agentId, id: answerMessageId, delta } }
  }
}

function mayHaveWaited({ tools }: PreparedTurn, name: string): boolean {
  const tool = tools.find((each) => each.name === name)
  return tool?.approvalRequired === true || tool?.action.kind === 'subagent'
}
