import type { Connection } from '@parley/contract'
import type { ResourceRecord, ResourceStore } from './resource-store.js'

export interface ConnectionRecord extends Readonly<Omit<Connection, 'hasApiKey'>>, ResourceRecord {
  readonly sealedApiKey: string | null
  /** Whether the operator's environment made it, and keeps its key and address up to date. */
  readonly isFromEnvironment: boolean
}

export interface ConnectionFilter {
  readonly search?: string | undefined
}

export interface ConnectionStore extends ResourceStore<ConnectionRecord, ConnectionFilter> {
  /** Whether the connection exists; it cannot be deleted until the transaction ends. */
  holdExisting(organizationId: string, id: string): Promise<boolean>
  /** Takes the default mark from every connection but this one; other callers of this wait for their turn. */
  clearDefaultExcept(organizationId: string, id: string): Promise<void>
  /** The connection that the environment made, if there is one. */
  findFromEnvironment(organizationId: string): Promise<ConnectionRecord | null>
}
