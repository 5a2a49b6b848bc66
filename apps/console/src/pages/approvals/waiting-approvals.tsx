import { Button, Group, Skeleton, Stack, Text } from '@mantine/core'
import type { Approval } from '@parley/sdk'
import { IconUserCheck } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useConsole } from '../../data/console-context'
import { EmptyState } from '../../parts/empty-state'
import { ErrorNotice } from '../../parts/error-notice'
import { ApprovalCard } from './approval-card'

const maxShown = 50

/** Pending approvals, oldest first. A card that is decided while visible stays and shows its outcome. */
export function WaitingApprovals() {
  const { parley } = useConsole()
  const waiting = useQuery({
    queryKey: ['Approval', 'waiting'],
    queryFn: async () => parley.approvals.list({ IsWaiting: 'true', Order: 'oldest', Limit: maxShown }),
  })
  const [seen, setSeen] = useState<readonly Approval[]>([])
  const items = waiting.data?.items ?? []
  const unseen = items.filter(({ id }) => !seen.some((one) => one.id === id))
  if (unseen.length > 0) setSeen([...seen, ...unseen])

  if (waiting.error !== null && waiting.data === undefined)
    return <ErrorNotice error={waiting.error} onRetry={() => void waiting.refetch()} />
  if (waiting.data === undefined) return <Skeleton h={220} maw="48rem" />
  if (seen.length === 0)
    return (
      <EmptyState icon={IconUserCheck} title="No pending approvals">
        Tool calls that need approval appear here.
      </EmptyState>
    )
  const { totalCount } = waiting.data
  return (
    <Stack maw="48rem">
      <Stack component="ul" gap="md" m={0} p={0} style={{ listStyle: 'none' }} aria-label="Pending approvals">
        {seen.map((approval) => (
          <li key={approval.id}>
            <ApprovalCard approval={approval} isWaiting={items.some(({ id }) => id === approval.id)} />
          </li>
        ))}
      </Stack>
      <Group justify="space-between" pb="md">
        <Text size="sm" c="dimmed">
          {totalCount > items.length
            ? `Showing the oldest ${items.length} of ${totalCount}. More appear as you decide.`
            : ''}
        </Text>
        {seen.length > items.length && (
          <Button variant="default" size="xs" onClick={() => setSeen(items)}>
            Hide resolved
          </Button>
        )}
      </Group>
    </Stack>
  )
}
