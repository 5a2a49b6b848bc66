import type { McpAuthorization } from '@parley/contract'
import type { ResourceRecord, ResourceStore } from './resource-store.js'

export interface McpAuthorizationRecord
  extends Omit<Readonly<McpAuthorization>, 'hasClientSecret'>,
    ResourceRecord {
  readonly sealedClientSecret: string | null
  /** The consent that somebody is asked for: a hash of its state, who began it, until when, and what is needed to end it. */
  readonly stateHash: string | null
  readonly startedBy: string | null
  readonly startedUntil: string | null
  readonly sealedStart: string | null
  /** The tokens, and where they are renewed. */
  readonly sealedGrant: string | null
  /** Until when somebody is renewing them, and nobody else may. */
  readonly renewingUntil: string | null
}

export interface McpAuthorizationStore extends ResourceStore<McpAuthorizationRecord, Record<string, never>> {
  /** The newest authorization of a server that works, or else that did; null where nobody has consented to one. */
  findByServer(organizationId: string, serverUrl: string): Promise<McpAuthorizationRecord | null>
  /** Makes whoever calls the one who renews, until then; false where somebody else is already. */
  claimRenewal(id: string, now: string, until: string): Promise<boolean>
}
