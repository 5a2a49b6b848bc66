import type { WebhookEventData, WebhookEventType } from '@parley/contract'
import type { Stores } from '../../ports/database.js'

export interface HappenedEvent<Type extends WebhookEventType> {
  readonly type: Type
  /** The resource; fields that the contract does not name are left out when it is sent. */
  readonly data: WebhookEventData[Type]
}

/**
 * Says that something happened, for the webhooks that want to know: called in the transaction of what happened, so that both
 * are there or neither is. What happens to rows of conversations, messages, turns, sessions, approvals, tasks, agents and
 * keys is said by triggers on their tables; this is for what no row tells by itself.
 */
export function recordEvent<Type extends WebhookEventType>(
  stores: Stores,
  organizationId: string,
  { type, data }: HappenedEvent<Type>,
): Promise<void> {
  const fields: Readonly<Record<string, unknown>> = data
  const idIn = (name: string) => {
    const value = fields[name]
    return typeof value === 'string' ? value : null
  }
  return stores.webhookEvents.record({
    organizationId,
    type,
    agentId: idIn('agentId'),
    // A task outlives the conversation that it came out of.
    conversationId: type.startsWith('task.') ? null : idIn('conversationId'),
    orderKey: idIn('id') ?? organizationId,
    data: fields,
  })
}
