import type { Stores } from '../../ports/database.js'
import { DomainError } from '../domain-error.js'

export function erasureInProgress(): DomainError {
  return new DomainError(
    'ErasureInProgress',
    'The data of this end user is being erased. Try again after the erasure.',
  )
}

/** Throws if the end user with this external id is being erased. Null names no end user. */
export async function requireNoErasure(
  stores: Stores,
  organizationId: string,
  externalUserId: string | null,
): Promise<void> {
  if (externalUserId !== null && (await stores.endUsers.isNameBeingErased(organizationId, externalUserId)))
    throw erasureInProgress()
}
