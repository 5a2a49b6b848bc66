const codeOf = (character: string) => character.charCodeAt(0)
const [quote, backslash, comma] = [codeOf('"'), codeOf('\\'), codeOf(',')]
const [openList, closeList, openObject, closeObject] = [codeOf('['), codeOf(']'), codeOf('{'), codeOf('}')]

/**
 * The number of bytes that are scanned one by one before a native search for the closing quote. The native
 * search is slower if there are many quotes.
 */
const nearBytes = 64

export interface JsonBounds {
  readonly maxDepth: number
  /** The maximum number of list items and object fields in total. */
  readonly maxValues: number
}

/** Returns whether a JSON text is nested deeper than this. */
export function isNestedDeeper(json: Uint8Array, maxDepth: number): boolean {
  return isBeyond(json, { maxDepth, maxValues: Number.POSITIVE_INFINITY })
}

/**
 * Returns whether a JSON text exceeds the bounds, without parsing it. Parsing such a text could take
 * excessive time and memory: a byte of a long string takes a nanosecond, but a byte of many small fields
 * takes 300. The result is undefined for invalid JSON.
 */
export function isBeyond(json: Uint8Array, { maxDepth, maxValues }: JsonBounds): boolean {
  let depth = 0
  let values = 0
  for (let at = 0; at < json.length; at += 1) {
    const code = json[at]
    if (code === quote) at = endOfString(json, at)
    else if (code === comma) values += 1
    else if (code === openList || code === openObject) {
      depth += 1
      values += 1
      if (depth > maxDepth) return true
    } else if (code === closeList || code === closeObject) depth -= 1
    if (values > maxValues) return true
  }
  return false
}

/** Returns the end of the string that starts at this index: its closing quote, or the end of the text. */
function endOfString(json: Uint8Array, start: number): number {
  let at = start + 1
  for (;;) {
    const near = Math.min(json.length, at + nearBytes)
    while (at < near && json[at] !== quote) at += json[at] === backslash ? 2 : 1
    if (at < near || at >= json.length) return at
    // In a long string with few quotes, this finds the next quote twenty times as fast.
    const found = json.indexOf(quote, at)
    if (found < 0) return json.length
    if (countBackslashes(json, at, found) % 2 === 0) return found
    at = found + 1
  }
}

/** Returns the number of backslashes directly before the end. */
function countBackslashes(json: Uint8Array, start: number, end: number): number {
  let at = end
  while (at > start && json[at - 1] === backslash) at -= 1
  return end - at
}

/** Encodes a value as JSON with sorted keys, so that equal values have equal texts. */
export function canonicalJson(value: unknown): string {
  return JSON.stringify(value, (_key, part: unknown) =>
    typeof part === 'object' && part !== null && !Array.isArray(part)
      ? Object.fromEntries(Object.entries(part).sort(([one], [other]) => (one < other ? -1 : 1)))
      : part,
  )
}
