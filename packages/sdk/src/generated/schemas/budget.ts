// Generated from the contract by `npm run generate`. What is changed here is lost.

import type { Page } from '../../rest/page.js'

/** One page of a list of Budget items. */
export type BudgetPage = Page<Budget>

/** How much an organization, an agent or a key may use. */
export interface Budget {
  /** The resource id (UUID v7). */
  id: string
  /** When it was created (UTC). */
  createdAt: string
  /** When it last changed (UTC). */
  updatedAt: string
  /** The name people see, and refusals tell. */
  name: string
  /** The agent it is for; sub-agents count for themselves. */
  agentId: string | null
  /** The key it is for; with agentId null as well it is for the organization. */
  apiKeyId: string | null
  /** A day or a calendar month, both in UTC. */
  period: 'day' | 'month'
  /** How much may be used in one period: an amount of money, or a number of tokens. */
  limit: {
    /** Money, in US dollars. */
    amount?: number | undefined
    /** Tokens of every kind. */
    tokens?: number | undefined
  }
  /** At how many percent of the limit a warning is recorded. */
  warnAtPercent: number
  /**
   * What happens when the limit is reached. Both refuse new sessions, questions and task runs, and a turn ends
   * after its step; sessions that run may finish (refuse), or are told and ended (end).
   */
  onExceeded: 'refuse' | 'end'
  /** Its id in another system, unique in the organization. */
  externalId: string | null
  /**
   * The set of files that it is kept in, as `parley apply` notes it; null: in none. What a set no longer names
   * is deleted by `parley apply --prune`, and nothing else is.
   */
  managedBy: string | null
  /** What was used in the period that runs. */
  spent: {
    /** Money, of what has a price. */
    amount: number
    /** The currency. */
    currency: 'USD'
    /** Tokens of every kind. */
    tokens: number
    /** Tokens that have no price, and are not in the amount. */
    unpricedTokens: number
    /** How much of the limit that is, in percent. */
    percent: number
  }
  /** Whether there is room, little of it, or none. */
  state: 'open' | 'warning' | 'exceeded'
  /** When the period that runs began (UTC). */
  periodStartsAt: string
  /** When the next one begins (UTC). */
  resetsAt: string
}

/** A budget as it is created or replaced. */
export interface BudgetInput {
  /** The name people see, and refusals tell. */
  name: string
  /** The agent it is for; sub-agents count for themselves. */
  agentId?: string | null | undefined
  /** The key it is for; with agentId null as well it is for the organization. */
  apiKeyId?: string | null | undefined
  /** A day or a calendar month, both in UTC. */
  period: 'day' | 'month'
  /** How much may be used in one period: an amount of money, or a number of tokens. */
  limit: {
    /** Money, in US dollars; what has no price does not count. */
    amount?: number | null | undefined
    /** Tokens of every kind; those from caches count like the others. */
    tokens?: number | null | undefined
  }
  /** At how many percent of the limit a warning is recorded. Default: `80`. */
  warnAtPercent?: number | undefined
  /**
   * What happens when the limit is reached. Both refuse new sessions, questions and task runs, and a turn ends
   * after its step; sessions that run may finish (refuse), or are told and ended (end). Default: `"refuse"`.
   */
  onExceeded?: 'refuse' | 'end' | undefined
  /** Its id in another system, unique in the organization. */
  externalId?: string | null | undefined
  /**
   * The set of files that it is kept in, as `parley apply` notes it; null: in none. What a set no longer names
   * is deleted by `parley apply --prune`, and nothing else is.
   */
  managedBy?: string | null | undefined
}

/** A merge patch of a budget. */
export interface BudgetPatch {
  /** The name people see, and refusals tell. */
  name?: string | undefined
  /** The agent it is for; sub-agents count for themselves. */
  agentId?: string | null | undefined
  /** The key it is for; with agentId null as well it is for the organization. */
  apiKeyId?: string | null | undefined
  /** A day or a calendar month, both in UTC. */
  period?: 'day' | 'month' | undefined
  /** How much may be used in one period: an amount of money, or a number of tokens. */
  limit?: {
    /** Money, in US dollars; what has no price does not count. */
    amount?: number | null | undefined
    /** Tokens of every kind; those from caches count like the others. */
    tokens?: number | null | undefined
  } | undefined
  /** At how many percent of the limit a warning is recorded. */
  warnAtPercent?: number | undefined
  /**
   * What happens when the limit is reached. Both refuse new sessions, questions and task runs, and a turn ends
   * after its step; sessions that run may finish (refuse), or are told and ended (end).
   */
  onExceeded?: 'refuse' | 'end' | undefined
  /** Its id in another system, unique in the organization. */
  externalId?: string | null | undefined
  /**
   * The set of files that it is kept in, as `parley apply` notes it; null: in none. What a set no longer names
   * is deleted by `parley apply --prune`, and nothing else is.
   */
  managedBy?: string | null | undefined
}

/** A budget as it is created or replaced under its external id, which stands in the path. */
export interface BudgetUpsert {
  /** The name people see, and refusals tell. */
  name: string
  /** The agent it is for; sub-agents count for themselves. */
  agentId?: string | null | undefined
  /** The key it is for; with agentId null as well it is for the organization. */
  apiKeyId?: string | null | undefined
  /** A day or a calendar month, both in UTC. */
  period: 'day' | 'month'
  /** How much may be used in one period: an amount of money, or a number of tokens. */
  limit: {
    /** Money, in US dollars; what has no price does not count. */
    amount?: number | null | undefined
    /** Tokens of every kind; those from caches count like the others. */
    tokens?: number | null | undefined
  }
  /** At how many percent of the limit a warning is recorded. Default: `80`. */
  warnAtPercent?: number | undefined
  /**
   * What happens when the limit is reached. Both refuse new sessions, questions and task runs, and a turn ends
   * after its step; sessions that run may finish (refuse), or are told and ended (end). Default: `"refuse"`.
   */
  onExceeded?: 'refuse' | 'end' | undefined
  /**
   * The set of files that it is kept in, as `parley apply` notes it; null: in none. What a set no longer names
   * is deleted by `parley apply --prune`, and nothing else is.
   */
  managedBy?: string | null | undefined
}
