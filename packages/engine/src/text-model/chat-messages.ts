import type { ModelMessage } from './text-model.js'

type Assistant = Extract<ModelMessage, { role: 'assistant' }>
type ToolResult = Extract<ModelMessage, { role: 'tool' }>

/** The placeholder for a missing tool result: the user spoke while the tool was running. */
const unfinished = 'This call has not finished yet. Its result comes later.'

/*
 * Chat services require a strict order that spoken conversations do not have: people talk while tools run, agents speak
 * first, and instructions are added later. This reorders the messages so that every service accepts them: all
 * instructions first, then a user message, each call followed by its result, and no assistant message last.
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
