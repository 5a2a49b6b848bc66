import type { TaskInput } from '@parley/contract'
import { Cron } from 'croner'
import type { TaskRecord } from '../../ports/task-stores.js'
import { invalidRequest } from '../domain-error.js'

/** The operator's settings for runs. */
export interface TaskRunSettings {
  /** The maximum duration of a run, including pauses. */
  readonly runSeconds: number
  /** The pause after the first attempt. It doubles after each further attempt. */
  readonly retrySeconds: number
}

/** The maximum pause, regardless of the number of attempts. */
const longestPauseSeconds = 3600

type Planned = Pick<TaskRecord, 'status' | 'runAt' | 'schedule' | 'timeZone' | 'nextRunAt'>

/**
 * Returns the time of the next run after a caller has written a task that is not running. A new `runAt` is
 * used even if it has passed, so that the task runs immediately. Writing the same `runAt` again plans no
 * second run.
 */
export function nextRunAfterWrite(before: Planned | null, input: TaskInput, now: Date): string | null {
  if (input.status === 'cancelled') return null
  if (input.runAt !== null && input.runAt !== before?.runAt) return input.runAt
  const isSame =
    before !== null &&
    before.runAt === input.runAt &&
    before.schedule === input.schedule &&
    before.timeZone === input.timeZone &&
    before.status === input.status
  return isSame ? before.nextRunAt : upcomingRun(input, now)
}

/** The next run of a task that is not running. */
export function upcomingRun(
  { status, runAt, schedule, timeZone }: Omit<Planned, 'nextRunAt'>,
  now: Date,
): string | null {
  if (status === 'cancelled') return null
  const isOpen = status === 'open' || status === 'in_progress'
  const once = isOpen && runAt !== null && Date.parse(runAt) > now.getTime() ? runAt : null
  const again = schedule === null ? null : occurrenceAfter({ schedule, timeZone }, now)
  const planned = [once, again?.toISOString() ?? null].filter((at) => at !== null)
  return planned.sort()[0] ?? null
}

/**
 * Returns the corrected time of a task's next run if the stored time is later than all rules of the task
 * allow. Otherwise, returns null. Such times were written while a clock was ahead.
 */
export function correctedRunTime(task: Planned & Pick<TaskRecord, 'runStartedAt'>, now: Date): string | null {
  const { nextRunAt, runStartedAt } = task
  if (nextRunAt === null) return null
  const latest =
    runStartedAt === null ? upcomingRun(task, now) : afterSeconds(now, longestPauseSeconds).toISOString()
  return latest !== null && nextRunAt > latest ? latest : null
}

const afterSeconds = (now: Date, seconds: number) => new Date(now.getTime() + seconds * 1000)

/**
 * Returns the deadline of a run that begins now: the caller's deadline, limited by the operator's maximum.
 */
export function deadlineOf(
  { runDeadlineAt }: Pick<TaskRecord, 'runDeadlineAt'>,
  startedAt: string,
  { runSeconds }: TaskRunSettings,
): string {
  const latest = new Date(Date.parse(startedAt) + runSeconds * 1000).toISOString()
  return runDeadlineAt !== null && runDeadlineAt < latest ? runDeadlineAt : latest
}

/** Returns the pause after this number of attempts. */
export function pauseSecondsAfter(attempts: number, { retrySeconds }: TaskRunSettings): number {
  return Math.min(longestPauseSeconds, retrySeconds * 2 ** Math.max(0, attempts - 1))
}

/** The schedule of a repeating task. */
type Schedule = Pick<TaskInput, 'timeZone'> & { readonly schedule: string }

/** The maximum number of listed times. Computing one takes up to a millisecond. */
const maxCounted = 100

/** Rejects an invalid cron expression, one that never fires, and an unknown time zone. */
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

/** Returns the next scheduled time after the given one, or null if there is none. */
export function occurrenceAfter(schedule: Schedule, after: Date): Date | null {
  return cronOf(schedule).nextRun(after)
}

/** Returns the number of scheduled times between two moments, up to 100. */
export function countOccurrences(schedule: Schedule, after: Date, until: Date): number {
  const cron = cronOf(schedule)
  let count = 0
  for (let next = cron.nextRun(after); next !== null && next <= until; next = cron.nextRun(next)) {
    count += 1
    if (count === maxCounted) break
  }
  return count
}

/** Expressions have five fields, so a task runs at most once a minute. */
const cronOf = ({ schedule, timeZone }: Schedule) =>
  new Cron(schedule, { mode: '5-part', timezone: timeZone, paused: true })

function problemOf(schedule: Schedule, now: Date): string | null {
  try {
    return occurrenceAfter(schedule, now) === null ? 'never fires' : null
  } catch {
    return 'must have the five cron fields minute, hour, day of month, month and day of week, for example 0 9 * * MON-FRI'
  }
}

/**
 * Validating a time zone takes as long as everything else about a task, so valid names are cached. Only
 * canonical names are cached.
 */
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
