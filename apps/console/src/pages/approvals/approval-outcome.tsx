import { Group, Loader, Text } from '@mantine/core'
import type { Approval } from '@parley/sdk'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { useConsole } from '../../data/console-context'
import { ApprovalResult } from '../../parts/call-approval'
import { ErrorNotice } from '../../parts/error-notice'

interface ApprovalOutcomeProps {
  readonly approval: Approval
  /** As this person has just decided; null where it was somebody else, or nobody in time. */
  readonly decided: Approval | null
  /** Why this person's decision did not count; null where there was none that did not. */
  readonly refusal: string | null
}

/** What became of a call that does not wait any more. */
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
  // The buttons that had the focus are gone.
  const words = useRef<HTMLDivElement>(null)
  const isOwn = decided !== null || refusal !== null
  useEffect(() => {
    if (isOwn) words.current?.focus()
  }, [isOwn])
  const settled = decided ?? read.data
  return (
    <Group gap="xs" ref={words} tabIndex={-1} role="status" style={{ outline: 'none' }}>
      {refusal !== null && (
        <Text size="sm" fw={600} w="100%">
          Your decision came too late, and changed nothing. {refusal}
        </Text>
      )}
      {read.isLoading && <Loader size="xs" aria-label="Loading" />}
      {read.error !== null && <ErrorNotice error={read.error} onRetry={() => void read.refetch()} />}
      {settled === null && (
        <Text size="sm" c="dimmed">
          It does not wait any more.
        </Text>
      )}
      {settled !== undefined && settled !== null && <ApprovalResult approval={settled} />}
    </Group>
  )
}
