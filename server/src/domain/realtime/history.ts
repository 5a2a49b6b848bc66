import type { MessageRecord } from '../../ports/conversation-store.js'

/** How much of a conversation a new session is told. */
export const historyLimits = { messages: 60, characters: 24_000 } as const

export interface HistoryItem {
  /** The id we give the item, by which its echo is known. */
  readonly itemId: string
  readonly event: object
}

/**
 * What was said before, as items for the provider: the newest that fit, oldest first. Spoken turns are told as text; the
 * session asks for audio in so many words, so the model goes on speaking.
 */
export function historyItems(messages: readonly MessageRecord[]): HistoryItem[] {
  const told: MessageRecord[] = []
  let characters = 0
  for (const message of messages.toReversed()) {
    if (message.content.trim() === '' || (message.role !== 'user' && message.role !== 'assistant')) continue
    const room = historyLimits.characters - characters
    if (room <= 0) break
    characters += message.content.length
    // What does not fit whole is told from its end: that is where the conversation goes on.
    told.unshift({ ...message, content: message.content.slice(-room) })
  }
  return told.map((message, index) => {
    const itemId = `past_${message.id.replaceAll('-', '').slice(-24)}`
    const type = message.role === 'user' ? 'input_text' : 'output_text'
    const item = {
      id: itemId,
      type: 'message',
      role: message.role,
      content: [{ type, text: message.content }],
    }
    return { itemId, event: { type: 'conversation.item.create', event_id: `svc_past_${index}`, item } }
  })
}
