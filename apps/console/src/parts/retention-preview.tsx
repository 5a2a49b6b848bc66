import { Text } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import type { ConversationRetentionPreview } from '@parley/sdk'
import { keepPreviousData, type UseQueryResult, useQuery } from '@tanstack/react-query'
import { useConsole } from '../data/console-context'
import { Timestamp } from './timestamp'

interface RetentionDays {
  readonly days: number | null
  /** Counts only conversations of this agent. */
  readonly agentId?: string
}

/** Counts the conversations that a retention would remove now. Reads nothing if the days are null. */
function useRetentionPreview({ days, agentId }: RetentionDays): UseQueryResult<ConversationRetentionPreview> {
  const { parley, may } = useConsole()
  const [asked] = useDebouncedValue(days, 300)
  return useQuery({
    queryKey: ['Conversation', 'retention', asked, agentId],
    queryFn: async () => parley.conversationRetentions.preview({ Days: String(asked), AgentId: agentId }),
    enabled: asked !== null && isValidRetention(asked) && may('conversation:read'),
    placeholderData: keepPreviousData,
  })
}

export const isValidRetention = (days: number) => Number.isInteger(days) && days >= 1 && days <= 36_500

/** The effect of a retention in words. */
export function RetentionPreview({ days, agentId }: RetentionDays) {
  const { data } = useRetentionPreview({ days, ...(agentId !== undefined && { agentId }) })
  return (
    <Text size="xs" c="dimmed" role="status">
      {days !== null && isValidRetention(days) && data !== undefined && describe(data)}
    </Text>
  )
}

function describe({ conversations, messages, oldestActivityAt }: ConversationRetentionPreview) {
  if (conversations === 0) return 'No conversation would be removed now.'
  return (
    <>
      {conversations.toLocaleString()} {conversations === 1 ? 'conversation' : 'conversations'} with{' '}
      {messages.toLocaleString()} {messages === 1 ? 'message' : 'messages'} would be removed now. The oldest
      was active <Timestamp at={oldestActivityAt} />.
    </>
  )
}
