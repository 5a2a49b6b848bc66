export interface Installation {
  /** A known text, sealed: it opens only under the secret that the stored secrets were sealed with. */
  readonly secretCheck: string
  readonly firstOrganizationId: string
  readonly createdAt: string
}

export interface OrganizationRecord {
  readonly id: string
  readonly name: string
  readonly createdAt: string
}

/** Facts about the installation as a whole. */
export interface InstallationStore {
  /** The installation, or null before the first start has finished. */
  find(): Promise<Installation | null>
  /** Makes concurrent first starts take turns, until the transaction ends. */
  lock(): Promise<void>
  /** Records that the first start has finished. */
  insert(installation: Installation): Promise<void>
  /** Replaces the text that tells the right secret from others. */
  replaceSecretCheck(secretCheck: string): Promise<void>
  /** Adds an organization. */
  insertOrganization(organization: OrganizationRecord): Promise<void>
  /** Every organization, the oldest first. */
  listOrganizations(): Promise<readonly OrganizationRecord[]>
  /** The organization, or null where there is none of this id. */
  findOrganization(id: string): Promise<OrganizationRecord | null>
}

/** Which instances live. The sessions of one that does not renew its lease are closed by the others. */
export interface InstanceLeaseStore {
  /** Renews the lease of an instance; returns whether it had one that was not older than that. */
  renew(instanceId: string, unbrokenSeconds: number): Promise<boolean>
  /** Releases the lease: this instance runs nothing any more. */
  release(instanceId: string): Promise<void>
  /** Releases the leases of all others, where there can be no others any more. */
  releaseOthers(instanceId: string): Promise<void>
  /**
   * Ends the sessions whose instance has not renewed its lease for that long; returns how many. Calls that
   * such an instance ran, also for sessions that were over, have failed from now on: nobody knows what came of them.
   */
  closeLost(leaseSeconds: number): Promise<number>
  /**
   * Ends the sessions of this instance that began longer ago than that and are none of those it runs, as internal;
   * returns how many. They began by a statement whose confirmation was lost. Calls that still seem to run for one that it
   * runs no more have failed.
   */
  closeForgotten(instanceId: string, runningIds: readonly string[], seconds: number): Promise<number>
}

export interface IdempotencyClaim {
  readonly organizationId: string
  readonly key: string
  /** Tells one request from another that came under the same key. */
  readonly fingerprint: string
  readonly createdAt: string
}

export interface KeptRequest {
  readonly fingerprint: string
  /** What was kept, as JSON: whoever kept it knows its shape. Null while the first request is not finished. */
  readonly answer: unknown
}

/** First answers to requests that carried an Idempotency-Key. */
export interface IdempotencyStore {
  /** Takes the key for this transaction; false where it is taken. Waits for a concurrent holder to end. */
  claim(claim: IdempotencyClaim, expiredBefore: string): Promise<boolean>
  /** Keeps the answer, whatever JSON it is, under the claimed key. */
  keep(organizationId: string, key: string, answer: unknown): Promise<void>
  /** What was kept under the key. */
  find(organizationId: string, key: string): Promise<KeptRequest | null>
  /** The key may be used again: what it was used for came to nothing. */
  forget(organizationId: string, key: string): Promise<void>
}

/** One page of the rows of a table. */
export interface ExportedPage {
  /** Each row under the names of its columns, without secrets and hashes of secrets. */
  readonly rows: readonly Readonly<Record<string, unknown>>[]
  /** Where the next page begins; null after the last one. */
  readonly after: readonly string[] | null
}

export interface RemovedRows {
  readonly table: string
  readonly count: number
}

/** Everything of one organization, in whichever table it is. */
export interface OrganizationDataStore {
  /** The tables that an export has. */
  readonly exportedTables: readonly string[]
  /** Reads rows in the order of their keys, behind `after`. */
  page(organizationId: string, table: string, after: readonly string[] | null): Promise<ExportedPage>
  /**
   * Takes every right from keys, members, invitations and MCP clients, and removes the accounts of people who belong to no
   * other organization. Nobody can begin anything from then on.
   */
  closeAccess(organizationId: string): Promise<void>
  /**
   * Asks sessions and turns to end, and plans no task and no delivery any more. Returns how many still run on instances
   * that live.
   */
  stopWork(organizationId: string): Promise<number>
  /** Deletes a batch of rows of the first table with rows. Returns null if all are empty. The organization's own row stays. */
  removeSome(organizationId: string): Promise<RemovedRows | null>
  removeOrganization(organizationId: string): Promise<void>
}

/** What piles up if nobody removes it. */
export type OverdueKind =
  | 'expiredFiles'
  | 'unfinishedUploads'
  | 'turnEvents'
  | 'idempotencyAnswers'
  | 'webhookDeliveries'
  | 'surplusDeliveries'
  | 'unusedTickets'
  | 'endedSessions'
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

/** The kinds of rows that retention removes; `usageParts` are added to the sums of their days. */
export type RemovedKind = OverdueKind | 'auditRecords' | 'usageParts'

/** Removes what is over. Everything that others hold at the moment is left for another time. */
export interface RetentionStore {
  /** Whether this transaction is the only one of all instances that removes anything now; it stays so until its end. */
  tryLock(): Promise<boolean>
  /** Removes at most that many of what was over before the moment, what is named first before the rest; returns how many. */
  removeBefore(kind: OverdueKind, moment: string, limit: number): Promise<number>
}
