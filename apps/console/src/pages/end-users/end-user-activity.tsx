import type { Conversation, RealtimeSession } from '@parley/sdk'
import { IconMessages, IconWaveSine } from '@tabler/icons-react'
import { useNavigate } from '@tanstack/react-router'
import { useConsole } from '../../data/console-context'
import { useRows } from '../../data/use-rows'
import { EmptyState } from '../../parts/empty-state'
import { RowList } from '../../parts/row-list'
import { conversationColumns } from '../conversations/conversation-columns'
import { sessionColumns } from '../sessions/session-columns'

interface OfEndUser {
  readonly endUserId: string
}

export function EndUserConversations({ endUserId }: OfEndUser) {
  const { parley } = useConsole()
  const navigate = useNavigate()
  const rows = useRows<Conversation>({
    resource: 'Conversation',
    of: endUserId,
    read: (range) => parley.conversations.list({ EndUserId: endUserId, ...range }),
  })
  return (
    <RowList
      label="Conversations"
      rows={rows}
      columns={conversationColumns}
      onOpen={({ id }) =>
        void navigate({ to: '/conversations/$conversationId', params: { conversationId: id } })
      }
      empty={
        <EmptyState icon={IconMessages} title="No conversations">
          All conversations of this end user were deleted.
        </EmptyState>
      }
    />
  )
}

export function EndUserSessions({ endUserId }: OfEndUser) {
  const { parley } = useConsole()
  const navigate = useNavigate()
  const rows = useRows<RealtimeSession>({
    resource: 'RealtimeSession',
    of: endUserId,
    read: (range) => parley.realtimeSessions.list({ EndUserId: endUserId, ...range }),
  })
  return (
    <RowList
      label="Sessions"
      rows={rows}
      columns={sessionColumns}
      onOpen={({ id }) => void navigate({ to: '/sessions/$sessionId', params: { sessionId: id } })}
      empty={
        <EmptyState icon={IconWaveSine} title="No voice sessions">
          This end user has only used text.
        </EmptyState>
      }
    />
  )
}
