import type { EndUser, EndUserPatch } from '@parley/sdk'

type MetadataValue = EndUser['metadata'][string]

export interface MetadataRow {
  readonly key: string
  readonly type: 'string' | 'number' | 'boolean'
  readonly text: string
}

export interface EndUserDraft {
  readonly name: string
  readonly metadata: readonly MetadataRow[]
}

export const newMetadata: MetadataRow = { key: '', type: 'string', text: '' }

export function draftOf({ name, metadata }: EndUser): EndUserDraft {
  return {
    name: name ?? '',
    metadata: Object.entries(metadata).map(([key, value]) => ({
      key,
      type: typeof value === 'number' ? 'number' : typeof value === 'boolean' ? 'boolean' : 'string',
      text: String(value),
    })),
  }
}

/** Errors by field: `name`, `metadata`, or `metadata[0]` for one row. */
export function validateDraft({ metadata }: EndUserDraft): Readonly<Record<string, string>> {
  const found: Record<string, string> = {}
  metadata.forEach(({ key, type, text }, index) => {
    const isTaken = metadata.slice(0, index).some((other) => other.key === key)
    if (key === '') found[`metadata[${index}]`] = 'Key is required'
    else if (isTaken) found[`metadata[${index}]`] = `Another row has the key ${key}`
    else if (type === 'number' && (text.trim() === '' || !Number.isFinite(Number(text))))
      found[`metadata[${index}]`] = 'Must be a number'
  })
  if (metadata.length > 50) found.metadata = 'At most 50 keys'
  return found
}

/** Removed keys become null. Unchanged ones are omitted, so that a newer value of another user stays. */
export function patchOf(before: EndUser, { name, metadata }: EndUserDraft): EndUserPatch {
  const after = Object.fromEntries(metadata.map((row) => [row.key, readValue(row)]))
  const removed = Object.keys(before.metadata).filter((key) => !Object.hasOwn(after, key))
  return {
    name: name.trim() === '' ? null : name.trim(),
    metadata: {
      ...Object.fromEntries(Object.entries(after).filter(([key, value]) => before.metadata[key] !== value)),
      ...Object.fromEntries(removed.map((key) => [key, null])),
    },
  }
}

function readValue({ type, text }: MetadataRow): MetadataValue {
  if (type === 'number') return Number(text)
  return type === 'boolean' ? text === 'true' : text
}
