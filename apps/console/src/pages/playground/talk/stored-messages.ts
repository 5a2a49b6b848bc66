import type { Approval, Message, Parley } from '@parley/sdk'

const pageSize = 200

interface StoredMessages {
  readonly messages: readonly Message[]
  /** Calls among them that a person has to decide on. */
  readonly waiting: readonly Approval[]
  /** How many messages stand before them. */
  readonly earlierCount: number
}

/** A page of messages before the given place; with null the newest. */
export async function readStored(
  parley: Parley,
  conversationId: string,
  before: number | null,
): Promise<StoredMessages> {
  const end = before ?? (await parley.conversations.get(conversationId)).messageCount
  const offset = Math.max(0, end - pageSize)
  // What was added meanwhile is read along.
  const limit = before === null ? pageSize : Math.min(pageSize, before)
  const [page, waiting] = await Promise.all([
    parley.conversations.listMessages(conversationId, { Offset: offset, Limit: Math.max(1, limit) }),
    parley.approvals.list({ ConversationId: conversationId, State: 'waiting', Limit: 200 }),
  ])
  return { messages: page.items, waiting: waiting.items, earlierCount: offset }
}
