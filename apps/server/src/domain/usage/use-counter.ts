import { v7 as uuid } from 'uuid'
import type { ChatStep, ChatTarget } from '../../ports/chat-model.js'
import type { OwnedDatabase } from '../../ports/database.js'
import type { Clock, Timers } from '../../ports/time.js'
import type { BudgetStanding } from './budgets/budget-standing.js'
import { refusalText, reserveBudget, usedUpText } from './budgets/reserve-budget.js'
import { chatAmount, chatModelOf, type ModelUse, type UsageAccount } from './model-use.js'

/** Stores the usage. The returned promise settles when it is stored, with the budgets that are used up. */
export interface UseLog {
  countUse(use: ModelUse): Promise<readonly BudgetStanding[]>
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
  /** The used-up budgets by id, each with the agent that it blocks (null for all agents) and the reason. */
  readonly #spent = new Map<string, { readonly agentId: string | null; readonly problem: string }>()

  constructor(dependencies: UseCounterDependencies, log: UseLog, account: UsageAccount) {
    this.#dependencies = dependencies
    this.#log = log
    this.account = account
  }

  async count(use: Omit<ModelUse, 'account' | 'at'>): Promise<void> {
    const at = this.#dependencies.clock.now().toISOString()
    const usedUp = await this.#log.countUse({ ...use, account: this.account, at })
    for (const standing of usedUp) {
      const { id, agentId } = standing.budget
      this.#spent.set(id, { agentId, problem: usedUpText(standing) })
    }
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
