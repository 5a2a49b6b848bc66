import type { Icon } from '@tabler/icons-react'
import { EmptyState } from './empty-state'

/** Shown if no row matches the filter. */
export function NoMatches({ icon, what }: { readonly icon: Icon; readonly what: string }) {
  return (
    <EmptyState icon={icon} title={`No matching ${what}s`}>
      Change or clear the filters.
    </EmptyState>
  )
}
