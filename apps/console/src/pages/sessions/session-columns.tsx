import { Text } from '@mantine/core'
import type { RealtimeSession } from '@parley/sdk'
import { formatDuration } from '../../data/format-duration'
import { AgentName } from '../../parts/agent-select'
import { CostText } from '../../parts/cost-text'
import type { Column } from '../../parts/row-list'
import { Timestamp } from '../../parts/timestamp'
import { EndBadge } from './end-badge'
import { lengthOf } from './end-labels'

export const sessionColumns: readonly Column<RealtimeSession>[] = [
  { title: 'Agent', width: '1.5fr', cell: ({ agentId }) => <AgentName agentId={agentId} /> },
  { title: 'End reason', width: '2fr', cell: (session) => <EndBadge session={session} /> },
  {
    title: 'Duration',
    width: '7rem',
    isMinor: true,
    cell: (session) => <Length session={session} />,
  },
  {
    title: 'Tokens',
    width: '6rem',
    isMinor: true,
    isEmpty: ({ usage }) => usage.totalTokens === 0,
    cell: ({ usage }) => <span data-figures>{usage.totalTokens.toLocaleString()}</span>,
  },
  {
    title: 'Cost',
    width: '8rem',
    isMinor: true,
    isEmpty: ({ cost, usage }) => cost.amount === 0 && usage.totalTokens === 0,
    cell: ({ cost }) => <CostText cost={cost} />,
  },
  {
    title: 'Started',
    width: '7.5rem',
    cell: ({ startedAt, createdAt }) => <Timestamp at={startedAt ?? createdAt} />,
  },
]

function Length({ session }: { readonly session: RealtimeSession }) {
  const seconds = lengthOf(session)
  if (seconds === null)
    return (
      <Text span inherit c="dimmed">
        none
      </Text>
    )
  return <span data-figures>{formatDuration(seconds)}</span>
}
