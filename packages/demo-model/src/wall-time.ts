/** A moment as a clock on the wall shows it. Months count from 1. */
export interface WallTime {
  readonly year: number
  readonly month: number
  readonly day: number
  readonly hour: number
  readonly minute: number
}

/** The present moment and the IANA time zone that the model answers in. */
export interface LocalClock {
  readonly now: Date
  readonly timeZone: string
}

export const weekdays = 'Sunday Monday Tuesday Wednesday Thursday Friday Saturday'.split(' ')
export const months =
  'January February March April May June July August September October November December'.split(' ')

const minuteMilliseconds = 60_000

export function wallTimeAt(instant: Date, timeZone: string): WallTime {
  // Swedish dates are written as 2026-11-15 12:00:00.
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0] = (
    instant.toLocaleString('sv-SE', { timeZone }).match(/\d+/g) ?? []
  ).map(Number)
  return { year, month, day, hour, minute }
}

export function wallTimeOf({ now, timeZone }: LocalClock): WallTime {
  return wallTimeAt(now, timeZone)
}

/** Returns the instant at which a clock of that zone shows this time. */
export function instantOf(wall: WallTime, timeZone: string): Date {
  const utc = utcMilliseconds(wall)
  const offsetAt = (instant: number) => utcMilliseconds(wallTimeAt(new Date(instant), timeZone)) - instant
  // The offset may change between the first guess and the result.
  return new Date(utc - offsetAt(utc - offsetAt(utc)))
}

export function addMinutes(wall: WallTime, minutes: number): WallTime {
  return wallTimeAt(new Date(utcMilliseconds(wall) + minutes * minuteMilliseconds), 'UTC')
}

export function addDays(wall: WallTime, days: number): WallTime {
  return addMinutes(wall, days * 24 * 60)
}

export function daysInMonth(year: number, month: number): number {
  return new Date(Date.UTC(year, month, 0)).getUTCDate()
}

/** Returns the whole days between two dates, regardless of the hour. */
export function daysBetween(from: WallTime, to: WallTime): number {
  const day = (wall: WallTime) => Math.floor(utcMilliseconds(wall) / (24 * 60 * minuteMilliseconds))
  return day(to) - day(from)
}

export function weekdayIndex(wall: Pick<WallTime, 'year' | 'month' | 'day'>): number {
  return new Date(Date.UTC(wall.year, wall.month - 1, wall.day)).getUTCDay()
}

/** "Monday, November 16, 2026" */
export function spokenDay(day: Pick<WallTime, 'year' | 'month' | 'day'>): string {
  return `${weekdays[weekdayIndex(day)]}, ${months[day.month - 1]} ${day.day}, ${day.year}`
}

/** "5:00 PM" */
export function spokenTime({ hour, minute }: Pick<WallTime, 'hour' | 'minute'>): string {
  return `${hour % 12 === 0 ? 12 : hour % 12}:${String(minute).padStart(2, '0')} ${hour < 12 ? 'AM' : 'PM'}`
}

const isoDate = /\b(\d{4})-(\d{2})-(\d{2})(?:[T ](\d{2}):(\d{2})(?::\d{2}(?:\.\d+)?)?(Z|[+-]\d{2}:?\d{2})?)?/g

/** Replaces ISO dates with spoken ones. The time of day stays unchanged. */
export function withSpokenDates(text: string): string {
  return text.replace(isoDate, (match, year, month, day, hour, minute, zone) => {
    const date = { year: Number(year), month: Number(month), day: Number(day) }
    if (date.month < 1 || date.month > 12 || date.day > daysInMonth(date.year, date.month)) return match
    if (hour === undefined) return spokenDay(date)
    const time = spokenTime({ hour: Number(hour), minute: Number(minute) })
    return `${spokenDay(date)} at ${time}${zone === 'Z' ? ' UTC' : ''}`
  })
}

function utcMilliseconds({ year, month, day, hour, minute }: WallTime): number {
  return Date.UTC(year, month - 1, day, hour, minute)
}
