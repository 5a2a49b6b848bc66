import { Text, UnstyledButton } from '@mantine/core'
import type { RealtimeStatistics } from '@parley/sdk'
import { type EndReason, endLabels } from './end-labels'
import styles from './sessions.module.css'

interface EndsChartProps {
  readonly ends: RealtimeStatistics['total']['ends']
  readonly onReason: (reason: EndReason) => void
}

/** The number of sessions by end reason, each with a link to them. */
export function EndsChart({ ends, onReason }: EndsChartProps) {
  const sorted = ends.toSorted((one, other) => other.sessions - one.sessions)
  const max = sorted[0]?.sessions ?? 1
  if (sorted.length === 0)
    return (
      <Text size="sm" c="dimmed">
        No sessions ended in this period.
      </Text>
    )
  return (
    <ul className={styles.ends}>
      {sorted.map(({ reason, sessions }) => (
        <li key={reason}>
          <UnstyledButton className={styles.end} onClick={() => onReason(reason)} fz="sm">
            <span className={styles.endWords}>{endLabels[reason].label}</span>
            <span data-figures>{sessions.toLocaleString()}</span>
            <span className={styles.endTrack} aria-hidden>
              <span
                className={styles.endBar}
                data-color={endLabels[reason].color}
                style={{ width: `${(sessions / max) * 100}%` }}
              />
            </span>
          </UnstyledButton>
        </li>
      ))}
    </ul>
  )
}
