/** Formats JSON text. Other text is unchanged. */
export function prettyJson(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2)
  } catch {
    return text
  }
}

/** Whether the JSON is empty, as for a tool without parameters. */
export function isEmptyJson(text: string): boolean {
  return /^\s*(?:\{\s*\})?\s*$/.test(text)
}
