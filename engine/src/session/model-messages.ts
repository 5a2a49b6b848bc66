import type { SessionConfig } from '../protocol/session-config.js'
import type { ModelMessage, ModelTool, ToolChoice } from '../text-model/text-model.js'
import { type Item, textOf } from './item.js'

/** A model is told the newest part of a long conversation. */
const maxItems = 200

/** What the model reads: the instructions, then the conversation. */
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
    // Its call is not among what the model is told, so the result would mean nothing to it.
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

/** Calls that follow one another, or words of the same answer, are one message, as models expect it. */
function addCall(messages: ModelMessage[], item: Extract<Item, { kind: 'call' }>): void {
  const call = { callId: item.callId, name: item.name, arguments: item.arguments }
  const last = messages.at(-1)
  if (last?.role === 'assistant') messages[messages.length - 1] = { ...last, calls: [...last.calls, call] }
  else messages.push({ role: 'assistant', text: '', calls: [call] })
}

export function modelTools(tools: SessionConfig['tools']): ModelTool[] {
  return tools.flatMap((tool) =>
    'name' in tool && tool.name !== undefined
      ? [{ name: tool.name, description: tool.description ?? '', parameters: schemaOf(tool.parameters) }]
      : [],
  )
}

export function modelToolChoice(choice: SessionConfig['tool_choice']): ToolChoice {
  if (typeof choice === 'string') return choice
  return choice.type === 'function' ? { name: choice.name } : 'auto'
}

function schemaOf(parameters: unknown): Readonly<Record<string, unknown>> {
  return typeof parameters === 'object' && parameters !== null
    ? (parameters as Readonly<Record<string, unknown>>)
    : { type: 'object', properties: {} }
}
