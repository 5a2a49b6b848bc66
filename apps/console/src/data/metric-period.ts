/** The selectable periods of metrics, by their days. */
export const metricPeriods = {
  '1': 'Last 24 hours',
  '7': 'Last 7 days',
  '30': 'Last 30 days',
  '90': 'Last 90 days',
} as const

export type Days = keyof typeof metricPeriods

const TimeZone = Intl.DateTimeFormat().resolvedOptions().timeZone

/** Returns the beginning of a period, and its division. One day has hours, longer periods have whole days including today. */
export function spanOf(days: Days) {
  if (days === '1')
    return { From: new Date(Date.now() - 86_400_000).toISOString(), By: 'hour', TimeZone } as const
  const day = new Date()
  day.setHours(0, 0, 0, 0)
  day.setDate(day.getDate() - (Number(days) - 1))
  return { From: day.toISOString(), By: 'day', TimeZone } as const
}
