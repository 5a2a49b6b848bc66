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
  /** Removes some rows of the first table that has any; null if none has. The organization's own row stays. */
  removeSome(organizationId: string): Promise<RemovedRows | null>
  removeOrganization(organizationId: string): Promise<void>
}
