import type { Budget } from '@parley/sdk'
import { moneyWords } from '../../data/cost-words'

export const stateWords = {
  open: { words: 'Within limit', color: 'green' },
  warning: { words: 'Near limit', color: 'orange' },
  exceeded: { words: 'Limit reached', color: 'red' },
} as const satisfies Readonly<Record<Budget['state'], { readonly words: string; readonly color: string }>>

/** Usage of a limit: `$12.40 of $500.00`. */
export function spentWords({ spent, limit }: Budget): string {
  if (limit.amount !== undefined) return `${moneyWords(spent.amount)} of ${moneyWords(limit.amount)}`
  return `${spent.tokens.toLocaleString()} of ${(limit.tokens ?? 0).toLocaleString()} tokens`
}

/** Explains the effect of an exhausted budget, and its end. */
export function exceededWords({ onExceeded, resetsAt }: Budget): string {
  const running = onExceeded === 'end' ? 'Running sessions are ended.' : 'Running sessions may finish.'
  return `New sessions, questions and task runs are rejected until ${momentWords(resetsAt)}. ${running}`
}

const moment = new Intl.DateTimeFormat(undefined, {
  dateStyle: 'medium',
  timeStyle: 'short',
})

export const momentWords = (at: string) => moment.format(new Date(at))
