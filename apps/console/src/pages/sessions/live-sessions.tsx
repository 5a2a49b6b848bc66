import { Group, Skeleton, Text, Title } from '@mantine/core'
import type { ListRealtimeSessionsQuery, RealtimeSession } from '@parley/sdk'
import { useQuery } from '@tanstack/react-query'
import { useConsole } from '../../data/console-context'
import { formatDuration } from '../../data/format-duration'
import { useSecond } from '../../data/ticking'
import { AgentName } from '../../parts/agent-select'
import { ErrorNotice } from '../../parts/error-notice'
import { TextLink } from '../../parts/text-link'
import { lengthOf } from './end-labels'
import { EndSession } from './end-session'
import styles from './sessions.module.css'

const maxShown = 100

interface LiveSessionsProps {
  readonly filter: Pick<ListRealtimeSessionsQuery, 'AgentId' | 'EndUserId' | `Metadata.${string}`>
}

export function LiveSessions({ filter }: LiveSessionsProps) {
  const { parley } = useConsole()
  const running = useQuery({
    queryKey: ['RealtimeSession', 'running', filter],
    queryFn: async () => parley.realtimeSessions.list({ ...filter, IsRunning: 'true', Limit: maxShown }),
  })
  const { data } = running
  return (
    <section aria-labelledby="live-sessions">
      <Title order={2} fz="md" mb="xs" id="live-sessions">
        Live{data !== undefined && data.totalCount > 0 && ` (${data.totalCount})`}
      </Title>
      {running.error !== null && data === undefined && (
        <ErrorNotice error={running.error} onRetry={() => void running.refetch()} />
      )}
      {running.isPending && <Skeleton h={50} />}
      {data?.items.length === 0 && (
        <Text size="sm" c="dimmed" className={styles.nobody}>
          No live sessions.
        </Text>
      )}
      {data !== undefined && data.items.length > 0 && (
        <ul className={styles.live}>
          {data.items.map((session) => (
            <LiveSession key={session.id} session={session} />
          ))}
        </ul>
      )}
      {data !== undefined && data.totalCount > maxShown && (
        <Text size="sm" c="dimmed" mt="xs">
          Showing the newest {maxShown} of {data.totalCount}.
        </Text>
      )}
    </section>
  )
}

function LiveSession({ session }: { readonly session: RealtimeSession }) {
  const second = useSecond()
  return (
    <li className={styles.liveRow}>
      <Group gap="sm" wrap="nowrap" miw={0}>
        <span className={styles.pulse} aria-hidden />
        <TextLink
          to="/sessions/$sessionId"
          params={{ sessionId: session.id }}
          size="sm"
          fw={600}
          c="inherit"
          truncate
        >
          <AgentName agentId={session.agentId} />
        </TextLink>
      </Group>
      <Text size="sm" data-figures role="timer" aria-label="Duration">
        {formatDuration(lengthOf(session, second * 1000) ?? 0)}
      </Text>
      <TextLink
        to="/conversations/$conversationId"
        params={{ conversationId: session.conversationId }}
        size="sm"
        visibleFrom="sm"
      >
        Conversation
      </TextLink>
      <EndSession session={session} />
    </li>
  )
}
