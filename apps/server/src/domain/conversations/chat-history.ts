import type { ChatMessage } from '../../ports/chat-model.js'
import type { MessageRecord } from '../../ports/conversation-store.js'
import { isOwnCall } from './call-item-ids.js'

/** A stored message, spoken or typed, as messages for a chat model; none where it holds no words. */
export function chatMessagesOf(message: MessageRecord): ChatMessage[] {
  if (message.role === 'user' || message.role === 'assistant') {
    if (message.content.trim() === '') return []
    return message.role === 'user'
      ? [{ role: 'user', text: message.content }]
      : [{ role: 'assistant', text: message.content, calls: [] }]
  }
  if (!isOwnCall(message)) return []
  const name = message.name ?? ''
  // Models count their calls anew with every turn; a provider wants every call of a conversation to have its own id.
  const callId = `call_${message.id.replaceAll('-', '').slice(-24)}`
  const output = message.content || message.failure || 'The outcome of the call is not known yet.'
  return [
    { role: 'assistant', text: '', calls: [{ callId, name, arguments: message.arguments ?? '{}' }] },
    { role: 'tool', callId, name, output },
  ]
}

/** About how many characters a message takes in a prompt. */
export function chatCharacters(message: MessageRecord): number {
  return message.content.length + (message.arguments?.length ?? 0) + 16
}
