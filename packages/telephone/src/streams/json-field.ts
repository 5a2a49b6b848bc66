/** Returns undefined if the text is not JSON. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Returns a field of parsed JSON, or undefined if the value is not an object or lacks the field. */
export function readField(value: unknown, name: string): unknown {
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return undefined
  return (value as Record<string, unknown>)[name]
}

/** Returns a string that is not empty, or null. */
export function readText(value: unknown, name: string): string | null {
  const field = readField(value, name)
  return typeof field === 'string' && field !== '' ? field : null
}
