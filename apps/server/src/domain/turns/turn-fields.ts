import type { TurnRecord } from '../../ports/turn-store.js'

/** Whose turn it is, for the log. */
export function turnFields({ id, organizationId, agentId, conversationId, apiKeyId }: TurnRecord): object {
  return { turnId: id, organizationId, agentId, conversationId, callerId: apiKeyId }
}
