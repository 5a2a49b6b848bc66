import type { EndUser } from '@parley/contract'
import type { ResourceRecord, ResourceStore } from './resource-store.js'

export interface EndUserRecord extends Readonly<Omit<EndUser, 'erasure'>>, ResourceRecord {
  /** When the erasure was requested. Null if the end user is not being erased. */
  readonly erasureStartedAt: string | null
}

/** Keys of metadata and their wanted values as text. */
export type MetadataFilter = readonly (readonly [key: string, value: string])[]

export interface EndUserFilter {
  readonly externalId?: string | undefined
  readonly search?: string | undefined
  readonly metadata?: MetadataFilter | undefined
}

/** Selects conversations, or resources of conversations, by their end user and metadata. */
export interface ConversationContextFilter {
  readonly endUserId?: string | undefined
  readonly externalUserId?: string | undefined
  readonly metadata?: MetadataFilter | undefined
}

export interface EndUserStore extends ResourceStore<EndUserRecord, EndUserFilter> {
  /**
   * Records that a request named this end user, and creates the end user if necessary. Returns the stored end user,
   * whose row is locked until the transaction ends.
   */
  see(seen: SeenEndUser): Promise<EndUserRecord>
  /** Serializes transactions that count this end user or client against limits, until they end. */
  lockLimited(limitedId: string): Promise<void>
  /** Adds to the number of conversations of an end user. */
  addConversations(id: string, difference: 1 | -1): Promise<void>
  /** Returns whether the end user with this id is being erased. */
  isBeingErased(id: string): Promise<boolean>
  /**
   * Returns whether the end user with this external id is being erased. If not, no erasure begins before the
   * transaction ends.
   */
  isNameBeingErased(organizationId: string, externalId: string): Promise<boolean>
}

export interface SeenEndUser {
  readonly organizationId: string
  readonly externalId: string
  /** The id of the row if the end user is new. */
  readonly newId: string
  readonly at: string
}
