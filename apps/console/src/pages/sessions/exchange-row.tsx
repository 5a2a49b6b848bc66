import { Badge, Text, Tooltip } from '@mantine/core'
import type { RealtimeExchange } from '@parley/sdk'
import { formatDuration, formatMilliseconds } from '../../data/format-duration'
import { answerParts, type ExchangePart, exchangeLength, heardAt, toolParts } from './exchange-parts'
import styles from './timeline.module.css'

interface ExchangeRowProps {
  readonly exchange: RealtimeExchange
  /** The duration that the full width represents. */
  readonly scale: number
}

export function ExchangeRow({ exchange, scale }: ExchangeRowProps) {
  const { number, status } = exchange
  const tools = toolParts(exchange)
  return (
    <li className={styles.exchange} aria-label={describeExchange(exchange)}>
      <Text size="xs" c="dimmed" data-figures aria-hidden>
        {number} · {formatDuration(heardAt(exchange) / 1000)}
      </Text>
      <div className={styles.bars} aria-hidden data-cut={exchangeLength(exchange) > scale || undefined}>
        <Bar parts={answerParts(exchange)} scale={scale} />
        {tools.length > 0 && <Bar parts={tools} scale={scale} />}
      </div>
      <Text size="xs" data-figures ta="right" aria-hidden>
        {status === 'completed' ? (
          answerAfter(exchange)
        ) : (
          <Badge size="sm" variant="light" color={status === 'failed' ? 'red' : 'orange'}>
            {status}
          </Badge>
        )}
      </Text>
    </li>
  )
}

function Bar({ parts, scale }: { readonly parts: readonly ExchangePart[]; readonly scale: number }) {
  const share = (milliseconds: number) => `${Math.min(100, (milliseconds / scale) * 100)}%`
  return (
    <div className={styles.bar}>
      {parts.map(({ kind, from, to, label }) => (
        <Tooltip key={`${kind} ${from} ${label}`} label={label}>
          <span
            className={styles.part}
            data-kind={kind}
            style={{ left: share(from), width: share(Math.min(to, scale) - Math.min(from, scale)) }}
          />
        </Tooltip>
      ))}
    </div>
  )
}

function answerAfter(exchange: RealtimeExchange): string {
  const first = exchange.firstAudioAt ?? exchange.firstTokenAt
  return first === null ? '' : formatMilliseconds(first - heardAt(exchange))
}

function describeExchange(exchange: RealtimeExchange): string {
  const parts = [...answerParts(exchange), ...toolParts(exchange)].map(({ label }) => label)
  const began = `Exchange ${exchange.number}, ${formatDuration(heardAt(exchange) / 1000)} after the start, ${exchange.status}`
  return [began, ...parts].join('. ')
}
