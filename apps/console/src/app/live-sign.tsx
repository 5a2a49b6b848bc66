import { Badge } from '@mantine/core'
import type { LiveState } from '../data/live'

/** Says so where the page does not learn what happens elsewhere. */
export function LiveSign({ state }: { readonly state: LiveState }) {
  if (state !== 'broken') return null
  return (
    <Badge color="orange" variant="light" role="status">
      Reconnecting
    </Badge>
  )
}
