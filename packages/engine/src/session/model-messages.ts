import type { SessionConfig } from '../protocol/session-config.js'
import type { FunctionTool } from '../protocol/session-schema.js'
import type { ModelMessage, ModelTool, ToolChoice } from '../text-model/text-model.js'
import { type Item, textOf } from './item.js'

/** The model reads only the newest part of a long conversation. */
const maxItems = 200

/** Returns the messages for the model: the instructions, then the conversation. */
export function modelMessages(instructions: string, items: readonly Item[]): ModelMessage[] {
  const messages: ModelMessage[] = instructions === '' ? [] : [{ role: 'system', text: instructions }]
  const names = new Map<string, string>()
  for (const item of items.slice(-maxItems)) {
    if (item.kind === 'call') names.set(item.callId, item.name)
    addItem(messages, item, names)
  }
  return messages
}

function addItem(messages: ModelMessage[], item: Item, names: ReadonlyMap<string, string>): void {
  if (item.kind === 'output') {
    const name = names.get(item.callId)
    // The call was cut off, so the model could not relate the result to it.
    if (name !== undefined) messages.push({ role: 'tool', callId: item.callId, name, output: item.output })
    return
  }
  if (item.kind === 'call') {
    addCall(messages, item)
    return
  }
  const text = item.parts.map(textOf).join(' ').trim()
  if (text === '') return
  messages.push(
    item.role === 'assistant' ? { role: 'assistant', text, calls: [] } : { role: item.role, text },
  )
}

/** Merges consecutive calls, and the words of one answer, into one message, as models expect. */
function addCall(messages: ModelMessage[], item: Extract<Item, { kind: 'call' }>): void {
  const call = { callId: item.callId, name: item.name, arguments: item.arguments }
  const last = messages.at(-1)
  if (last?.role === 'assistant') messages[messages.length - 1] = { ...last, calls: [...last.calls, call] }
  else messages.push({ role: 'assistant', text: '', calls: [call] })
}

export function modelTools(tools: readonly FunctionTool[]): ModelTool[] {
  return tools.map(({ name, description = '', parameters = { type: 'object', properties: {} } }) => ({
    name,
    description,
    parameters,
  }))
}

export function modelToolChoice(choice: SessionConfig['tool_choice']): ToolChoice {
  return typeof choice === 'string' ? choice : { name: choice.name }
}
