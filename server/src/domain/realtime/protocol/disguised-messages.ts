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

/** The keys by which a frame is judged. Of others `URL` and `url` may stand side by side. */
const judgedKeys: ReadonlySet<string> = new Set(['type', 'item', 'call_id', 'callid', 'event_id'])

/**
 * Whether any object in a valid JSON text has the same key twice. Parsers differ in which of two equal keys they believe,
 * and some take `Type` for `type`: what we read must be what the provider reads.
 */
export function hasRepeatedKey(json: string): boolean {
  const scopes: (Set<string> | null)[] = []
  let at = 0
  while (at < json.length) {
    const character = json[at]
    if (character === '{') scopes.push(new Set())
    else if (character === '[') scopes.push(null)
    else if (character === '}' || character === ']') scopes.pop()
    else if (character === '"') {
      const end = stringEnd(json, at)
      const keys = scopes.at(-1)
      if (keys && isKey(json, end)) {
        const name = nameOf(JSON.parse(json.slice(at, end)) as string)
        if (keys.has(name)) return true
        keys.add(name)
      }
      at = end
      continue
    }
    at += 1
  }
  return false
}

/** What a key is compared by. */
function nameOf(key: string): string {
  const folded = foldCase(key)
  return judgedKeys.has(folded) ? folded : key
}

/** The index behind the closing quote of the string that begins at `start`. */
function stringEnd(json: string, start: number): number {
  let at = start + 1
  while (json[at] !== '"') at += json[at] === '\\' ? 2 : 1
  return at + 1
}

/** In an object, what a colon follows is a key; a string value is followed by a comma or the end. */
function isKey(json: string, end: number): boolean {
  let at = end
  while (json[at] === ' ' || json[at] === '\n' || json[at] === '\r' || json[at] === '\t') at += 1
  return json[at] === ':'
}
