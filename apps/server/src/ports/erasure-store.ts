import type { ConversationRetentionPreview } from '@parley/contract'
import type { ExportedPage } from './installation-stores.js'
import type { DueTask } from './task-stores.js'

/** An end user that is being erased. */
export interface ErasedEndUser {
  readonly id: string
  readonly organizationId: string
}

/** What an erasure has not removed yet. */
export interface RemainingData {
  readonly remainingConversations: number
  readonly remainingTasks: number
}

/** The conversations of one organization whose removal was requested. */
export interface RequestedRemovals {
  readonly organizationId: string
  readonly count: number
}

/** The result of removing one batch. */
export type RemovedBatch =
  /** Rows were removed. */
  | 'removed'
  /** The remaining conversations still have running sessions or turns, or tasks of an end user being erased. */
  | 'waiting'
  /** No conversation is left. */
  | 'done'

/** The maximum numbers of one batch. */
export interface BatchLimits {
  readonly conversations: number
  readonly rows: number
}

/** How long conversations are kept, if not by the stored settings. */
export interface TriedRetention {
  readonly organizationId: string
  readonly agentId: string | null
  /** Null if the stored settings apply. */
  readonly days: number | null
}

/**
 * Removes end users and conversations with everything that belongs to them. Each method does one batch, so that
 * transactions stay short.
 */
export interface ErasureStore {
  /**
   * Tries to become the only transaction of all instances that erases. The lock is held until the transaction
   * ends.
   */
  tryLock(): Promise<boolean>
  /** Returns whether an end user or a conversation is to be removed. */
  isAny(): Promise<boolean>
  /** Returns end users that are being erased, in the order of their ids. */
  endUsers(after: string | null, limit: number): Promise<readonly ErasedEndUser[]>
  remaining(endUserId: string): Promise<RemainingData>
  /**
   * Returns tasks of the end user: those that name the end user, and those that were created or that ran in a
   * conversation of the end user.
   */
  tasksOf(endUserId: string, limit: number): Promise<readonly DueTask[]>
  /** Removes up to `limit` webhook events, deliveries and stored responses of a task. Returns their number. */
  removeTracesOf(taskId: string, limit: number): Promise<number>
  /**
   * Hides conversations of the end user, requests their sessions and turns to end, and requests their removal.
   * Returns the number of conversations.
   */
  requestRemovals(endUserId: string, at: string, limit: number): Promise<number>
  /**
   * Like `requestRemovals`, for conversations whose last activity is older than the retention of their agent or
   * organization. Skips conversations with running work. Returns the numbers by organization.
   */
  requestOverdueRemovals(at: string, limit: number): Promise<readonly RequestedRemovals[]>
  /** Counts the conversations that `requestOverdueRemovals` would find. */
  previewRetention(tried: TriedRetention, at: string): Promise<ConversationRetentionPreview>
  /** Removes rows of conversations whose removal was requested and whose sessions and turns have ended. */
  removeSome(limits: BatchLimits): Promise<RemovedBatch>
  /**
   * Removes up to `limit` links from usage records to the end user, and up to `limit` webhook deliveries. The usage
   * records stay for billing. Returns the number of links and deliveries.
   */
  removeTracesOfEndUser(endUserId: string, limit: number): Promise<number>
  /** Removes an end user. Returns false if conversations, tasks or deliveries were left. */
  removeEndUser(endUser: ErasedEndUser): Promise<boolean>
}

/** Rows of one table, by column name. */
export interface EndUserDataPage {
  readonly table: string
  readonly rows: ExportedPage['rows']
}

/** Everything that is stored about an end user, in all tables. */
export interface EndUserDataStore {
  readonly tables: readonly string[]
  /** Returns rows after `after`, in key order. */
  page(endUserId: string, table: string, after: readonly string[] | null): Promise<ExportedPage>
}
