// Generated from the contract by `npm run generate`. What is changed here is lost.

import type { Page } from '../../rest/page.js'

/** One page of a list of Budget items. */
export type BudgetPage = Page<Budget>

/** A limit on the usage of an organization, an agent or a key. */
export interface Budget {
  /** The resource id (UUID v7). */
  id: string
  /** When it was created (UTC). */
  createdAt: string
  /** When it last changed (UTC). */
  updatedAt: string
  /** The name of the budget. Error messages contain it. */
  name: string
  /** The agent that the budget limits. Sub-agents count separately. */
  agentId: string | null
  /** The key that the budget limits. If agentId and keyId are null, the budget limits the organization. */
  apiKeyId: string | null
  /** A day or a calendar month, in UTC. */
  period: 'day' | 'month'
  /** The limit of one period: an amount of money or a number of tokens. */
  limit: {
    /** Money, in US dollars. */
    amount?: number | undefined
    /** Tokens of every kind. */
    tokens?: number | undefined
  }
  /** The percentage of the limit at which a warning is recorded. */
  warnAtPercent: number
  /**
   * The action at the limit. Both reject new sessions, questions and task runs, and stop a turn after its
   * current step. `refuse` lets running sessions finish, `end` notifies and closes them.
   */
  onExceeded: 'refuse' | 'end'
  /** The id in another system, unique in the organization. */
  externalId: string | null
  /**
   * The set of files that manages this resource, recorded by `parley apply`. Null: none. `parley apply
   * --prune` deletes only resources that their set no longer contains.
   */
  managedBy: string | null
  /** The usage of the current period. */
  spent: {
    /** Money, for usage that has a price. */
    amount: number
    /** The currency. */
    currency: 'USD'
    /** Tokens of every kind. */
    tokens: number
    /** Tokens without a price. The amount does not include them. */
    unpricedTokens: number
    /** The percentage of the limit that is used. */
    percent: number
  }
  /** Whether the budget has room, is nearly used up, or is used up. */
  state: 'open' | 'warning' | 'exceeded'
  /** When the current period began (UTC). */
  periodStartsAt: string
  /** When the next period begins (UTC). */
  resetsAt: string
}

/** The body that creates or replaces a budget. */
export interface BudgetInput {
  /** The name of the budget. Error messages contain it. */
  name: string
  /** The agent that the budget limits. Sub-agents count separately. */
  agentId?: string | null | undefined
  /** The key that the budget limits. If agentId and keyId are null, the budget limits the organization. */
  apiKeyId?: string | null | undefined
  /** A day or a calendar month, in UTC. */
  period: 'day' | 'month'
  /** The limit of one period: an amount of money or a number of tokens. */
  limit: {
    /** Money, in US dollars. Usage without a price does not count. */
    amount?: number | null | undefined
    /** Tokens of every kind, including cached ones. */
    tokens?: number | null | undefined
  }
  /** The percentage of the limit at which a warning is recorded. Default: `80`. */
  warnAtPercent?: number | undefined
  /**
   * The action at the limit. Both reject new sessions, questions and task runs, and stop a turn after its
   * current step. `refuse` lets running sessions finish, `end` notifies and closes them. Default: `"refuse"`.
   */
  onExceeded?: 'refuse' | 'end' | undefined
  /** The id in another system, unique in the organization. */
  externalId?: string | null | undefined
  /**
   * The set of files that manages this resource, recorded by `parley apply`. Null: none. `parley apply
   * --prune` deletes only resources that their set no longer contains.
   */
  managedBy?: string | null | undefined
}

/** A merge patch of a budget. */
export interface BudgetPatch {
  /** The name of the budget. Error messages contain it. */
  name?: string | undefined
  /** The agent that the budget limits. Sub-agents count separately. */
  agentId?: string | null | undefined
  /** The key that the budget limits. If agentId and keyId are null, the budget limits the organization. */
  apiKeyId?: string | null | undefined
  /** A day or a calendar month, in UTC. */
  period?: 'day' | 'month' | undefined
  /** The limit of one period: an amount of money or a number of tokens. */
  limit?: {
    /** Money, in US dollars. Usage without a price does not count. */
    amount?: number | null | undefined
    /** Tokens of every kind, including cached ones. */
    tokens?: number | null | undefined
  } | undefined
  /** The percentage of the limit at which a warning is recorded. */
  warnAtPercent?: number | undefined
  /**
   * The action at the limit. Both reject new sessions, questions and task runs, and stop a turn after its
   * current step. `refuse` lets running sessions finish, `end` notifies and closes them.
   */
  onExceeded?: 'refuse' | 'end' | undefined
  /** The id in another system, unique in the organization. */
  externalId?: string | null | undefined
  /**
   * The set of files that manages this resource, recorded by `parley apply`. Null: none. `parley apply
   * --prune` deletes only resources that their set no longer contains.
   */
  managedBy?: string | null | undefined
}

/** The body that creates or replaces a budget by its external id. The id is in the path. */
export interface BudgetUpsert {
  /** The name of the budget. Error messages contain it. */
  name: string
  /** The agent that the budget limits. Sub-agents count separately. */
  agentId?: string | null | undefined
  /** The key that the budget limits. If agentId and keyId are null, the budget limits the organization. */
  apiKeyId?: string | null | undefined
  /** A day or a calendar month, in UTC. */
  period: 'day' | 'month'
  /** The limit of one period: an amount of money or a number of tokens. */
  limit: {
    /** Money, in US dollars. Usage without a price does not count. */
    amount?: number | null | undefined
    /** Tokens of every kind, including cached ones. */
    tokens?: number | null | undefined
  }
  /** The percentage of the limit at which a warning is recorded. Default: `80`. */
  warnAtPercent?: number | undefined
  /**
   * The action at the limit. Both reject new sessions, questions and task runs, and stop a turn after its
   * current step. `refuse` lets running sessions finish, `end` notifies and closes them. Default: `"refuse"`.
   */
  onExceeded?: 'refuse' | 'end' | undefined
  /**
   * The set of files that manages this resource, recorded by `parley apply`. Null: none. `parley apply
   * --prune` deletes only resources that their set no longer contains.
   */
  managedBy?: string | null | undefined
}
