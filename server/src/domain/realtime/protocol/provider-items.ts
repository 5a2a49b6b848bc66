import { type Fields, listField, textField, unlessBlank } from './json-fields.js'
import type { EchoedItem, OutputItem, UserPart } from './provider-event.js'

/** An item as the conversation has it, whoever added it. */
export function echoedItem(item: Fields | null): EchoedItem {
  const type = textField(item, 'type')
  const callId = textField(item, 'call_id')
  if (type === 'function_call_output' && callId !== null) return { kind: 'call-output', callId }
  const itemId = textField(item, 'id')
  if (type === 'message' && textField(item, 'role') === 'user' && itemId !== null)
    return { kind: 'user-message', itemId, parts: userParts(listField(item, 'content')) }
  return { kind: 'other' }
}

/** Everything typed is one part, at the index of the first. */
function userParts(content: readonly Fields[]): UserPart[] {
  const isTyped = (part: Fields) => textField(part, 'type') === 'input_text'
  const typed = content.filter(isTyped).map((part) => textField(part, 'text'))
  const text = unlessBlank(typed.join('\n'))
  const typedIndex = content.findIndex(isTyped)
  return content.flatMap((part, contentIndex): UserPart[] => {
    if (textField(part, 'type') === 'input_audio') return [{ kind: 'audio', contentIndex }]
    return contentIndex === typedIndex && text !== null ? [{ kind: 'typed', contentIndex, text }] : []
  })
}

/** An item as a response puts it out. */
export function outputItem(item: Fields | null): OutputItem {
  const type = textField(item, 'type')
  const fields = { itemId: textField(item, 'id'), status: textField(item, 'status') }
  if (type === 'function_call') return { kind: 'call', ...fields, ...callFields(item) }
  return { kind: type === 'message' ? 'message' : 'other', ...fields }
}

/** A call is named by items and by the event of its arguments, in the same fields. */
export function callFields(fields: Fields | null) {
  return {
    callId: textField(fields, 'call_id'),
    name: textField(fields, 'name'),
    argumentsText: textField(fields, 'arguments') ?? '',
  }
}
