import { useNavigate, useSearch } from '@tanstack/react-router'

type Filter<Name extends string> = Readonly<Partial<Record<Name, string>>>

/** List filters, kept in the URL so that links and reloads preserve them. */
export function useFilter<Name extends string>(
  names: readonly Name[],
): readonly [Filter<Name>, (change: Filter<Name>) => void] {
  const search: Readonly<Record<string, unknown>> = useSearch({ strict: false })
  const navigate = useNavigate()
  const filter: Partial<Record<Name, string>> = {}
  for (const name of names) {
    const value = search[name]
    if (value !== undefined && value !== '') filter[name] = String(value)
  }
  const change = (changed: Filter<Name>) => {
    const next = Object.entries({ ...search, ...changed }).filter(
      ([, value]) => value !== '' && value !== undefined,
    )
    void navigate({ to: '.', search: Object.fromEntries(next), replace: true })
  }
  return [filter, change]
}
