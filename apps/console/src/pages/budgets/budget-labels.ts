import type { Budget } from '@parley/sdk'
import { formatMoney } from '../../data/format-cost'

export const stateLabels = {
  open: { label: 'Within limit', color: 'green' },
  warning: { label: 'Near limit', color: 'orange' },
  exceeded: { label: 'Limit reached', color: 'red' },
} as const satisfies Readonly<Record<Budget['state'], { readonly label: string; readonly color: string }>>

/** Usage of a limit: `$12.40 of $500.00`. */
export function formatSpent({ spent, limit }: Budget): string {
  if (limit.amount !== undefined) return `${formatMoney(spent.amount)} of ${formatMoney(limit.amount)}`
  return `${spent.tokens.toLocaleString()} of ${(limit.tokens ?? 0).toLocaleString()} tokens`
}

/** Explains the effect of an exhausted budget, and its end. */
export function describeExceeded({ onExceeded, resetsAt }: Budget): string {
  const running = onExceeded === 'end' ? 'Running sessions are ended.' : 'Running sessions may finish.'
  return `New sessions, questions and task runs are rejected until ${formatTime(resetsAt)}. ${running}`
}

const timeFormat = new Intl.DateTimeFormat(undefined, {
  dateStyle: 'medium',
  timeStyle: 'short',
})

export const formatTime = (at: string) => timeFormat.format(new Date(at))
