/** Returns a copy with one value changed. The path is a list of keys separated by spaces. Undefined removes the value. */
export function editedCopy<Document extends object>(
  document: Document,
  place: string,
  value: unknown,
): Document {
  const copy = structuredClone(document)
  const keys = place.split(' ')
  const last = keys.pop() ?? ''
  let parent = copy as unknown as Record<string, unknown>
  for (const key of keys) parent = parent[key] as Record<string, unknown>
  if (value === undefined) delete parent[last]
  else parent[last] = value
  return copy
}
