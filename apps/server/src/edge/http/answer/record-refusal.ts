import type { Operation } from '@parley/contract'
import { recordChange } from '../../../domain/audit/record-change.js'
import type { Caller } from '../../../domain/caller-scope.js'
import type { Services } from '../services.js'

export interface RefusedCall {
  readonly operation: Pick<Operation, 'operationId' | 'tag'>
  readonly detail: string
}

/** Records a refused request of a known key in the audit log of its organization. */
export function recordRefusal(
  { clock, database }: Services,
  caller: Caller,
  { operation, detail }: RefusedCall,
): Promise<void> {
  // The rejection is recorded in its own transaction, because the transaction of the call was rolled back.
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
