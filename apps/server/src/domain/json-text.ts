const codeOf = (character: string) => character.charCodeAt(0)
const [quote, backslash, comma] = [codeOf('"'), codeOf('\\'), codeOf(',')]
const [openList, closeList, openObject, closeObject] = [codeOf('['), codeOf(']'), codeOf('{'), codeOf('}')]

/** So much of a string is read byte by byte before its end is searched for, which is slow where quotes are many. */
const nearBytes = 64

export interface JsonBounds {
  readonly maxDepth: number
  /** Items of lists and fields of objects, of all of them together. */
  readonly maxValues: number
}

/** Whether JSON text nests deeper than that. */
export function isNestedDeeper(json: Uint8Array, maxDepth: number): boolean {
  return isBeyond(json, { maxDepth, maxValues: Number.POSITIVE_INFINITY })
}

/**
 * Whether JSON text is more than that, seen in its bytes alone: parsing it would take the time and memory that its sender
 * wants to take from us. A byte of a long string is parsed in a nanosecond, one of many fields in 300. Of what is no JSON it
 * may say either.
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

/** Returns the end of the string at this index: its closing quote, or the end of the text. */
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

/** How many of them stand right before the end. */
function countBackslashes(json: Uint8Array, start: number, end: number): number {
  let at = end
  while (at > start && json[at - 1] === backslash) at -= 1
  return end - at
}

/** The one spelling of a value as JSON, with its keys in order: equal values have equal texts. */
export function canonicalJson(value: unknown): string {
  return JSON.stringify(value, (_key, part: unknown) =>
    typeof part === 'object' && part !== null && !Array.isArray(part)
      ? Object.fromEntries(Object.entries(part).sort(([one], [other]) => (one < other ? -1 : 1)))
      : part,
  )
}
