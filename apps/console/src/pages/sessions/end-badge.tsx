import { Badge } from '@mantine/core'
import type { RealtimeSession } from '@parley/sdk'
import { outcomeWords } from './end-words'

export function EndBadge({ session }: { readonly session: RealtimeSession }) {
  const { words, color } = outcomeWords(session)
  return (
    <Badge variant="light" color={color} fw={500}>
      {words}
    </Badge>
  )
}
