import { foldCase } from './lenient-reading.js'

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
