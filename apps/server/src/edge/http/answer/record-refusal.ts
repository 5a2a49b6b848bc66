import type { Operation } from '@parley/contract'
import { recordChange } from '../../../domain/audit/record-change.js'
import type { Caller } from '../../../domain/caller-scope.js'
import type { Services } from '../services.js'

export interface RefusedCall {
  readonly operation: Pick<Operation, 'operationId' | 'tag'>
  readonly detail: string
}

/** Records, for the organization of a known key, that the key was refused and what it had asked for. */
export function recordRefusal(
  { clock, database }: Services,
  caller: Caller,
  { operation, detail }: RefusedCall,
): Promise<void> {
  // Outside of the call's transaction, which was undone with the call.
  const { stores } = database.ownedBy({ organizationId: caller.organizationId, kind: 'call' })
  const scope = { stores, caller }
  return recordChange(clock, scope, {
    action: 'access.refused',
    type: operation.tag,
    id: null,
    outcome: 'refused',
    details: { operation: operation.operationId, detail },
  })
}
