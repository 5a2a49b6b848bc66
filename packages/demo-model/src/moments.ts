import { withDigits } from './numbers.js'
import type { LocalClock, WallTime } from './wall-time.js'
import * as wall from './wall-time.js'

/** A date or time that a text names. */
export interface Moment {
  /** The words of the text that name it. */
  readonly text: string
  readonly wall: WallTime
  readonly hasDay: boolean
  readonly hasTime: boolean
}

/** A day or a time of day, found in a text. */
interface Part {
  readonly start: number
  readonly end: number
  readonly kind: 'day' | 'time' | 'both'
  readonly at: WallTime
  /** True for a time from 1 to 11 o'clock without morning or evening. */
  readonly isOpen: boolean
}

interface Context {
  readonly today: WallTime
  readonly isPast: boolean
}

type Groups = Readonly<Record<string, string | undefined>>
type Read = (groups: Groups, context: Context, text: string) => WallTime | null

const weekday = wall.weekdays.join('|')
const month = wall.months.join('|')
const span = '(?<count>an?|\\d+) (?<unit>minute|hour|day|week)s?'

/** The first rule that matches a place of the text wins. */
const rules: readonly (readonly [Part['kind'] | 'span', pattern: string, read: Read])[] = [
  ['day', '(?<year>\\d{4})-(?<month>\\d{2})-(?<day>\\d{2})', dateOf],
  ['day', 'the day after tomorrow|the day before yesterday|tomorrow|yesterday|today|tonight', relativeDay],
  ['day', `(?:(?<which>next|last|this) )?(?<name>${weekday})`, weekdayOf],
  ['day', `(?<name>${month}) (?<day>\\d{1,2})(?:st|nd|rd|th)?(?:,? (?<year>\\d{4}))?(?!:)`, dateOf],
  [
    'day',
    `(?:the )?(?<day>\\d{1,2})(?:st|nd|rd|th)?(?: of)? (?<name>${month})(?:,? (?<year>\\d{4}))?`,
    dateOf,
  ],
  ['day', 'on the (?<day>\\d{1,2})(?:st|nd|rd|th)(?!\\s+(?:of|floor|street))', dayOfMonth],
  ['span', `in ${span}`, shifted],
  ['span', `${span} (?<way>ago|from now)`, shifted],
  ['time', '(?:at )?noon', (_, { today }) => ({ ...today, hour: 12, minute: 0 })],
  ['time', '(?:at )?(?<hour>\\d{1,2}):(?<minute>\\d{2})(?: ?(?<half>[ap])\\.?m)?', clockTime],
  ['time', "(?:at )?(?<hour>\\d{1,2}) ?(?:(?<half>[ap])\\.?m|o'clock)", clockTime],
  ['time', 'at (?<hour>\\d{1,2})(?![:.,]?\\d|%|/| percent)', clockTime],
]
const matchers = rules.map(
  ([kind, source, read]) => [kind, new RegExp(`\\b(?:${source})\\b`, 'dgi'), read] as const,
)

/** Finds the dates and times of a text. Numbers must be written in digits. */
export function momentsIn(text: string, clock: LocalClock): Moment[] {
  const today = wall.wallTimeOf(clock)
  const context = { today, isPast: /\b(?:last|ago|yesterday|was|did|since)\b/i.test(text) }
  const parts: Part[] = []
  for (const [rule, pattern, read] of matchers)
    for (const match of text.matchAll(pattern)) {
      const [start, end] = match.indices?.[0] ?? [0, 0]
      if (parts.some((part) => start < part.end && end > part.start)) continue
      const groups: Groups = match.groups ?? {}
      const at = read(groups, context, match[0])
      if (at === null) continue
      const kind = rule !== 'span' ? rule : /minute|hour/i.test(groups.unit ?? '') ? 'both' : 'day'
      const isOpen = groups.hour !== undefined && groups.half === undefined && at.hour > 0 && at.hour < 12
      parts.push({ start, end, kind, at, isOpen })
    }
  return joined(
    parts.sort((a, b) => a.start - b.start),
    text,
    today,
  )
}

/** Joins a day and a time that stand side by side, as in "on Friday at 8 pm". */
function joined([one, next, ...others]: readonly Part[], text: string, today: WallTime): Moment[] {
  if (one === undefined) return []
  const areOne =
    next !== undefined &&
    [one.kind, next.kind].sort().join() === 'day,time' &&
    /^[\s,]*(?:(?:on|at|by|around)\s+)?$/i.test(text.slice(one.end, next.start))
  const rest = next === undefined ? [] : areOne ? others : [next, ...others]
  const end = areOne ? next.end : one.end
  const parts = areOne ? [one, next] : [one]
  return [momentOf(text, [one.start, end], parts, today), ...joined(rest, text, today)]
}

function momentOf(
  whole: string,
  [start, end]: readonly [number, number],
  parts: readonly Part[],
  today: WallTime,
): Moment {
  const text = whole.slice(start, end)
  const day = parts.find(({ kind }) => kind !== 'time')
  const time = parts.find(({ kind }) => kind === 'time')
  const said = { text, hasDay: day !== undefined, hasTime: time !== undefined || day?.kind === 'both' }
  if (time === undefined) return { ...said, wall: day?.at ?? today }
  const at = { ...(day?.at ?? today), hour: time.at.hour, minute: time.at.minute }
  const evening = wall.addMinutes(at, 12 * 60)
  const partOfDay = /^\s*(?:in the |this )?(morning|afternoon|evening|night)\b/i.exec(whole.slice(end))?.[1]
  if (time.isOpen && partOfDay?.toLowerCase() === 'morning') return { ...said, wall: at }
  if (time.isOpen && (partOfDay !== undefined || /tonight/i.test(text))) return { ...said, wall: evening }
  if (day === undefined) return { ...said, wall: nextTime(time.isOpen ? [at, evening] : [at], today) }
  const isAfternoon = at.hour < firstHour || (wall.daysBetween(at, today) === 0 && isOver(at, today))
  return { ...said, wall: time.isOpen && isAfternoon ? evening : at }
}

/** The hours of the day that a time without morning or evening may mean. */
const [firstHour, lastHour] = [7, 22] as const

/** Returns the first of the times that is not over today, or the first of tomorrow. */
function nextTime(times: readonly WallTime[], today: WallTime): WallTime {
  const usual = times.filter(({ hour }) => times.length === 1 || (hour >= firstHour && hour < lastHour))
  const first = usual[0] ?? times.at(-1) ?? today
  return usual.find((one) => !isOver(one, today)) ?? wall.addDays(first, isOver(first, today) ? 1 : 0)
}

function isOver(at: WallTime, now: WallTime): boolean {
  return at.hour < now.hour || (at.hour === now.hour && at.minute <= now.minute)
}

function clockTime({ hour, minute = '0', half }: Groups, { today }: Context): WallTime | null {
  const given = Number(hour)
  if (given > (half === undefined ? 23 : 12) || Number(minute) > 59) return null
  const base = half === undefined ? given : given % 12
  return { ...today, hour: base + (half?.toLowerCase() === 'p' ? 12 : 0), minute: Number(minute) }
}

function relativeDay(_: Groups, { today }: Context, text: string): WallTime {
  const days: Readonly<Record<string, number>> = { tomorrow: 1, yesterday: -1, today: 0, tonight: 0 }
  const [name = '', , , isFar] = text.toLowerCase().split(' ').reverse()
  return wall.addDays(today, (days[name] ?? 0) * (isFar === undefined ? 1 : 2))
}

function weekdayOf({ which, name = '' }: Groups, { today, isPast }: Context): WallTime {
  const wanted = wall.weekdays.findIndex((one) => one.toLowerCase() === name.toLowerCase())
  const ahead = (wanted - wall.weekdayIndex(today) + 7) % 7
  const isLast = which?.toLowerCase() === 'last' || (isPast && which === undefined)
  if (isLast) return wall.addDays(today, ahead === 0 ? -7 : ahead - 7)
  return wall.addDays(today, ahead === 0 && which?.toLowerCase() === 'next' ? 7 : ahead)
}

/** A date without a year is the next one, or the last one in a sentence about the past. */
function dateOf({ year, month: digits, name, day }: Groups, { today, isPast }: Context): WallTime | null {
  const named = wall.months.findIndex((one) => one.toLowerCase() === name?.toLowerCase()) + 1
  const given = name === undefined ? Number(digits) : named
  const date = { ...today, year: Number(year ?? today.year), month: given, day: Number(day) }
  const ahead = wall.daysBetween(today, date)
  if (year === undefined && isPast && ahead > 0) date.year -= 1
  if (year === undefined && !isPast && ahead < 0) date.year += 1
  const isValid = given >= 1 && given <= 12 && date.day >= 1 && date.day <= wall.daysInMonth(date.year, given)
  return isValid ? date : null
}

/** "On the 20th" is in this month, or in the next one if that day is over. */
function dayOfMonth({ day }: Groups, { today }: Context): WallTime | null {
  const isNext = Number(day) < today.day
  const month = isNext ? (today.month % 12) + 1 : today.month
  const year = today.year + (isNext && month === 1 ? 1 : 0)
  return Number(day) > wall.daysInMonth(year, month) ? null : { ...today, year, month, day: Number(day) }
}

const minutesPerUnit: Readonly<Record<string, number>> = { minute: 1, hour: 60, day: 1440, week: 10_080 }

/** "In three hours", "two weeks ago" */
function shifted({ count = '', unit = '', way }: Groups, { today }: Context): WallTime {
  const amount = (/^an?$/i.test(count) ? 1 : Number(count)) * (way?.toLowerCase() === 'ago' ? -1 : 1)
  return wall.addMinutes(today, amount * (minutesPerUnit[unit.toLowerCase()] ?? 0))
}

export interface SpokenNumber {
  readonly text: string
  readonly index: number
}

/** A sentence with the values that can be read from it. */
export interface Utterance {
  /** The sentence with its numbers in digits. */
  readonly text: string
  readonly timeZone: string
  readonly moments: readonly Moment[]
  /** The sentence without its dates and times. */
  readonly timeless: string
  readonly emails: readonly string[]
  /** The numbers of `timeless`. */
  readonly numbers: readonly SpokenNumber[]
}

/** A placeholder for a date or time that was taken out. */
const mark = '\uE000'

export function readUtterance(words: string, clock: LocalClock): Utterance {
  const text = withClockTimes(withDigits(words))
  const moments = momentsIn(text, clock)
  const timeless = moments
    .reduce((rest, moment) => rest.replace(moment.text, mark), text)
    .replace(/(?:\b(?:due|on|at|by|for|until|before|from)\s+)*\uE000/gi, ' ')
    .replace(/\s+(?:on|at|by|for|until|before|from|due)\s*(?=[.?!,]|\s*$)/gi, '')
    .replace(/\s+/g, ' ')
    .trim()
  const numbers = [...timeless.matchAll(/(?<![\w.-])\d+(?:[.,]\d+)*/g)]
  return {
    text,
    timeZone: clock.timeZone,
    moments,
    timeless,
    emails: text.toLowerCase().match(/[\w.+-]+@[\w-]+(?:\.[\w-]+)+/g) ?? [],
    numbers: numbers.map((match) => ({ text: match[0], index: match.index })),
  }
}

/** Writes "half past two" and "a quarter to six" as a clock shows them. */
export function withClockTimes(text: string): string {
  return text
    .replace(/\bhalf an hour\b/gi, '30 minutes')
    .replace(/\bhalf past (\d{1,2})\b/gi, '$1:30')
    .replace(/\b(?:a )?quarter past (\d{1,2})\b/gi, '$1:15')
    .replace(
      /\b(?:a )?quarter to (\d{1,2})\b/gi,
      (_, hour: string) => `${hour === '1' ? 12 : Number(hour) - 1}:45`,
    )
}
