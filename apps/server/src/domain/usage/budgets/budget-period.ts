import type { Budget } from '@parley/contract'

type Period = Budget['period']

/** The day on which the period that holds a moment began, in UTC, such as `2026-11-01`. */
function startOf(period: Period, moment: string): string {
  const [year, month, day] = moment.slice(0, 'yyyy-mm-dd'.length).split('-')
  return `${year}-${month}-${period === 'month' ? '01' : day}`
}

/** When the periods began that hold the moment. */
export function startsAt(date: Date): Readonly<Record<Period, string>> {
  const moment = date.toISOString()
  return { day: startOf('day', moment), month: startOf('month', moment) }
}

export function periodOf(
  period: Period,
  startsOn: string,
): { readonly periodStartsAt: string; readonly resetsAt: string } {
  const start = new Date(`${startsOn}T00:00:00.000Z`)
  const end = new Date(start)
  if (period === 'day') end.setUTCDate(end.getUTCDate() + 1)
  else end.setUTCMonth(end.getUTCMonth() + 1)
  return { periodStartsAt: start.toISOString(), resetsAt: end.toISOString() }
}
