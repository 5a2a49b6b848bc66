/*
 * How the most lenient reader would understand a client's frame. What a provider might take for something guarded must
 * be recognized as that here, in whichever spelling.
 */

/** A name without letter case, the long s and the Kelvin sign included. */
export function foldCase(name: string): string {
  return name.trim().toUpperCase().toLowerCase()
}

/**
 * A binary frame as text, in any encoding that it may be in: UTF-8, UTF-16 and UTF-32 of plain characters differ by zero
 * bytes and a byte order mark alone.
 */
export function textInside(data: Buffer): string {
  const plain = data.includes(0) ? Buffer.from(data.filter((byte) => byte !== 0)) : data
  return plain.toString('utf8').replace(/^[\s\uFEFF\uFFFD]+/, '')
}

/** What clients may not send as they please, by the names that every such message holds. */
const guardedNames = /session\.update|function_call_output|approval\.(?:approve|reject)/i

const escapes = /\\(?:u([0-9a-f]{4})|x([0-9a-f]{2})|\r?\n|)/gi

/**
 * Whether a text that is no JSON names something guarded, in spellings that only a lenient reader knows: comments,
 * trailing commas, other quotes, something before or behind it.
 */
export function namesGuarded(text: string): boolean {
  const unescaped = text.replace(escapes, (_, unicode?: string, byte?: string) => {
    const digits = unicode ?? byte
    return digits === undefined ? '' : String.fromCharCode(Number.parseInt(digits, 16))
  })
  return guardedNames.test(unescaped)
}

/**
 * The calls that an event would put outputs in for: as its item, in the `input` of a response, or anywhere else.
 * Without recursion, since a frame can nest deeper than the stack.
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
