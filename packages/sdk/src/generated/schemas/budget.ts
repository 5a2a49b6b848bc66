// Generated from the contract by `npm run generate`. Do not edit.

import type { Page } from '../../rest/page.js'

/** One page of a list of `Budget` objects. */
export type BudgetPage = Page<Budget>

/** A limit on the usage of an organization, an agent or an API key. */
export interface Budget {
  /** The ID of the resource (UUID v7). */
  id: string
  /** When the resource was created (UTC). */
  createdAt: string
  /** When the resource was last updated (UTC). */
  updatedAt: string
  /** The name of the budget, which appears in error messages. */
  name: string
  /**
   * The ID of the agent to which the budget applies. The usage of its sub-agents is not included. If `null`,
   * the budget is not limited to an agent.
   */
  agentId: string | null
  /**
   * The ID of the API key to which the budget applies. If `agentId` and `apiKeyId` are `null`, the budget
   * applies to the whole organization.
   */
  apiKeyId: string | null
  /** The period of the budget: a calendar day or a calendar month (UTC). */
  period: 'day' | 'month'
  /** The limit per period. Either `amount` or `tokens` is set. */
  limit: {
    /** The limit in US dollars. */
    amount?: number | undefined
    /** The limit in tokens of all kinds. */
    tokens?: number | undefined
  }
  /** The percentage of the limit at which a warning is triggered. */
  warnAtPercent: number
  /**
   * The action when the limit is exceeded. Both actions reject new realtime sessions, questions and task runs,
   * and stop turns after their current step. `refuse` lets active realtime sessions finish. `end` notifies
   * their clients and closes them.
   */
  onExceeded: 'refuse' | 'end'
  /**
   * The ID of the resource in an external system. It must be unique within the organization. `null` if there
   * is none.
   */
  externalId: string | null
  /**
   * The name of the file set that manages this resource, set by `parley apply`, or `null`. `parley apply
   * --prune` deletes the managed resources that are no longer in the files.
   */
  managedBy: string | null
  /** The usage in the current period. */
  spent: {
    /** The cost of the usage that has a price. */
    amount: number
    /** The currency. */
    currency: 'USD'
    /** The number of used tokens of all kinds. */
    tokens: number
    /** The number of tokens without a price. They are not included in `amount`. */
    unpricedTokens: number
    /** The used percentage of the limit. */
    percent: number
  }
  /**
   * The state of the budget. `open`: below the warning threshold. `warning`: the warning threshold is reached.
   * `exceeded`: the budget is used up.
   */
  state: 'open' | 'warning' | 'exceeded'
  /** When the current period started (UTC). */
  periodStartsAt: string
  /** When the next period starts (UTC). */
  resetsAt: string
}

/** The parameters for creating or replacing a budget. */
export interface BudgetInput {
  /** The name of the budget, which appears in error messages. */
  name: string
  /**
   * The ID of the agent to which the budget applies. The usage of its sub-agents is not included. If `null`,
   * the budget is not limited to an agent.
   */
  agentId?: string | null | undefined
  /**
   * The ID of the API key to which the budget applies. If `agentId` and `apiKeyId` are `null`, the budget
   * applies to the whole organization.
   */
  apiKeyId?: string | null | undefined
  /** The period of the budget: a calendar day or a calendar month (UTC). */
  period: 'day' | 'month'
  /** The limit per period. Either `amount` or `tokens` is set. */
  limit: {
    /** The limit in US dollars. Usage without a price is not counted. */
    amount?: number | null | undefined
    /** The limit in tokens. All kinds of tokens are counted, including cached tokens. */
    tokens?: number | null | undefined
  }
  /** The percentage of the limit at which a warning is triggered. Default: `80`. */
  warnAtPercent?: number | undefined
  /**
   * The action when the limit is exceeded. Both actions reject new realtime sessions, questions and task runs,
   * and stop turns after their current step. `refuse` lets active realtime sessions finish. `end` notifies
   * their clients and closes them. Default: `"refuse"`.
   */
  onExceeded?: 'refuse' | 'end' | undefined
  /**
   * The ID of the resource in an external system. It must be unique within the organization. `null` if there
   * is none.
   */
  externalId?: string | null | undefined
  /**
   * The name of the file set that manages this resource, set by `parley apply`, or `null`. `parley apply
   * --prune` deletes the managed resources that are no longer in the files.
   */
  managedBy?: string | null | undefined
}

/** A merge patch for a budget. */
export interface BudgetPatch {
  /** The name of the budget, which appears in error messages. */
  name?: string | undefined
  /**
   * The ID of the agent to which the budget applies. The usage of its sub-agents is not included. If `null`,
   * the budget is not limited to an agent.
   */
  agentId?: string | null | undefined
  /**
   * The ID of the API key to which the budget applies. If `agentId` and `apiKeyId` are `null`, the budget
   * applies to the whole organization.
   */
  apiKeyId?: string | null | undefined
  /** The period of the budget: a calendar day or a calendar month (UTC). */
  period?: 'day' | 'month' | undefined
  /** The limit per period. Either `amount` or `tokens` is set. */
  limit?: {
    /** The limit in US dollars. Usage without a price is not counted. */
    amount?: number | null | undefined
    /** The limit in tokens. All kinds of tokens are counted, including cached tokens. */
    tokens?: number | null | undefined
  } | undefined
  /** The percentage of the limit at which a warning is triggered. */
  warnAtPercent?: number | undefined
  /**
   * The action when the limit is exceeded. Both actions reject new realtime sessions, questions and task runs,
   * and stop turns after their current step. `refuse` lets active realtime sessions finish. `end` notifies
   * their clients and closes them.
   */
  onExceeded?: 'refuse' | 'end' | undefined
  /**
   * The ID of the resource in an external system. It must be unique within the organization. `null` if there
   * is none.
   */
  externalId?: string | null | undefined
  /**
   * The name of the file set that manages this resource, set by `parley apply`, or `null`. `parley apply
   * --prune` deletes the managed resources that are no longer in the files.
   */
  managedBy?: string | null | undefined
}

/** The parameters for creating or replacing a budget by its external ID, which is part of the path. */
export interface BudgetUpsert {
  /** The name of the budget, which appears in error messages. */
  name: string
  /**
   * The ID of the agent to which the budget applies. The usage of its sub-agents is not included. If `null`,
   * the budget is not limited to an agent.
   */
  agentId?: string | null | undefined
  /**
   * The ID of the API key to which the budget applies. If `agentId` and `apiKeyId` are `null`, the budget
   * applies to the whole organization.
   */
  apiKeyId?: string | null | undefined
  /** The period of the budget: a calendar day or a calendar month (UTC). */
  period: 'day' | 'month'
  /** The limit per period. Either `amount` or `tokens` is set. */
  limit: {
    /** The limit in US dollars. Usage without a price is not counted. */
    amount?: number | null | undefined
    /** The limit in tokens. All kinds of tokens are counted, including cached tokens. */
    tokens?: number | null | undefined
  }
  /** The percentage of the limit at which a warning is triggered. Default: `80`. */
  warnAtPercent?: number | undefined
  /**
   * The action when the limit is exceeded. Both actions reject new realtime sessions, questions and task runs,
   * and stop turns after their current step. `refuse` lets active realtime sessions finish. `end` notifies
   * their clients and closes them. Default: `"refuse"`.
   */
  onExceeded?: 'refuse' | 'end' | undefined
  /**
   * The name of the file set that manages this resource, set by `parley apply`, or `null`. `parley apply
   * --prune` deletes the managed resources that are no longer in the files.
   */
  managedBy?: string | null | undefined
}
