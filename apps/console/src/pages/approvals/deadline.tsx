import { Badge } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { formatDuration } from '../../data/format-duration'
import { useSecond } from '../../data/ticking'

const urgentSeconds = 30

/** The remaining time, counting down. */
export function Deadline({ at }: { readonly at: string }) {
  const queries = useQueryClient()
  const left = Math.ceil(Date.parse(at) / 1000 - useSecond())
  const isOver = left <= 0
  useEffect(() => {
    if (isOver) void queries.invalidateQueries({ queryKey: ['Approval'] })
  }, [isOver, queries])
  return (
    <Badge
      variant="light"
      color={left <= urgentSeconds ? 'red' : 'orange'}
      size="lg"
      role="timer"
      data-figures
      style={{ flex: 'none' }}
    >
      {isOver ? 'Expired' : `${formatDuration(left)} left`}
    </Badge>
  )
}
