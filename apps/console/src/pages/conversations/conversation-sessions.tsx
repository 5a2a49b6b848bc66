import { Accordion, Group, Skeleton, Text } from '@mantine/core'
import type { Page, RealtimeSession } from '@parley/sdk'
import { IconWaveSine } from '@tabler/icons-react'
import { type UseQueryResult, useQuery } from '@tanstack/react-query'
import { useConsole } from '../../data/console-context'
import { formatDuration } from '../../data/format-duration'
import { CostText } from '../../parts/cost-text'
import { EmptyState } from '../../parts/empty-state'
import { ErrorNotice } from '../../parts/error-notice'
import { TextLink } from '../../parts/text-link'
import { Timestamp } from '../../parts/timestamp'
import { EndBadge } from '../sessions/end-badge'
import { lengthOf } from '../sessions/end-labels'
import { SessionTimeline } from '../sessions/session-timeline'

export function useConversationSessions(conversationId: string): UseQueryResult<Page<RealtimeSession>> {
  const { parley } = useConsole()
  return useQuery({
    queryKey: ['RealtimeSession', 'conversation', conversationId],
    queryFn: async () => parley.realtimeSessions.list({ ConversationId: conversationId, Limit: 100 }),
  })
}

/** The conversation's sessions, newest first. */
export function ConversationSessions({
  sessions,
}: {
  readonly sessions: UseQueryResult<Page<RealtimeSession>>
}) {
  if (sessions.error !== null && sessions.data === undefined)
    return <ErrorNotice error={sessions.error} onRetry={() => void sessions.refetch()} />
  if (sessions.data === undefined) return <Skeleton h={120} />
  const { items, totalCount } = sessions.data
  if (items.length === 0)
    return (
      <EmptyState icon={IconWaveSine} title="No voice sessions">
        This conversation was text only.
      </EmptyState>
    )
  return (
    <>
      <Accordion variant="separated" multiple keepMounted={false}>
        {items.map((session) => (
          <Accordion.Item key={session.id} value={session.id}>
            <Accordion.Control>
              <SessionLine session={session} />
            </Accordion.Control>
            <Accordion.Panel>
              <SessionTimeline sessionId={session.id} />
              <TextLink to="/sessions/$sessionId" params={{ sessionId: session.id }} size="sm">
                View session
              </TextLink>
            </Accordion.Panel>
          </Accordion.Item>
        ))}
      </Accordion>
      {totalCount > items.length && (
        <Text size="sm" c="dimmed">
          Showing the newest {items.length} of {totalCount}.
        </Text>
      )}
    </>
  )
}

function SessionLine({ session }: { readonly session: RealtimeSession }) {
  const seconds = lengthOf(session)
  return (
    <Group gap="md" fz="sm">
      <Timestamp at={session.startedAt ?? session.createdAt} />
      <EndBadge session={session} />
      {seconds !== null && <Text inherit>{formatDuration(seconds)}</Text>}
      <Text inherit c="dimmed" data-figures>
        {session.usage.totalTokens.toLocaleString()} tokens
      </Text>
      <CostText cost={session.cost} />
    </Group>
  )
}
