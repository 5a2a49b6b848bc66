import { foldCase } from './fold-case.js'

/**
 * The calls that outputs in an event would answer: as its item, in the `input` of a response, or wherever else a lenient
 * reader may look. Without recursion, since a frame can nest deeper than the stack.
 */
export function answeredCalls(event: object): string[] {
  const calls: string[] = []
  const open: object[] = [event]
  for (let value = open.pop(); value !== undefined; value = open.pop()) {
    for (const inner of Object.values(value))
      if (typeof inner === 'object' && inner !== null) open.push(inner)
    if (Array.isArray(value)) continue
    const type = fieldOf(value, 'type')
    const callId = fieldOf(value, 'call_id')
    if (typeof type === 'string' && foldCase(type) === 'function_call_output' && typeof callId === 'string')
      calls.push(callId)
  }
  return calls
}

/** A field, letter case aside; a list of one counts as what is in it. */
function fieldOf(value: object, name: string): unknown {
  const found = Object.entries(value).find(([key]) => foldCase(key) === name)?.[1]
  return Array.isArray(found) && found.length === 1 ? found[0] : found
}
