import { v7 as uuid } from 'uuid'
import type { RealtimeSessionRecord } from '../../../ports/realtime-stores.js'
import type { DayLimit } from '../../usage/day-limit.js'
import { type ModelUse, noTokens, type UsedModel } from '../../usage/model-use.js'
import {
  isStep,
  UseCounter,
  type UseCounterDependencies,
  type UsedUp,
  type UseLog,
} from '../../usage/use-counter.js'
import type { SessionModels } from '../opening/accept-session.js'
import type { ProviderEvent, ResponseDoneEvent, UserDoneEvent } from '../protocol/provider-event.js'
import type { SessionListener } from '../session-listener.js'
import { responseAmount, transcriptionAmount, UsageTotal } from '../usage.js'
import type { SessionLog } from './session-log.js'

/**
 * The maximum number of open responses that are measured. If a provider leaves more responses open, they are
 * not measured.
 */
const maxOpenResponses = 100

/** The duration of a session is counted in steps of this many seconds. */
const countedSeconds = 30

export interface SessionUsesOptions {
  readonly session: RealtimeSessionRecord
  readonly models: SessionModels
  readonly dayLimit: DayLimit | null
  readonly log: SessionLog
  readonly listener: Pick<SessionListener, 'end'>
}

/** Counts the usage of a session: responses, transcriptions and sub-agents. */
export class SessionUses implements UseLog {
  readonly counter: UseCounter
  readonly #dependencies: UseCounterDependencies
  readonly #options: SessionUsesOptions
  readonly #total = new UsageTotal()
  #models: SessionModels
  /** Distinguishes the ids of several providers. */
  #providerSuffix = ''
  #moves = 0
  /** The seconds that the provider charges, if it does: reported and counted ones. */
  #seconds: { readonly reported: number; readonly at: number; readonly counted: number } | null = null
  /** The start times of open responses. */
  readonly #open = new Map<string, number>()

  constructor(dependencies: UseCounterDependencies, options: SessionUsesOptions) {
    const { organizationId, id, apiKeyId, rehearsal, endUserId } = options.session
    this.#dependencies = dependencies
    this.#options = options
    this.#models = options.models
    const source = { organizationId, sourceId: id, apiKeyId }
    const account = { ...source, channel: 'realtime', rehearsal, endUserId } as const
    this.counter = new UseCounter(dependencies, this, account)
    this.counter.limitBy(options.dayLimit)
  }

  /** Counts the session. All further usage belongs to these models. */
  start(models: SessionModels): void {
    this.#models = models
    const { session, log } = this.#options
    const at = this.#dependencies.clock.now().toISOString()
    const { account } = this.counter
    log.countSession({ account, agentId: session.agentId, used: models.response, at })
  }

  /** Called when another provider has joined. All further usage belongs to its models. */
  join(models: SessionModels): void {
    this.#models = models
    this.#moves += 1
    this.#providerSuffix = `@${this.#moves}`
  }

  /**
   * Stores the usage of the session or of a sub-agent. Ends the session if a used-up budget or limit requires it.
   */
  async countUse(use: ModelUse): Promise<readonly UsedUp[]> {
    const { log, session, listener } = this.#options
    if (isStep(use)) this.#total.addChat(use.amount)
    const usedUp = await log.countUse(use, this.#total.value)
    const ending = usedUp.find(
      ({ endsSession, agentId }) => endsSession && (agentId === null || agentId === session.agentId),
    )
    if (ending !== undefined) listener.end('budget_exceeded', ending.problem)
    return usedUp
  }

  observe(event: ProviderEvent): void {
    if (event.type === 'session.usage' && event.seconds !== null) this.#noteSeconds(event.seconds)
    if (event.type === 'response.created') this.#noteCreated(event.responseId)
    else if (event.type === 'response.done') this.#countResponse(event)
    else if (event.type === 'user.done') this.#countTranscription(event)
  }

  /** Counts the open responses without amounts, because the provider is gone and will not report any. */
  end(): void {
    for (const [responseId, startedAt] of this.#open)
      this.#count({ item: this.#responseItem(responseId), amount: null, startedAt, toolCalls: 0 })
    this.#open.clear()
    this.#countRestOfSeconds()
  }

  /** Counts the duration in steps, so that budgets apply during the session. */
  #noteSeconds(seconds: number): void {
    const counted = this.#seconds?.counted ?? 0
    this.#seconds = { reported: seconds, at: this.#dependencies.timers.monotonic(), counted }
    if (seconds - counted >= countedSeconds) this.#countSeconds(seconds)
  }

  /** The last report is older than the end. */
  #countRestOfSeconds(): void {
    if (this.#seconds === null) return
    const { reported, at, counted } = this.#seconds
    const total = reported + (this.#dependencies.timers.monotonic() - at) / 1000
    if (total > counted) this.#countSeconds(total)
    this.#seconds = null
  }

  #countSeconds(seconds: number): void {
    if (this.#seconds === null) return
    const { counted } = this.#seconds
    this.#seconds = { ...this.#seconds, counted: seconds }
    const audioMilliseconds = Math.round((seconds - counted) * 1000)
    const amount = { tokens: noTokens, audioMilliseconds }
    this.#count({ item: `seconds:${seconds}${this.#providerSuffix}`, amount, toolCalls: 0 })
  }

  #noteCreated(responseId: string | null): void {
    if (responseId === null || this.#open.size >= maxOpenResponses) return
    this.#open.set(responseId, this.#dependencies.timers.monotonic())
  }

  #countResponse({ responseId, status, usage, output }: ResponseDoneEvent): void {
    this.#total.addResponse(usage)
    const id = responseId ?? uuid()
    const startedAt = this.#open.get(id)
    this.#open.delete(id)
    // A failed response counts no usage unless the provider reports some.
    const isRefused = status === 'failed' && usage === null
    this.#count({
      item: this.#responseItem(id),
      amount: isRefused ? { tokens: noTokens, audioMilliseconds: 0 } : responseAmount(usage),
      startedAt,
      toolCalls: output.filter(({ kind }) => kind === 'call').length,
      used: this.#models.backend ?? this.#models.response,
    })
  }

  #countTranscription({ itemId, contentIndex, usage, wireName }: UserDoneEvent): void {
    // Providers that send this event do not report usage.
    if (usage === null && wireName === 'input_audio.transcript.done') return
    const item = `transcription:${itemId ?? uuid()}:${contentIndex}${this.#providerSuffix}`
    const { transcription } = this.#models
    this.#count({ item, amount: transcriptionAmount(usage), toolCalls: 0, used: transcription })
  }

  #responseItem(responseId: string): string {
    return `response:${responseId}${this.#providerSuffix}`
  }

  #count({
    startedAt,
    used = this.#models.response,
    ...use
  }: Pick<ModelUse, 'item' | 'amount' | 'toolCalls'> & {
    readonly startedAt?: number | undefined
    readonly used?: UsedModel
  }): void {
    const { timers } = this.#dependencies
    const milliseconds = startedAt === undefined ? 0 : timers.monotonic() - startedAt
    void this.counter.count({ ...use, used, milliseconds, agentId: this.#options.session.agentId })
  }
}
