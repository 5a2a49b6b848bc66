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
