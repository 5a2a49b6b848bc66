/** What is stored for an organization until somebody removes it. */
export type StoredKind =
  | 'agents'
  | 'connections'
  | 'apiKeys'
  | 'members'
  | 'tasks'
  | 'conversations'
  | 'messages'
  | 'files'
  | 'fileBytes'
  | 'webhooks'

/** What an organization has at this moment: stored, under way on whichever instance, or open for a while. */
export type UsageKind = StoredKind | 'sessions' | 'queuedTurns' | 'invitations' | 'budgets'

/** How much of everything the organizations have. */
export interface OrganizationUsageStore {
  /** How much the organization has of each of these. What other transactions are about to add is not in it. */
  amounts(organizationId: string, kinds: readonly UsageKind[]): Promise<ReadonlyMap<UsageKind, number>>
}
