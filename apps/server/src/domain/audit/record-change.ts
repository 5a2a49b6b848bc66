import type { Clock } from '../../ports/time.js'
import type { Caller, CallerScope } from '../caller-scope.js'
import { newId } from '../new-id.js'
import { canonicalText, orderedDetails } from './canonical-text.js'

export interface AuditedChange {
  /** The action, for example `agent.update`. */
  readonly action: string
  readonly type: string | null
  readonly id: string | null
  readonly outcome?: 'success' | 'refused'
  /**
   * Further details. Must never contain a secret, or text from or about an end user: records cannot be erased, so they
   * name end users and their data only by id.
   */
  readonly details?: Readonly<Record<string, unknown>>
}

/**
 * Writes an audit record. Must be called in the transaction of the change, so that either both are committed
 * or neither.
 */
export async function recordChange(
  clock: Clock,
  { stores, caller }: CallerScope,
  change: AuditedChange,
): Promise<void> {
  const record = {
    id: newId(),
    organizationId: caller.organizationId,
    at: clock.now().toISOString(),
    actor: caller.actor,
    action: change.action,
    resourceType: change.type,
    resourceId: change.id,
    outcome: change.outcome ?? 'success',
    ipAddress: caller.ipAddress,
    requestId: caller.requestId,
    details: orderedDetails({ ...change.details, ...channelDetails(caller) }),
  } as const
  await stores.audit.append({ ...record, canonical: canonicalText(record) })
}

/** Returns the channel of the caller, or undefined if the caller uses the API directly. */
function channelDetails({ channel, clientName }: Caller): Readonly<Record<string, string>> {
  return { ...(channel && { channel }), ...(clientName && { client: clientName }) }
}
