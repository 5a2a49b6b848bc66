import type { Icon } from '@tabler/icons-react'
import { EmptyState } from './empty-state'

/** In place of a list's rows where it was narrowed to nothing. */
export function NoneFits({ icon, what }: { readonly icon: Icon; readonly what: string }) {
  return (
    <EmptyState icon={icon} title={`No ${what} fits`}>
      Change or clear what the list is narrowed to.
    </EmptyState>
  )
}
