import { memo } from 'react'
import type { Timing } from '../thread/timing'
import { formatDuration } from './call-card'
import styles from './transcript.module.css'

interface Part {
  readonly key: string
  readonly label: string
  readonly kind: 'heard' | 'token' | 'audio' | 'tool' | 'decision' | 'done'
  readonly from: number
  readonly to: number
}

/** The timing of an exchange, from the end of the user's input. */
export const TimingLine = memo(function TimingLine({ timing }: { readonly timing: Timing }) {
  const parts = partsOf(timing)
  const total = Math.max(1, ...parts.map(({ to }) => to))
  if (parts.length === 0) return null
  return (
    <details className={styles.timing} aria-label="Response times">
      <summary>{formatDuration(answeredAfter(timing) ?? total)}</summary>
      <div className={styles.line} aria-hidden="true">
        {parts.map(({ key, kind, from, to }) => (
          <div
            key={key}
            className={`${styles.part} ${styles[kind]}`}
            style={{ left: `${(from / total) * 100}%`, width: `${((to - from) / total) * 100}%` }}
          />
        ))}
      </div>
      <ul className={styles.figures}>
        {parts.map(({ key, kind, label, from, to }) => (
          <li key={key} className={styles[kind]}>
            {label} {formatDuration(kind === 'tool' || kind === 'decision' ? to - from : to)}
          </li>
        ))}
      </ul>
    </details>
  )
})

/** The time until the user hears or reads the first part of the answer. */
function answeredAfter({ startedAt, firstAudioAt, firstTokenAt }: Timing): number | null {
  const first = firstAudioAt ?? firstTokenAt
  return first === null ? null : Math.max(0, first - startedAt)
}

/** In order of time. All times are relative to the start of the exchange. */
function partsOf(timing: Timing): readonly Part[] {
  const { startedAt, heardAt, firstTokenAt, firstAudioAt, doneAt } = timing
  const marks = [
    { key: 'heard', label: 'End of speech', kind: 'heard', at: heardAt },
    { key: 'token', label: 'First token', kind: 'token', at: firstTokenAt },
    { key: 'audio', label: 'First audio', kind: 'audio', at: firstAudioAt },
    { key: 'done', label: 'Complete', kind: 'done', at: doneAt },
  ] as const
  const known = marks
    .flatMap(({ at, ...mark }) => (at === null ? [] : [{ ...mark, to: Math.max(0, at - startedAt) }]))
    .toSorted((one, other) => one.to - other.to)
  const steps = known.map((mark, index) => ({ ...mark, from: known[index - 1]?.to ?? 0 }))
  const tools = timing.tools.flatMap(({ key, title, isDecision, from, to }): Part[] =>
    to === null
      ? []
      : [
          {
            key: `tool-${key}-${from}`,
            label: isDecision ? `Approval of ${title}` : title,
            kind: isDecision ? 'decision' : 'tool',
            from: from - startedAt,
            to: to - startedAt,
          },
        ],
  )
  // Tool time overlaps the other steps.
  return [...steps, ...tools]
}
