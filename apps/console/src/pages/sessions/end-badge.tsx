import { Badge } from '@mantine/core'
import type { RealtimeSession } from '@parley/sdk'
import { outcomeLabel } from './end-labels'

export function EndBadge({ session }: { readonly session: RealtimeSession }) {
  const { label, color } = outcomeLabel(session)
  return (
    <Badge variant="light" color={color} fw={500}>
      {label}
    </Badge>
  )
}
