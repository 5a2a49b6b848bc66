import type { RealtimeExchange } from '@parley/sdk'
import { formatMilliseconds } from '../../data/format-duration'

export interface ExchangePart {
  readonly kind: 'thinking' | 'voicing' | 'speaking' | 'tool' | 'approval'
  /** Milliseconds since the end of the user's speech. */
  readonly from: number
  readonly to: number
  readonly label: string
}

/** When the user stopped speaking or sent text, or when the model started on its own. */
export function heardAt({ speechStoppedAt, typedAt, responseCreatedAt, doneAt }: RealtimeExchange): number {
  return speechStoppedAt ?? typedAt ?? responseCreatedAt ?? doneAt
}

export function exchangeLength(exchange: RealtimeExchange): number {
  const ends = exchange.tools.map(({ startedAt, endedAt }) => endedAt ?? startedAt)
  return Math.max(exchange.doneAt, ...ends) - heardAt(exchange)
}

/** The time of the answer itself. */
export function answerParts(exchange: RealtimeExchange): readonly ExchangePart[] {
  const start = heardAt(exchange)
  const [token, audio, done] = [
    exchange.firstTokenAt ?? exchange.firstAudioAt ?? exchange.doneAt,
    exchange.firstAudioAt,
    exchange.doneAt,
  ]
  return [
    part('thinking', 'First token', 0, token - start),
    ...(audio === null ? [] : [part('voicing', 'First audio', token - start, audio - start)]),
    part('speaking', 'Answering', Math.max(token, audio ?? token) - start, done - start),
  ].filter(({ from, to }) => to > from)
}

/** Tool calls, each preceded by the wait for an approval if needed. */
export function toolParts(exchange: RealtimeExchange): readonly ExchangePart[] {
  const start = heardAt(exchange)
  return exchange.tools.flatMap(({ name, startedAt, endedAt, waitedForApprovalMs }) => {
    const [from, to] = [startedAt - start, (endedAt ?? exchange.doneAt) - start]
    const runsFrom = Math.min(to, from + waitedForApprovalMs)
    return [
      ...(waitedForApprovalMs > 0 ? [part('approval', `${name}: waiting for approval`, from, runsFrom)] : []),
      part('tool', name, runsFrom, to),
    ]
  })
}

function part(kind: ExchangePart['kind'], what: string, from: number, to: number): ExchangePart {
  return { kind, from, to, label: `${what}, ${formatMilliseconds(Math.max(0, to - from))}` }
}
