import { Alert, Loader } from '@mantine/core'
import type { EndUser } from '@parley/sdk'
import { Timestamp } from '../../parts/timestamp'

interface ErasureNoticeProps {
  readonly erasure: NonNullable<EndUser['erasure']>
}

/** The progress of an erasure. */
export function ErasureNotice({ erasure }: ErasureNoticeProps) {
  const { startedAt, remainingConversations, remainingTasks } = erasure
  return (
    <Alert
      color="orange"
      icon={<Loader size={18} color="orange" />}
      title="Erasing this end user"
      role="status"
    >
      {counted(remainingConversations, 'conversation')} and {counted(remainingTasks, 'task')} left. Started{' '}
      <Timestamp at={startedAt} />. You can leave this page.
    </Alert>
  )
}

const counted = (count: number, what: string) => `${count.toLocaleString()} ${what}${count === 1 ? '' : 's'}`
