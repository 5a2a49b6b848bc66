/** A copy with another value at the place that these keys lead to, separated by spaces; undefined takes it away. */
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
