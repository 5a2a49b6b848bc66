import { Badge, Portal, VisuallyHidden } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useConsole } from '../data/console-context'
import { useApprovalNews } from './approval-news'
import { useTitleCount } from './title-count'

/** The number of pending approvals. Notifies the user about new ones on other pages, except dry runs. */
export function ApprovalBadge() {
  const { parley } = useConsole()
  const waiting = useQuery({
    queryKey: ['Approval', 'newest'],
    queryFn: async () => parley.approvals.list({ IsWaiting: 'true', Rehearsal: 'false', Limit: 1 }),
  })
  const count = waiting.data?.totalCount ?? 0
  const news = useApprovalNews(waiting.data)
  useTitleCount(count)
  return (
    <>
      {count > 0 && (
        <Badge size="sm" circle={count < 10} aria-label={`${count} pending`}>
          {String(count)}
        </Badge>
      )}
      <Portal>
        <VisuallyHidden role="status">{news}</VisuallyHidden>
      </Portal>
    </>
  )
}
