import { Text } from '@mantine/core'
import type { Message } from '@parley/sdk'
import { useQuery } from '@tanstack/react-query'
import { useConsole } from '../../data/console-context'
import { formatCost } from '../../data/format-cost'
import { TextLink } from '../../parts/text-link'

/** Usage of an answer: tokens and cost for a turn, a link for a session. */
export function MessageUsage({ message }: { readonly message: Message }) {
  const { originId, channel, role } = message
  if (originId === null || role !== 'assistant') return null
  if (channel === 'text') return <TurnUsage conversationId={message.conversationId} turnId={originId} />
  return (
    <TextLink to="/sessions/$sessionId" params={{ sessionId: originId }} size="xs">
      View session
    </TextLink>
  )
}

function TurnUsage({ conversationId, turnId }: { readonly conversationId: string; readonly turnId: string }) {
  const { parley } = useConsole()
  const turn = useQuery({
    queryKey: ['Turn', turnId],
    queryFn: async () => parley.questions.getTurn(conversationId, turnId),
    staleTime: 600_000,
    retry: false,
  })
  if (turn.data === undefined) return null
  const { inputTokens, outputTokens, cachedInputTokens } = turn.data.usage
  // The built-in model uses no tokens and costs nothing.
  if (inputTokens === 0 && outputTokens === 0) return null
  const cached = cachedInputTokens > 0 ? ` (${cachedInputTokens} cached)` : ''
  return (
    <Text span size="xs" c="dimmed">
      {`${inputTokens} input tokens${cached}, ${outputTokens} output tokens, ${formatCost(turn.data.cost).amount}`}
    </Text>
  )
}
