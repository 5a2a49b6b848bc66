import { Group, Loader, Text } from '@mantine/core'
import type { Approval } from '@parley/sdk'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { useConsole } from '../../data/console-context'
import { ApprovalResult } from '../../parts/call-approval'
import { ErrorNotice } from '../../parts/error-notice'

interface ApprovalOutcomeProps {
  readonly approval: Approval
  /** The decision of this user, or null if another user decided or it expired. */
  readonly decided: Approval | null
  /** Why this user's decision was rejected, or null. */
  readonly refusal: string | null
}

/** The outcome of a decided call. */
export function ApprovalOutcome({ approval, decided, refusal }: ApprovalOutcomeProps) {
  const { parley } = useConsole()
  const { id, conversationId } = approval
  const read = useQuery({
    queryKey: ['Approval', id],
    queryFn: async () => {
      const { items } = await parley.approvals.list({ ConversationId: conversationId, Limit: 200 })
      return items.find((one) => one.id === id) ?? null
    },
    enabled: decided === null,
  })
  // The focused button has disappeared.
  const element = useRef<HTMLDivElement>(null)
  const isOwn = decided !== null || refusal !== null
  useEffect(() => {
    if (isOwn) element.current?.focus()
  }, [isOwn])
  const settled = decided ?? read.data
  return (
    <Group gap="xs" ref={element} tabIndex={-1} role="status" style={{ outline: 'none' }}>
      {refusal !== null && (
        <Text size="sm" fw={600} w="100%">
          Your decision was too late and had no effect. {refusal}
        </Text>
      )}
      {read.isLoading && <Loader size="xs" aria-label="Loading" />}
      {read.error !== null && <ErrorNotice error={read.error} onRetry={() => void read.refetch()} />}
      {settled === null && (
        <Text size="sm" c="dimmed">
          No longer pending.
        </Text>
      )}
      {settled !== undefined && settled !== null && <ApprovalResult approval={settled} />}
    </Group>
  )
}
