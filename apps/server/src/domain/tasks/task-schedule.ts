import type { TaskInput } from '@parley/contract'
import { Cron } from 'croner'
import { invalidRequest } from '../domain-error.js'

/** When a task runs again and again. */
export type Schedule = Pick<TaskInput, 'timeZone'> & { readonly schedule: string }

/** Nobody is told of more; to find one takes up to a millisecond. */
const maxCounted = 100

/** Refuses a schedule that is none, that never comes, or whose time zone nobody knows. */
export function requireSchedule(
  { schedule, timeZone }: Pick<TaskInput, 'schedule' | 'timeZone'>,
  now: Date,
): void {
  if (!isTimeZone(timeZone))
    throw invalidRequest([{ path: 'timeZone', message: 'must be an IANA time zone such as Europe/Berlin' }])
  if (schedule === null) return
  const problem = problemOf({ schedule, timeZone }, now)
  if (problem !== null) throw invalidRequest([{ path: 'schedule', message: problem }])
}

/** The first moment of the schedule after that one; null where there is none any more. */
export function occurrenceAfter(schedule: Schedule, after: Date): Date | null {
  return cronOf(schedule).nextRun(after)
}

/** How many moments of the schedule lie after the one and not after the other; not more than 100 are counted. */
export function countOccurrences(schedule: Schedule, after: Date, until: Date): number {
  const cron = cronOf(schedule)
  let count = 0
  for (let next = cron.nextRun(after); next !== null && next <= until; next = cron.nextRun(next)) {
    count += 1
    if (count === maxCounted) break
  }
  return count
}

/** Five fields: nothing runs more often than once a minute. */
const cronOf = ({ schedule, timeZone }: Schedule) =>
  new Cron(schedule, { mode: '5-part', timezone: timeZone, paused: true })

function problemOf(schedule: Schedule, now: Date): string | null {
  try {
    return occurrenceAfter(schedule, now) === null ? 'never comes' : null
  } catch {
    return 'must be five fields of cron: minute, hour, day of month, month, day of week, as in 0 9 * * MON-FRI'
  }
}

/** To ask for one costs as much as all the rest of a task. Only those written as their standard has them are kept. */
const knownTimeZones = new Set<string>()

function isTimeZone(name: string): boolean {
  if (knownTimeZones.has(name)) return true
  try {
    const { timeZone } = new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions()
    if (timeZone === name) knownTimeZones.add(name)
    return true
  } catch {
    return false
  }
}
