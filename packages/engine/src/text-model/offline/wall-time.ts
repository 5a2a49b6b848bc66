/** A moment as a clock on the wall shows it, wherever that wall is. Months count from 1. */
export interface WallTime {
  readonly year: number
  readonly month: number
  readonly day: number
  readonly hour: number
  readonly minute: number
}

/** What the engine knows of time. */
export interface LocalClock {
  readonly now: Date
  /** An IANA name. */
  readonly timeZone: string
}

const minuteMilliseconds = 60_000
const dayMilliseconds = 24 * 60 * minuteMilliseconds

const formats = new Map<string, Intl.DateTimeFormat>()

export function wallTimeAt(instant: Date, timeZone: string): WallTime {
  const format =
    formats.get(timeZone) ??
    new Intl.DateTimeFormat('en-US', {
      timeZone,
      hourCycle: 'h23',
      year: 'numeric',
      month: 'numeric',
      day: 'numeric',
      hour: 'numeric',
      minute: 'numeric',
    })
  formats.set(timeZone, format)
  const parts = new Map(format.formatToParts(instant).map(({ type, value }) => [type, Number(value)]))
  const part = (name: Intl.DateTimeFormatPartTypes) => parts.get(name) ?? 0
  return {
    year: part('year'),
    month: part('month'),
    day: part('day'),
    hour: part('hour'),
    minute: part('minute'),
  }
}

/** How far a zone is ahead of UTC at that moment. */
export function offsetMinutesAt(instant: Date, timeZone: string): number {
  const whole = Math.floor(instant.getTime() / minuteMilliseconds) * minuteMilliseconds
  return (utcMilliseconds(wallTimeAt(instant, timeZone)) - whole) / minuteMilliseconds
}

/** When that clock shows this. Asked twice, since the offset may change between now and then. */
export function instantOf(wall: WallTime, timeZone: string): Date {
  const utc = utcMilliseconds(wall)
  const first = utc - offsetMinutesAt(new Date(utc), timeZone) * minuteMilliseconds
  return new Date(utc - offsetMinutesAt(new Date(first), timeZone) * minuteMilliseconds)
}

export function addDays(wall: WallTime, days: number): WallTime {
  const date = new Date(Date.UTC(wall.year, wall.month - 1, wall.day + days))
  return { ...wall, year: date.getUTCFullYear(), month: date.getUTCMonth() + 1, day: date.getUTCDate() }
}

/** Whole days from one date to another, whatever the hour. */
export function daysBetween(from: WallTime, to: WallTime): number {
  const midnight = ({ year, month, day }: WallTime) => Date.UTC(year, month - 1, day)
  return (midnight(to) - midnight(from)) / dayMilliseconds
}

function utcMilliseconds({ year, month, day, hour, minute }: WallTime): number {
  return Date.UTC(year, month - 1, day, hour, minute)
}
