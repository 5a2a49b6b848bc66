import { Group, Skeleton, Text } from '@mantine/core'
import type { RealtimeExchange } from '@parley/sdk'
import { useQuery } from '@tanstack/react-query'
import { useConsole } from '../../data/console-context'
import { formatMilliseconds } from '../../data/format-duration'
import { ErrorNotice } from '../../parts/error-notice'
import { exchangeLength } from './exchange-parts'
import { ExchangeRow } from './exchange-row'
import styles from './timeline.module.css'

const legend = [
  ['thinking', 'First token'],
  ['voicing', 'First audio'],
  ['speaking', 'Answering'],
  ['tool', 'Tool call'],
  ['approval', 'Waiting for approval'],
] as const

/** The timeline of a session by exchange, each relative to the user's input. */
export function SessionTimeline({ sessionId }: { readonly sessionId: string }) {
  const { parley } = useConsole()
  const timeline = useQuery({
    queryKey: ['RealtimeSession', sessionId, 'timeline'],
    queryFn: async () => parley.realtimeSessions.getTimeline(sessionId),
  })
  if (timeline.error !== null && timeline.data === undefined)
    return <ErrorNotice error={timeline.error} onRetry={() => void timeline.refetch()} />
  if (timeline.data === undefined) return <Skeleton h={120} />
  const { exchanges } = timeline.data
  if (exchanges.length === 0)
    return (
      <Text size="sm" c="dimmed">
        No completed exchanges yet.
      </Text>
    )
  const scale = scaleOf(exchanges)
  return (
    <div>
      <Group gap="md" mb="xs" fz="xs" c="dimmed">
        {legend.map(([kind, label]) => (
          <Group key={kind} gap={6} wrap="nowrap">
            <span className={styles.key} data-kind={kind} aria-hidden />
            {label}
          </Group>
        ))}
      </Group>
      <ol className={styles.exchanges} aria-label="Exchanges">
        {exchanges.map((exchange) => (
          <ExchangeRow key={exchange.number} exchange={exchange} scale={scale} />
        ))}
      </ol>
      <Group justify="space-between" className={styles.axis} aria-hidden>
        <span>User input</span>
        <span>{formatMilliseconds(scale)}</span>
      </Group>
    </div>
  )
}

/** The longest exchange. Long waits for approvals are cut, so that the others stay readable. */
function scaleOf(exchanges: readonly RealtimeExchange[]): number {
  const lengths = exchanges.map(exchangeLength).toSorted((one, other) => one - other)
  const [median = 0, longest = 0] = [lengths[Math.floor(lengths.length / 2)], lengths.at(-1)]
  return Math.max(1000, Math.min(longest, Math.max(10_000, median * 4)))
}
