import type { ModelMessage } from './text-model.js'

type Assistant = Extract<ModelMessage, { role: 'assistant' }>
type ToolResult = Extract<ModelMessage, { role: 'tool' }>

/** What a model reads in place of a result that has yet to come: somebody spoke while a tool was at work. */
const unfinished = 'This call has not finished yet. Its result comes later.'

/*
 * Chat services are strict where a spoken conversation is not: people talk while tools work, agents speak first, and
 * rules are added on the way. These are the same words in the order that every one of those services takes: all
 * instructions first, a user's words next, each call with its result at once after it, and no assistant's words last.
 */
export function chatMessages(messages: readonly ModelMessage[]): ModelMessage[] {
  const instructions = messages.flatMap((message) => (message.role === 'system' ? [message.text] : []))
  const talk = withResults(messages)
  if (talk[0]?.role !== 'user') talk.unshift({ role: 'user', text: '(The conversation begins.)' })
  if (talk.at(-1)?.role === 'assistant') talk.push({ role: 'user', text: '(The user says nothing. Go on.)' })
  return instructions.length === 0 ? talk : [{ role: 'system', text: instructions.join('\n\n') }, ...talk]
}

function withResults(messages: readonly ModelMessage[]): ModelMessage[] {
  const results = new Map<string, ToolResult>()
  for (const message of messages) if (message.role === 'tool') results.set(message.callId, message)
  return messages.flatMap((message): readonly ModelMessage[] => {
    if (message.role === 'system' || message.role === 'tool') return []
    return message.role === 'assistant' ? [message, ...resultsOf(message, results)] : [message]
  })
}

function resultsOf({ calls }: Assistant, results: ReadonlyMap<string, ToolResult>): ToolResult[] {
  return calls.map(
    ({ callId, name }) => results.get(callId) ?? { role: 'tool', callId, name, output: unfinished },
  )
}
