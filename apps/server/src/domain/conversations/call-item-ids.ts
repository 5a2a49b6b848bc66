import type { MessageRecord } from '../../ports/conversation-store.js'

/** What the item of a call is named: calls of sub-agents carry the message of the call above them. */
export const callItemPrefix = 'call:'

/** Whether the call is one that the agent itself made: a sub-agent's are no part of what its model has said. */
export function isOwnCall({ callId, itemId }: MessageRecord): boolean {
  return callId !== null && itemId === `${callItemPrefix}${callId}`
}
