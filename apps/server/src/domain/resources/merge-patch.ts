/**
 * A merge patch: objects are merged field by field, everything else is replaced. Null is kept as null, since here
 * every field that can be absent is one that can be null.
 */
export function mergePatch(target: object, patch: object): object {
  const merged: Record<string, unknown> = { ...target }
  for (const [name, value] of Object.entries(patch)) {
    if (value === undefined) continue
    const current = merged[name]
    merged[name] = isPlainObject(current) && isPlainObject(value) ? mergePatch(current, value) : value
  }
  return merged
}

function isPlainObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
