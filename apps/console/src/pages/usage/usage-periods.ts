/** The selectable periods. The service counts days in UTC, so all users see the same. */
export const usagePeriods = [
  { value: '7', label: 'Last 7 days' },
  { value: '30', label: 'Last 30 days' },
  { value: '90', label: 'Last 90 days' },
  { value: '365', label: 'Last 365 days' },
  { value: 'month', label: 'This month' },
  { value: 'last-month', label: 'Last month' },
] as const

export type UsagePeriod = (typeof usagePeriods)[number]['value']

interface Span {
  readonly From: string
  /** If absent, until now. */
  readonly To?: string
}

export function spanOf(period: UsagePeriod, now = new Date()): Span {
  const [year, month, day] = [now.getUTCFullYear(), now.getUTCMonth(), now.getUTCDate()]
  const at = (...date: readonly [number, number, number]) => new Date(Date.UTC(...date)).toISOString()
  switch (period) {
    case 'month':
      return { From: at(year, month, 1) }
    case 'last-month':
      return { From: at(year, month - 1, 1), To: at(year, month, 1) }
    default:
      return { From: at(year, month, day - (Number(period) - 1)) }
  }
}

const dayMilliseconds = 86_400_000

/** Every day of a period, including days without usage. */
export function daysBetween(from: string, to: string): readonly string[] {
  const first = Math.floor(Date.parse(from) / dayMilliseconds)
  const last = Math.ceil(Date.parse(to) / dayMilliseconds)
  return Array.from({ length: Math.max(0, last - first) }, (_, index) =>
    new Date((first + index) * dayMilliseconds).toISOString().slice(0, 10),
  )
}

const dayFormat = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeZone: 'UTC' })

export const formatDay = (day: string) => dayFormat.format(new Date(day))
