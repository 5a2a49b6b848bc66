import { Badge } from '@mantine/core'
import type { Task } from '@parley/sdk'

export const statusLabels: Readonly<
  Record<Task['status'], { readonly label: string; readonly color: string }>
> = {
  open: { label: 'Open', color: 'blue' },
  in_progress: { label: 'In progress', color: 'violet' },
  done: { label: 'Done', color: 'green' },
  failed: { label: 'Failed', color: 'red' },
  cancelled: { label: 'Cancelled', color: 'gray' },
}

export const priorityLabels: Readonly<Record<Task['priority'], string>> = {
  urgent: 'Urgent',
  high: 'High',
  normal: 'Normal',
  low: 'Low',
}

export const channelLabels: Readonly<Record<Task['channel'], string>> = {
  text: 'Text',
  telephone: 'Telephone call',
}

export function StatusBadge({ status }: Pick<Task, 'status'>) {
  const { label, color } = statusLabels[status]
  return (
    <Badge variant="light" color={color}>
      {label}
    </Badge>
  )
}
