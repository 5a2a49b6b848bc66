/** JSON text with a line for each field; other text as it is. */
export function prettyJson(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2)
  } catch {
    return text
  }
}

/** Whether it says nothing: a tool without arguments. */
export function isEmptyJson(text: string): boolean {
  return /^\s*(?:\{\s*\})?\s*$/.test(text)
}
