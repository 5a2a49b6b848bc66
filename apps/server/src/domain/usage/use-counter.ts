import { v7 as uuid } from 'uuid'
import type { ChatStep, ChatTarget } from '../../ports/chat-model.js'
import type { OwnedDatabase } from '../../ports/database.js'
import type { Clock, Timers } from '../../ports/time.js'
import { refusalText, reserveBudget } from './budgets/reserve-budget.js'
import { type DayLimit, findUsedUpDay, usedUpDayText } from './day-limit.js'
import { chatAmount, chatModelOf, type ModelUse, type UsageAccount } from './model-use.js'

/** A budget or a daily limit that is used up. */
export interface UsedUp {
  readonly id: string
  /** The agent that it blocks, or null for all agents. */
  readonly agentId: string | null
  /** Whether it also ends a running session. */
  readonly endsSession: boolean
  /** The reason, for callers. */
  readonly problem: string
}

/** Stores the usage. The returned promise settles when it is stored, with everything that is used up. */
export interface UseLog {
  countUse(use: ModelUse): Promise<readonly UsedUp[]>
}

export interface UseCounterDependencies {
  readonly clock: Clock
  readonly timers: Timers
}

const stepPrefix = 'step:'

/** Returns whether the usage is a step of a chat model and not of a realtime model. */
export const isStep = ({ item }: ModelUse): boolean => item.startsWith(stepPrefix)

export type StepVerdict = { readonly ok: true } | { readonly ok: false; readonly problem: string }

export interface StepCounter {
  /**
   * Must be called when a step begins. The returned function must be called when it ends, and settles when
   * the step is counted.
   */
  begin(): (step: ChatStep | null) => Promise<void>
  /** Returns whether another step is allowed. */
  verdict(): StepVerdict
}

export interface CountedModel {
  readonly agentId: string
  readonly target: ChatTarget
  /** Whether the first of these steps begins the turn. */
  readonly startsTurn?: boolean
}

/**
 * Counts the usage of a session or turn, including its sub-agents, and tracks the budgets that are used up.
 */
export class UseCounter {
  readonly account: UsageAccount
  readonly #dependencies: UseCounterDependencies
  readonly #log: UseLog
  /** The used-up budgets and limits by id. */
  readonly #spent = new Map<string, Pick<UsedUp, 'agentId' | 'problem'>>()
  #dayLimit: DayLimit | null = null

  constructor(dependencies: UseCounterDependencies, log: UseLog, account: UsageAccount) {
    this.#dependencies = dependencies
    this.#log = log
    this.account = account
  }

  async count(use: Omit<ModelUse, 'account' | 'at' | 'dayLimit'>): Promise<void> {
    const at = this.#dependencies.clock.now().toISOString()
    const { account } = this
    for (const used of await this.#log.countUse({ ...use, account, at, dayLimit: this.#dayLimit }))
      this.#spent.set(used.id, used)
  }

  /** Counts all further usage, also that of sub-agents, against the daily limit of the end user. */
  limitBy(dayLimit: DayLimit | null): void {
    this.#dayLimit = dayLimit
  }

  /** Checks whether the daily limit of the end user is used up. */
  async checkDay({ stores }: OwnedDatabase): Promise<void> {
    if (this.#dayLimit === null) return
    const now = this.#dependencies.clock.now()
    const usedUp = await findUsedUpDay(stores, this.account.organizationId, this.#dayLimit, now)
    if (usedUp !== null)
      this.#spent.set(this.#dayLimit.limitedId, { agentId: null, problem: usedUpDayText(usedUp) })
  }

  /**
   * Reserves the estimate for a response of this agent, unless the turn or session has already done so, and
   * checks whether a budget is used up.
   */
  async reserve(database: OwnedDatabase, agentId: string): Promise<void> {
    const { organizationId, apiKeyId, sourceId } = this.account
    const work = { organizationId, agentId, apiKeyId, sourceId }
    // Most organizations have no budgets, so that no transaction is needed.
    if ((await database.stores.budgets.limiting(organizationId, work)).length === 0) return
    const refusal = await database.transaction((stores) =>
      reserveBudget(this.#dependencies, stores, work, 'running'),
    )
    if (refusal !== null)
      this.#spent.set(refusal.standing.budget.id, { agentId, problem: refusalText(refusal) })
  }

  /** Returns why this agent may no longer use models, or undefined if it may. */
  #problemFor(agentId: string): string | undefined {
    return [...this.#spent.values()].find((spent) => spent.agentId === null || spent.agentId === agentId)
      ?.problem
  }

  stepsOf({ agentId, target, startsTurn = false }: CountedModel): StepCounter {
    const { timers } = this.#dependencies
    let isTurnStart = startsTurn
    return {
      begin: () => {
        const startedAt = timers.monotonic()
        return async (step) => {
          // A rejected step has used nothing.
          if (step?.ok === false && step.usage?.inputTokens === 0 && step.usage.outputTokens === 0) return
          const use = {
            agentId,
            used: chatModelOf(target),
            item: `${stepPrefix}${uuid()}`,
            amount: chatAmount(step === null ? null : step.usage),
            milliseconds: timers.monotonic() - startedAt,
            toolCalls: step?.ok === true ? step.calls.length : 0,
            isTurnStart,
          }
          isTurnStart = false
          await this.count(use)
        }
      },
      verdict: () => {
        const problem = this.#problemFor(agentId)
        return problem === undefined ? { ok: true } : { ok: false, problem }
      },
    }
  }
}
