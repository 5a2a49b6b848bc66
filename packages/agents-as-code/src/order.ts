import type { DesiredEntry } from './desired-state.js'
import { kindNames } from './managed-kinds.js'
import type { FileError } from './yaml-file.js'

export type Ordered =
  | { readonly ok: true; readonly entries: readonly DesiredEntry[] }
  | { readonly ok: false; readonly errors: readonly FileError[] }

/**
 * Returns the entries in an order in which each comes after those that it refers to. Reports a cycle as a
 * error.
 */
export function inOrder(entries: readonly DesiredEntry[]): Ordered {
  const keyOf = (kind: string, name: string) => `${kind} ${name}`
  const known = new Map(entries.map((entry) => [keyOf(entry.kind, entry.externalId), entry]))
  const placed = new Set<DesiredEntry>()
  const errors: FileError[] = []
  const place = (entry: DesiredEntry, way: readonly DesiredEntry[]): void => {
    if (placed.has(entry)) return
    for (const { kind, name, path } of entry.references) {
      const named = known.get(keyOf(kind, name))
      if (named === undefined) continue
      if (named === entry || way.includes(named)) {
        const names = [...way.slice(Math.max(way.indexOf(named), 0)), entry, named].map(
          (one) => one.externalId,
        )
        errors.push(
          entry.errorAt(path, `leads back to itself: ${names.join(' → ')}. Remove one of these references.`),
        )
      } else place(named, [...way, entry])
    }
    placed.add(entry)
  }
  for (const kind of kindNames)
    for (const entry of entries) if (entry.kind === kind && errors.length === 0) place(entry, [])
  return errors.length > 0 ? { ok: false, errors } : { ok: true, entries: [...placed] }
}
