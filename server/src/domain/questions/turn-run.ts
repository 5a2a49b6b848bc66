import type { TurnErrorCode, TurnEvent } from '@parley/contract'
import { type ChatUsage, noUsage } from '../../ports/chat-model.js'
import type { QuestionMetrics } from '../../ports/question-metrics.js'
import type { TurnEnd, TurnRecord } from '../../ports/turn-store.js'
import { callItemPrefix } from '../tools/call-message.js'
import { type CallScene, ToolCalls, type ToolCallsDependencies } from '../tools/tool-calls.js'
import { addUsage } from '../turns/chat-usage.js'
import { runTextTurn, type TextTurnOutcome } from '../turns/run-text-turn.js'
import { throughOutages } from '../turns/through-outages.js'
import { type PreparedTurn, type PrepareTurnDependencies, prepareTurn } from './prepare-turn.js'
import { TurnJournal, type TurnJournalDependencies } from './turn-journal.js'
import { answerMessage, createdEvent, questionMessage } from './turn-messages.js'

const stepTimeoutMilliseconds = 120_000
/** How long a turn that was given up waits for the last words of its tools. */
const lastWordsMilliseconds = 5000
const unknownOutcome = 'The turn ended while the tool ran; its outcome is unknown.'

export interface TurnRunDependencies extends PrepareTurnDependencies, TurnJournalDependencies {
  readonly calls: ToolCallsDependencies
  readonly metrics: QuestionMetrics
}

type Ended = Pick<TurnEnd, 'state' | 'failure'> & {
  readonly code: TurnErrorCode | null
  readonly text: string
  readonly usage: ChatUsage
}

const interruptions = {
  stopped: { state: 'stopped', code: 'turn_stopped', failure: 'The turn was stopped.' },
  draining: {
    state: 'failed',
    code: 'interrupted',
    failure: 'The service was shut down while it answered. Ask again.',
  },
  overflow: {
    state: 'failed',
    code: 'internal',
    failure: 'The service could not store the answer. Ask again.',
  },
  lost: {
    state: 'failed',
    code: 'interrupted',
    failure: 'The service was taken for dead while it answered.',
  },
} as const

/** It runs, it waits for earlier questions, or somebody else has ended it. */
export type StartOutcome = 'started' | 'waiting' | 'over'

/**
 * One question and its answer, from its start to its end, whether anybody listens or not.
 *
 *   queued ──earlier questions answered──► running ──┐
 *      └───────────────stop(reason)───────────────────┴──► ended, once
 */
export class TurnRun {
  readonly #dependencies: TurnRunDependencies
  readonly #turn: TurnRecord
  readonly #giveUp = new AbortController()
  readonly #journal: TurnJournal
  #interruption: keyof typeof interruptions | null = null
  #starting: Promise<StartOutcome> | null = null
  #hasFailedToStart = false
  #start: { readonly microseconds: number; readonly monotonic: number } | null = null
  #places = 0
  /** What the sub-agents took. */
  #spentBelow = noUsage
  #hasSpoken = false

  constructor(dependencies: TurnRunDependencies, turn: TurnRecord) {
    this.#dependencies = dependencies
    this.#turn = turn
    this.#journal = new TurnJournal(dependencies, turn.id, {
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
    let ended: Ended
    try {
      ended = await this.#answerFor(this.#giveUp.signal)
    } catch (error) {
      log.error({ err: error, turnId: this.#turn.id }, 'a turn failed')
      const failure = 'The service failed. The operator can find the reason in the log.'
      const internal = { state: 'failed', code: 'internal', failure } as const
      const reason = this.#interruption === null ? internal : interruptions[this.#interruption]
      ended = { ...reason, text: '', usage: noUsage }
    }
    this.#end({ ...ended, usage: addUsage(ended.usage, this.#spentBelow) })
    await this.#journal.settled()
    metrics.turnEnded(ended.state)
  }

  interrupt(reason: keyof typeof interruptions): void {
    this.#interruption ??= reason
    this.#giveUp.abort()
  }

  async #tryStart(): Promise<StartOutcome> {
    const { database, clock, timers, feeds } = this.#dependencies
    const turn = this.#turn
    const hasFailed = this.#hasFailedToStart
    this.#hasFailedToStart = true
    const started = await database.transaction(async (stores) => {
      await stores.conversations.hold(turn.conversationId)
      const microseconds = await stores.turns.start(turn.id, clock.now().toISOString())
      if (microseconds === null) {
        const current = await stores.turns.find(turn.organizationId, turn.conversationId, turn.id)
        return current?.endedAt === null ? 'waiting' : 'over'
      }
      // Not before: places that run ahead of the database's time would come after the next question's.
      const monotonic = timers.monotonic()
      const message = questionMessage(turn, { microseconds, counter: 0 })
      const event = { sequence: 2, event: JSON.stringify(createdEvent(turn, message.createdAt)) }
      await stores.conversations.addMessage(message)
      await stores.turns.addEvents(turn.id, [event])
      // A start whose commit was never answered may have been stored all the same: what stands there is told.
      const [stored = event] = hasFailed ? await stores.turns.eventsAfter(turn.id, 1, 1) : []
      return { start: { microseconds, monotonic }, stored }
    })
    this.#hasFailedToStart = false
    if (typeof started === 'string') return started
    this.#journal.goOnAfter(started.stored.sequence)
    feeds.publish(turn.id, [started.stored])
    this.#start = started.start
    return 'started'
  }

  async #answerFor(signal: AbortSignal): Promise<Ended> {
    if (signal.aborted) return { ...interruptions[this.#interruption ?? 'stopped'], text: '', usage: noUsage }
    const prepared = await throughOutages(this.#dependencies, signal, () =>
      prepareTurn(this.#dependencies, this.#turn, signal),
    )
    if ('problem' in prepared) return unanswered(prepared.problem)
    const calls = new ToolCalls(this.#dependencies.calls, this.#sceneOf(prepared))
    try {
      const outcome = await runTextTurn({
        models: this.#dependencies.models,
        target: prepared.target,
        messages: prepared.messages,
        tools: prepared.tools,
        callTool: async ({ callId, name, arguments: given }) => {
          const output = await calls.call(calls.freshId(callId), name, given)
          if (mayHaveWaited(prepared, name)) await this.#heedStop()
          return output
        },
        stepTimeoutMilliseconds,
        signal,
        onText: (delta) => this.#say(delta),
      })
      return this.#endedBy(outcome, prepared.usage)
    } finally {
      calls.end()
      await this.#lastWords(calls)
    }
  }

  /**
   * Whoever has stopped the turn, or deleted its conversation, while it waited for a person is heeded before the model
   * is asked again. Where the database does not answer, the next regular look finds out.
   */
  async #heedStop(): Promise<void> {
    const { turns } = this.#dependencies.database.stores
    const stopped = await turns.stopRequested([this.#turn.id]).catch(() => [])
    if (stopped.length > 0) this.interrupt('stopped')
  }

  #endedBy(outcome: TextTurnOutcome, usageBefore: ChatUsage): Ended {
    const said = { text: outcome.text, usage: addUsage(outcome.usage, usageBefore) }
    switch (outcome.outcome) {
      case 'answered':
        return { state: 'completed', code: null, failure: null, ...said }
      case 'failed':
        return { ...unanswered(outcome.detail), ...said }
      case 'aborted':
        return { ...interruptions[this.#interruption ?? 'stopped'], ...said }
    }
  }

  /** Question, tools, then the answer: its place is where it ends. */
  #end({ state, code, failure, text, usage }: Ended): void {
    const { clock } = this.#dependencies
    const turn = this.#turn
    // A question that was given up before its turn is kept as well.
    const unasked = this.#start === null ? questionMessage(turn, this.#takePlace()) : null
    const message = answerMessage(turn, this.#takePlace(), { text, failure })
    const events: TurnEvent[] = [
      ...(unasked === null ? [] : [createdEvent(turn, unasked.createdAt)]),
      { type: 'response.id', data: { chatbotId: turn.agentId, id: turn.answerMessageId } },
      code === null
        ? { type: 'response.completed', data: { chatbotId: turn.agentId } }
        : { type: 'error', data: { code, message: failure ?? '' } },
    ]
    this.#journal.end(turn.conversationId, events, async (stores, placeMicroseconds) => {
      const at = clock.now().toISOString()
      // What never started has no time of its own that others would agree to.
      const place = unasked === null ? {} : { placeMicroseconds }
      if (unasked !== null) await stores.conversations.addMessage({ ...unasked, ...place })
      await stores.conversations.addMessage({ ...message, ...place })
      if (code !== null) await stores.conversations.failRunningCalls(turn.id, unknownOutcome, at)
      const { content: answer, failure: told } = message
      await stores.turns.end(turn.id, { state, answer, failure: told, usage }, at)
      // What came to nothing may be asked again under the same key.
      if (state === 'failed' && turn.idempotencyKey !== null)
        await stores.idempotency.forget(turn.organizationId, turn.idempotencyKey)
    })
  }

  #sceneOf({ agent, tools }: PreparedTurn): CallScene {
    const { organizationId, conversationId, id } = this.#turn
    const wasStopped = () => this.#interruption === 'stopped'
    return {
      place: { organizationId, agentId: agent.id, agentName: agent.name, conversationId },
      sessionId: id,
      channel: 'text',
      tools,
      depth: 0,
      itemPrefix: callItemPrefix,
      // Whoever stops a turn does not want its tools; a shutdown leaves what waits for a person waiting.
      get canBeResumed() {
        return !wasStopped()
      },
      log: this.#journal.callLog(),
      takePlace: () => this.#takePlace(),
      tell: (event) => this.#journal.tell(event),
      spent: (usage) => {
        this.#spentBelow = addUsage(this.#spentBelow, usage)
      },
    }
  }

  async #lastWords(calls: ToolCalls): Promise<void> {
    if (!calls.hasOpenCall) return
    let callOff = () => {}
    const patience = new Promise<void>((resolve) => {
      callOff = this.#dependencies.timers.after(lastWordsMilliseconds, resolve)
    })
    await Promise.race([calls.settled(), patience])
    callOff()
  }

  #takePlace() {
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
    this.#journal.say(delta, (text) => this.#deltaEvent(text))
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

function unanswered(detail: string): Ended {
  return { state: 'failed', code: 'model_unavailable', failure: detail, text: '', usage: noUsage }
}
