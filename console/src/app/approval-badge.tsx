import { Badge } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useConsole } from '../data/console-context'

/** How many calls wait for a person. */
export function ApprovalBadge() {
  const { parley } = useConsole()
  const waiting = useQuery({
    queryKey: ['Approval', 'count'],
    queryFn: async () => (await parley.approvals.list({ State: 'waiting', Limit: 1 })).totalCount,
  })
  if (!waiting.data) return null
  return (
    <Badge size="sm" circle={waiting.data < 10} aria-label={`${waiting.data} waiting`}>
      {String(waiting.data)}
    </Badge>
  )
}
