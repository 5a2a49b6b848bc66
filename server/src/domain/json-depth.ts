const codeOf = (character: string) => character.charCodeAt(0)
const [quote, backslash] = [codeOf('"'), codeOf('\\')]
const [openList, closeList, openObject, closeObject] = [codeOf('['), codeOf(']'), codeOf('{'), codeOf('}')]

/**
 * Whether JSON text nests deeper than that, seen in its bytes alone: parsing it would take the time and memory that its
 * sender wants to take from us. Of what is no JSON it may say either.
 */
export function isNestedDeeper(json: Uint8Array, maxDepth: number): boolean {
  let depth = 0
  for (let at = 0; at < json.length; at += 1) {
    const code = json[at]
    if (code === quote) at = endOfString(json, at)
    else if (code === openList || code === openObject) {
      depth += 1
      if (depth > maxDepth) return true
    } else if (code === closeList || code === closeObject) depth -= 1
  }
  return false
}

/** Where the string that begins there ends: at its closing quote, or with the text. */
function endOfString(json: Uint8Array, start: number): number {
  let at = start + 1
  while (at < json.length && json[at] !== quote) at += json[at] === backslash ? 2 : 1
  return at
}
