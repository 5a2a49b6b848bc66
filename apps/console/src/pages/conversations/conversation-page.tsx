import { Badge, Group, Skeleton, Stack, Tabs, Text } from '@mantine/core'
import type { Conversation } from '@parley/sdk'
import {
  IconInfoCircle,
  IconMessageOff,
  IconMessages,
  IconPlayerPlay,
  IconWaveSine,
} from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { useConsole } from '../../data/console-context'
import { useFilter } from '../../data/use-filter'
import { AgentName } from '../../parts/agent-select'
import { EndUserLink } from '../../parts/end-user-link'
import { PageFrame } from '../../parts/page-frame'
import { PageOfOne } from '../../parts/page-of-one'
import { TabStrip } from '../../parts/tab-strip'
import { ButtonLink } from '../../parts/text-link'
import { Timestamp } from '../../parts/timestamp'
import { AddAsTest } from './add-as-test'
import { ConversationDetails } from './conversation-details'
import { ConversationSessions, useConversationSessions } from './conversation-sessions'
import { DeleteConversation } from './delete-conversation'
import { Transcript } from './transcript'

const missing = {
  icon: IconMessageOff,
  title: 'Conversation not found',
  why: 'It may have been deleted.',
}

/** One conversation: transcript and sessions. */
export function ConversationPage() {
  const { conversationId } = useParams({ from: '/inside/conversations/$conversationId' })
  const { parley } = useConsole()
  const conversation = useQuery({
    queryKey: ['Conversation', conversationId],
    queryFn: async () => parley.conversations.get(conversationId),
  })
  return (
    <PageOfOne title="Conversation" read={conversation} missing={missing}>
      {(data) => <ConversationParts conversationId={conversationId} data={data} />}
    </PageOfOne>
  )
}

interface ConversationPartsProps {
  readonly conversationId: string
  readonly data: Conversation | undefined
}

function ConversationParts({ conversationId, data }: ConversationPartsProps) {
  const { may } = useConsole()
  const [{ tab = 'transcript' }, setFilter] = useFilter(['tab'])
  const sessions = useConversationSessions(conversationId)
  const actions = data !== undefined && (
    <>
      {may('realtime:create') && !data.rehearsal && (
        <ButtonLink
          to="/playground"
          search={{ agent: data.agentId, conversation: data.id }}
          leftSection={<IconPlayerPlay size={16} />}
        >
          Continue in playground
        </ButtonLink>
      )}
      {may('agent:write') && data.messageCount > 0 && <AddAsTest conversation={data} />}
      {may('conversation:write') && <DeleteConversation conversation={data} />}
    </>
  )
  return (
    <PageFrame
      title={data === undefined ? 'Conversation' : (data.title ?? 'Untitled conversation')}
      actions={actions}
      isFilling
    >
      {data === undefined ? (
        <Skeleton h={20} w="18rem" />
      ) : (
        <Group gap="4px 16px" c="dimmed" fz="sm">
          <Text inherit truncate maw="24rem">
            with <AgentName agentId={data.agentId} />
          </Text>
          <Text inherit>
            started <Timestamp at={data.createdAt} />
          </Text>
          <Text inherit>
            last message <Timestamp at={data.lastMessageAt} never="none yet" />
          </Text>
          {data.endUserId !== null && (
            <Text inherit truncate maw="24rem">
              end user <EndUserLink of={data} />
            </Text>
          )}
          {data.rehearsal && <Text inherit>Rehearsal</Text>}
        </Group>
      )}
      <Tabs
        value={tab}
        onChange={(next) => setFilter({ tab: next === 'transcript' || next === null ? '' : next })}
        keepMounted={false}
        flex={1}
        mih={0}
        display="flex"
        style={{ flexDirection: 'column' }}
      >
        <TabStrip value={tab}>
          <Tabs.Tab
            value="transcript"
            leftSection={<IconMessages size={16} />}
            rightSection={<Count of={data?.messageCount} />}
          >
            Transcript
          </Tabs.Tab>
          <Tabs.Tab
            value="sessions"
            leftSection={<IconWaveSine size={16} />}
            rightSection={<Count of={sessions.data?.totalCount} />}
          >
            Sessions
          </Tabs.Tab>
          <Tabs.Tab value="details" leftSection={<IconInfoCircle size={16} />}>
            Details
          </Tabs.Tab>
        </TabStrip>
        <Tabs.Panel value="transcript" flex={1} mih={0} pt="sm">
          <Transcript conversationId={conversationId} agentId={data?.agentId ?? null} />
        </Tabs.Panel>
        <Tabs.Panel value="sessions" flex={1} mih={0} pt="sm" style={{ overflow: 'auto' }}>
          <Stack>
            <ConversationSessions sessions={sessions} />
          </Stack>
        </Tabs.Panel>
        <Tabs.Panel value="details" flex={1} mih={0} pt="sm" style={{ overflow: 'auto' }}>
          {data === undefined ? <Skeleton h={150} /> : <ConversationDetails conversation={data} />}
        </Tabs.Panel>
      </Tabs>
    </PageFrame>
  )
}

function Count({ of }: { readonly of: number | undefined }) {
  return of === undefined ? null : (
    <Badge size="sm" variant="default">
      {String(of)}
    </Badge>
  )
}
