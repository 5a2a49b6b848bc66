import type { WallTime } from './wall-time.js'

const weekdays = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday']
const months = 'January February March April May June July August September October November December'.split(
  ' ',
)

const isoDate = /\b(\d{4})-(\d{2})-(\d{2})(?:[T ](\d{2}):(\d{2})(?::\d{2}(?:\.\d+)?)?(Z|[+-]\d{2}:?\d{2})?)?/g

/** Dates that are written for machines, as people say them. The clock is left as it was written. */
export function withSpokenDates(text: string): string {
  return text.replace(isoDate, (match, year, month, day, hour, minute, zone) => {
    const date = new Date(Date.UTC(Number(year), Number(month) - 1, Number(day)))
    if (Number.isNaN(date.getTime()) || date.getUTCDate() !== Number(day)) return match
    const spoken = spokenDay({ year: Number(year), month: Number(month), day: Number(day) })
    if (hour === undefined) return spoken
    const time = spokenTime({ hour: Number(hour), minute: Number(minute) })
    return `${spoken} at ${time}${zone === 'Z' ? ' UTC' : ''}`
  })
}

/** "Monday, November 16, 2026" */
export function spokenDay({ year, month, day }: Pick<WallTime, 'year' | 'month' | 'day'>): string {
  return `${weekdayOf({ year, month, day })}, ${monthName(month)} ${day}, ${year}`
}

export function weekdayOf({ year, month, day }: Pick<WallTime, 'year' | 'month' | 'day'>): string {
  return weekdays[new Date(Date.UTC(year, month - 1, day)).getUTCDay()] ?? ''
}

export function monthName(month: number): string {
  return months[month - 1] ?? ''
}

/** "5:00 PM" */
export function spokenTime({ hour, minute }: Pick<WallTime, 'hour' | 'minute'>): string {
  return `${hour % 12 === 0 ? 12 : hour % 12}:${String(minute).padStart(2, '0')} ${hour < 12 ? 'AM' : 'PM'}`
}
