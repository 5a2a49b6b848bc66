import type { Operation } from '@parley/contract'
import { recordChange } from '../../../domain/audit/record-change.js'
import type { Caller } from '../../../domain/caller.js'
import type { Services } from '../context.js'

/** Tells the organization of a known key that the key was refused, and what it had asked for. */
export async function recordRefusal(
  services: Services,
  caller: Caller,
  operation: Pick<Operation, 'operationId' | 'tag'>,
  detail: string,
): Promise<void> {
  const details = { operation: operation.operationId, detail }
  await recordChange(services.database.stores, services.clock, caller, {
    action: 'access.refused',
    type: operation.tag,
    id: null,
    outcome: 'refused',
    details,
  })
  services.afterChange()
}
