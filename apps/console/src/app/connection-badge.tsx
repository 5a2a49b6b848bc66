import { Badge } from '@mantine/core'
import type { LiveState } from '../data/live'

/** Shown while the live stream is disconnected. */
export function ConnectionBadge({ state }: { readonly state: LiveState }) {
  if (state !== 'broken') return null
  return (
    <Badge color="orange" variant="light" role="status">
      Reconnecting
    </Badge>
  )
}
