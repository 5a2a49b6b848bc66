import { Group, Skeleton, Text, Title } from '@mantine/core'
import type { Conversation, RealtimeSession } from '@parley/sdk'
import { IconWaveSine } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useConsole } from '../../data/console-context'
import { formatCost } from '../../data/format-cost'
import { formatDuration, formatMilliseconds } from '../../data/format-duration'
import { useSecond } from '../../data/ticking'
import { AgentName } from '../../parts/agent-select'
import { CopyField } from '../../parts/copy-field'
import { EndUserLink } from '../../parts/end-user-link'
import { MetadataFacts } from '../../parts/metadata-facts'
import { PageFrame } from '../../parts/page-frame'
import { PageOfOne } from '../../parts/page-of-one'
import { TextLink } from '../../parts/text-link'
import { Timestamp } from '../../parts/timestamp'
import { EndBadge } from './end-badge'
import { lengthOf } from './end-labels'
import { EndSession } from './end-session'
import { SessionTimeline } from './session-timeline'
import styles from './sessions.module.css'
import { UsageTable } from './usage-table'

const missing = {
  icon: IconWaveSine,
  title: 'Session not found',
  why: 'Sessions are deleted some time after they end.',
}

/** One session: details, usage and timeline. */
export function SessionPage() {
  const { sessionId } = useParams({ from: '/inside/sessions/$sessionId' })
  const { parley } = useConsole()
  const session = useQuery({
    queryKey: ['RealtimeSession', sessionId],
    queryFn: async () => parley.realtimeSessions.get(sessionId),
  })
  return (
    <PageOfOne title="Session" read={session} missing={missing}>
      {(data) => <SessionParts sessionId={sessionId} session={data} />}
    </PageOfOne>
  )
}

interface SessionPartsProps {
  readonly sessionId: string
  readonly session: RealtimeSession | undefined
}

function SessionParts({ sessionId, session }: SessionPartsProps) {
  const conversation = useSessionConversation(session)
  const isRunning = session !== undefined && session.startedAt !== null && session.endedAt === null
  return (
    <PageFrame
      title="Session"
      back={
        <TextLink to="/sessions" size="sm">
          Back to sessions
        </TextLink>
      }
      actions={isRunning && <EndSession session={session} />}
    >
      {session === undefined ? (
        <Skeleton h={150} />
      ) : (
        <SessionFacts session={session} conversation={conversation} />
      )}
      <section aria-labelledby="session-timeline" className={styles.card}>
        <Group justify="space-between" mb="xs">
          <Title order={2} fz="md" id="session-timeline">
            Timeline
          </Title>
          {session !== undefined && (
            <TextLink
              to="/conversations/$conversationId"
              params={{ conversationId: session.conversationId }}
              size="sm"
            >
              View transcript
            </TextLink>
          )}
        </Group>
        <SessionTimeline sessionId={sessionId} />
      </section>
      {conversation !== undefined && Object.keys(conversation.metadata).length > 0 && (
        <section aria-labelledby="session-metadata" className={styles.card}>
          <Title order={2} fz="md" mb="xs" id="session-metadata">
            Metadata
          </Title>
          <MetadataFacts metadata={conversation.metadata} />
        </section>
      )}
      <section aria-labelledby="session-usage">
        <Title order={2} fz="md" mb="xs" id="session-usage">
          Usage
        </Title>
        {session === undefined ? <Skeleton h={220} /> : <UsageTable usage={session.usage} />}
      </section>
    </PageFrame>
  )
}

function useSessionConversation(session: RealtimeSession | undefined): Conversation | undefined {
  const { parley } = useConsole()
  const id = session?.conversationId ?? ''
  const { data } = useQuery({
    queryKey: ['Conversation', id],
    queryFn: async () => parley.conversations.get(id),
    enabled: session !== undefined,
  })
  return data
}

interface SessionFactsProps {
  readonly session: RealtimeSession
  /** Undefined while loading, and if it was deleted. */
  readonly conversation: Conversation | undefined
}

function SessionFacts({ session, conversation }: SessionFactsProps) {
  const { id, agentId, startedAt, endedAt, createdAt, usage } = session
  const { amount, missing } = formatCost(session.cost)
  return (
    <dl className={`${styles.card} ${styles.facts}`}>
      <Fact name="Agent">
        <TextLink to="/agents/$agentId" params={{ agentId }} size="sm">
          <AgentName agentId={agentId} />
        </TextLink>
      </Fact>
      <Fact name="Status">
        <EndBadge session={session} />
      </Fact>
      <Fact name="Duration">
        <RunningLength session={session} />
      </Fact>
      <Fact name="Token created">
        <Timestamp at={createdAt} />
      </Fact>
      <Fact name="Connected">
        <Timestamp at={startedAt} />
      </Fact>
      <Fact name="Ended">
        <Timestamp at={endedAt} never="not yet" />
      </Fact>
      <Fact name="Responses">
        <span data-figures>{usage.responses}</span>
      </Fact>
      <Fact name="Time to first audio">
        <span data-figures>{formatLatency(session)}</span>
      </Fact>
      <Fact name="Cost">
        <span data-figures>{amount}</span>
        {missing !== null && (
          <Text size="xs" c="dimmed">
            {missing}
          </Text>
        )}
      </Fact>
      {conversation !== undefined && (
        <Fact name="End user">
          <EndUserLink of={conversation} />
        </Fact>
      )}
      <Fact name="ID" isWide>
        <CopyField value={id} label="session ID" />
      </Fact>
    </dl>
  )
}

function formatLatency({ latency }: RealtimeSession): string {
  if (latency?.firstAudioP50Ms == null) return 'no data'
  const half = `${formatMilliseconds(latency.firstAudioP50Ms)} (median)`
  return latency.firstAudioP95Ms === null
    ? half
    : `${half}, ${formatMilliseconds(latency.firstAudioP95Ms)} (p95)`
}

interface FactProps {
  readonly name: string
  /** Whether the fact has a line of its own. */
  readonly isWide?: boolean
  readonly children: ReactNode
}

function Fact({ name, isWide = false, children }: FactProps) {
  return (
    <div className={isWide ? styles.wide : undefined}>
      <Text component="dt" size="xs" c="dimmed">
        {name}
      </Text>
      <Text component="dd" size="sm" style={{ overflowWrap: 'anywhere' }}>
        {children}
      </Text>
    </div>
  )
}

function RunningLength({ session }: { readonly session: RealtimeSession }) {
  const second = useSecond()
  const seconds = lengthOf(session, second * 1000)
  return <span data-figures>{seconds === null ? 'none' : formatDuration(seconds)}</span>
}
