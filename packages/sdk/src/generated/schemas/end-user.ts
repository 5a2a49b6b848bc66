// Generated from the contract by `npm run generate`. Do not edit.

import type { Page } from '../../rest/page.js'

/** One page of a list of `EndUser` objects. */
export type EndUserPage = Page<EndUser>

/** A person who talks to your agents. */
export interface EndUser {
  /** The ID of the resource (UUID v7). */
  id: string
  /** When the resource was created (UTC). */
  createdAt: string
  /** When the resource was last updated (UTC). */
  updatedAt: string
  /** Your own ID of the end user. */
  externalId: string
  /** The name of the end user. `null` if it was not set. */
  name: string | null
  /** Your own data about the end user. */
  metadata: Record<string, string | number | boolean>
  /** When the end user was first named in a request (UTC). */
  firstSeenAt: string
  /** When the end user was last named in a request (UTC). */
  lastSeenAt: string
  /** The number of conversations of the end user. */
  conversationCount: number
  /** The progress of the erasure. `null` if the end user is not being erased. */
  erasure: EndUserErasure | null
}

/** A merge patch of an end user. */
export interface EndUserPatch {
  /** The name of the end user. */
  name?: string | null | undefined
  /** Your own data. It is merged with the stored data, and `null` removes a key. */
  metadata?: Record<string, string | number | boolean | null> | undefined
}

/** One page of a list of `EndUserFact` objects. */
export type EndUserFactPage = Page<EndUserFact>

/** A fact that an agent remembers about an end user. It is not verified. */
export interface EndUserFact {
  /** The ID of the resource (UUID v7). */
  id: string
  /** When the resource was created (UTC). */
  createdAt: string
  /** When the resource was last updated (UTC). */
  updatedAt: string
  /** The ID of the end user. */
  endUserId: string
  /** The ID of the agent that knows the fact. */
  agentId: string
  /** One fact about the end user. */
  text: string
  /** The ID of the conversation that the fact is from. `null` if a caller added it. */
  conversationId: string | null
}

/** The parameters for adding a fact about an end user. */
export interface EndUserFactInput {
  /** The ID of the agent that knows the fact. */
  agentId: string
  /** One fact about the end user. A text that looks like an instruction or contains a URL is rejected. */
  text: string
}

/** A merge patch of a fact. */
export interface EndUserFactPatch {
  /** One fact about the end user. A text that looks like an instruction or contains a URL is rejected. */
  text?: string | undefined
}

/** The progress of the erasure of an end user. */
export interface EndUserErasure {
  /** When the erasure was requested (UTC). */
  startedAt: string
  /** The number of conversations that are not removed yet. */
  remainingConversations: number
  /** The number of tasks that are not removed yet. */
  remainingTasks: number
}
