import { useNavigate, useSearch } from '@tanstack/react-router'

const prefix = 'Metadata.'

/** Query parameters of the API such as `Metadata.plan=pro`. */
export type MetadataFilter = Readonly<Record<`Metadata.${string}`, string>>

/** The metadata filter of a list, kept in the URL under the names of the API. */
export function useMetadataFilter(): readonly [MetadataFilter, (filter: MetadataFilter) => void] {
  const search: Readonly<Record<string, unknown>> = useSearch({ strict: false })
  const navigate = useNavigate()
  const isFilter = (name: string) => name.startsWith(prefix)
  const filter = Object.entries(search)
    .filter(([name]) => isFilter(name))
    .map(([name, value]) => [name, String(value)])
  const change = (changed: MetadataFilter) => {
    const others = Object.entries(search).filter(([name]) => !isFilter(name))
    void navigate({ to: '.', search: { ...Object.fromEntries(others), ...changed }, replace: true })
  }
  return [Object.fromEntries(filter), change]
}

/** Returns the conditions as the user types them: `plan=pro`. */
export const conditionsOf = (filter: MetadataFilter): string[] =>
  Object.entries(filter).map(([name, value]) => `${name.slice(prefix.length)}=${value}`)

/** Returns the filter, or null if a condition is not `key=value`. */
export function filterOf(conditions: readonly string[]): MetadataFilter | null {
  const pairs = conditions.map((condition) => /^\s*([^=]+?)\s*=(.+)$/s.exec(condition))
  if (pairs.includes(null)) return null
  return Object.fromEntries(pairs.map((pair) => [`${prefix}${pair?.[1]}`, pair?.[2]?.trim() ?? '']))
}
