import type { AuditLogRecord, Scope } from '@parley/contract'

/** Who is calling, for which organization, and what they may do. */
export interface Caller {
  readonly organizationId: string
  readonly actor: AuditLogRecord['actor']
  readonly scopes: readonly Scope[]
  /** When what they call with stops working; null: never. */
  readonly expiresAt: string | null
  readonly ipAddress: string | null
  readonly requestId: string | null
}
