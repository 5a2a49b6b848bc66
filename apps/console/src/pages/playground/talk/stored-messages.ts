import type { Approval, Message, Parley } from '@parley/sdk'

const pageSize = 200

interface StoredMessages {
  readonly messages: readonly Message[]
  /** Pending approvals among them. */
  readonly waiting: readonly Approval[]
  /** The number of messages before them. */
  readonly earlierCount: number
}

/** Loads a page of messages before the position, or the newest if null. */
export async function readStored(
  parley: Parley,
  conversationId: string,
  before: number | null,
): Promise<StoredMessages> {
  const end = before ?? (await parley.conversations.get(conversationId)).messageCount
  const offset = Math.max(0, end - pageSize)
  // Messages that were added during loading are included.
  const limit = before === null ? pageSize : Math.min(pageSize, before)
  const [page, waiting] = await Promise.all([
    parley.conversations.listMessages(conversationId, { Offset: offset, Limit: Math.max(1, limit) }),
    parley.approvals.list({ ConversationId: conversationId, State: 'waiting', Limit: 200 }),
  ])
  return { messages: page.items, waiting: waiting.items, earlierCount: offset }
}
