import type { ConversationRetention } from '@parley/contract'

export interface Installation {
  /** A known text, sealed. It can be opened only with the secret that sealed the stored secrets. */
  readonly secretCheck: string
  readonly firstOrganizationId: string
  readonly createdAt: string
}

export interface OrganizationRecord {
  readonly id: string
  readonly name: string
  readonly createdAt: string
}

/** The settings that an organization can change. */
export type OrganizationSettings = Readonly<ConversationRetention>

/** The state of the installation as a whole. */
export interface InstallationStore {
  /** Returns the installation, or null if the first start has not finished. */
  find(): Promise<Installation | null>
  /** Serializes concurrent first starts until the transaction ends. */
  lock(): Promise<void>
  /** Records that the first start has finished. */
  insert(installation: Installation): Promise<void>
  /** Replaces the sealed text that verifies the secret. */
  replaceSecretCheck(secretCheck: string): Promise<void>
  insertOrganization(organization: OrganizationRecord): Promise<void>
  /** Returns every organization, oldest first. */
  listOrganizations(): Promise<readonly OrganizationRecord[]>
  /** Returns the organization, or null if it does not exist. */
  findOrganization(id: string): Promise<OrganizationRecord | null>
  readSettings(organizationId: string): Promise<OrganizationSettings>
  /** Like `readSettings`. Locks the organization until the transaction ends. */
  lockSettings(organizationId: string): Promise<OrganizationSettings>
  saveSettings(organizationId: string, settings: OrganizationSettings): Promise<void>
}

/** The number of running sessions of an instance. */
export interface InstanceLoad {
  readonly instanceId: string
  readonly sessions: number
}

/** The reads with which an instance decides whether sessions move to others. */
export interface SpreadStore {
  /** Returns the loads of all instances that have renewed their lease within `leaseSeconds` and accept sessions. */
  sessionLoads(leaseSeconds: number): Promise<readonly InstanceLoad[]>
  /** Returns those of the sessions whose conversation has a later session that can still be opened. */
  sessionsWithSuccessor(ids: readonly string[]): Promise<readonly string[]>
}

/**
 * The leases of live instances. If an instance does not renew its lease, other instances close its sessions.
 */
export interface InstanceLeaseStore extends SpreadStore {
  /**
   * Renews the lease of an instance. Returns whether its previous lease was at most `unbrokenSeconds` old.
   */
  renew(instanceId: string, unbrokenSeconds: number): Promise<boolean>
  /** Records that the instance accepts no more sessions. */
  markDraining(instanceId: string): Promise<void>
  /** Releases the lease. Must be called only when no work is running on the instance any more. */
  release(instanceId: string): Promise<void>
  /** Releases the leases of all other instances. Must be called only if no other instance can be running. */
  releaseOthers(instanceId: string): Promise<void>
  /**
   * Ends the sessions whose instance has not renewed its lease for `leaseSeconds`, and returns their number.
   * Marks running calls of such instances as failed with an unknown outcome, including calls of sessions
   * that had ended.
   */
  closeLost(leaseSeconds: number): Promise<number>
  /**
   * Ends sessions of this instance that started more than `seconds` ago and are not in `runningIds`, with
   * reason `internal`. Returns their number. The statement that started them succeeded, but its confirmation
   * was lost. Marks their running calls as failed.
   */
  closeOrphaned(instanceId: string, runningIds: readonly string[], seconds: number): Promise<number>
}

export interface IdempotencyClaim {
  readonly organizationId: string
  readonly key: string
  /** Distinguishes different requests with the same key. */
  readonly fingerprint: string
  readonly createdAt: string
}

export interface KeptRequest {
  readonly fingerprint: string
  /**
   * The stored response as JSON. Its format is known to the code that stored it. Null while the first request
   * is in progress.
   */
  readonly answer: unknown
}

/** The stored responses to requests with an Idempotency-Key. */
export interface IdempotencyStore {
  /**
   * Claims the key for this transaction. Returns false if the key is taken. Waits for a concurrent holder to
   * end.
   */
  claim(claim: IdempotencyClaim, expiredBefore: string): Promise<boolean>
  /** Stores the response, which may be any JSON value, and its main resource under the claimed key. */
  keep(organizationId: string, key: string, answer: unknown, subjectId: string | null): Promise<void>
  /** Returns the request that used the key, or null if the key is unused. */
  find(organizationId: string, key: string): Promise<KeptRequest | null>
  /** Releases the key because its request had no effect. */
  forget(organizationId: string, key: string): Promise<void>
}

/** One page of a table's rows. */
export interface ExportedPage {
  /** Each row by column name, without secrets and hashes of secrets. */
  readonly rows: readonly Readonly<Record<string, unknown>>[]
  /** The start of the next page, or null after the last page. */
  readonly after: readonly string[] | null
}

export interface RemovedRows {
  readonly table: string
  readonly count: number
}

/** All data of one organization, in all tables. */
export interface OrganizationDataStore {
  /** The tables that an export contains. */
  readonly exportedTables: readonly string[]
  /** Returns rows after `after`, in key order. */
  page(organizationId: string, table: string, after: readonly string[] | null): Promise<ExportedPage>
  /**
   * Removes the organization's keys, members, invitations and MCP grants, and the accounts of people who are
   * in no other organization. After that, no caller can start anything.
   */
  closeAccess(organizationId: string): Promise<void>
  /**
   * Requests sessions and turns to end, unschedules all tasks and disables webhooks. Returns the number of
   * sessions and turns that still run on live instances.
   */
  stopWork(organizationId: string): Promise<number>
  /**
   * Deletes a batch of rows of the first table that has rows. Returns null if all are empty. Keeps the row
   * of the organization.
   */
  removeSome(organizationId: string): Promise<RemovedRows | null>
  removeOrganization(organizationId: string): Promise<void>
}

/** The kinds of rows that accumulate unless retention removes them. */
export type OverdueKind =
  | 'expiredFiles'
  | 'unfinishedUploads'
  | 'turnEvents'
  | 'idempotencyAnswers'
  | 'webhookDeliveries'
  | 'surplusDeliveries'
  | 'unusedTickets'
  | 'endedSessions'
  | 'endedCalls'
  | 'endedTurns'
  | 'finishedApprovals'
  | 'deletedConversations'
  | 'deletedApiKeys'
  | 'endedPersonSessions'
  | 'closedInvitations'
  | 'usedOidcStates'
  | 'signInTries'
  | 'usageRecords'
  | 'usageCounters'
  | 'usageCounterParts'
  | 'sessionCounts'

/**
 * The kinds of rows that retention removes. `usageParts` are added to the totals of their days, and the removal of
 * `overdueConversations` is requested.
 */
export type RemovedKind = OverdueKind | 'auditRecords' | 'usageParts' | 'overdueConversations'

/** Removes expired rows. Rows that are locked by other transactions are left for a later run. */
export interface RetentionStore {
  /**
   * Tries to become the only transaction of all instances that removes rows. The lock is held until the
   * transaction ends.
   */
  tryLock(): Promise<boolean>
  /** Removes up to `limit` rows of this kind that expired before `moment`. Returns their number. */
  removeBefore(kind: OverdueKind, moment: string, limit: number): Promise<number>
}
