import { withDigits } from './number-words.js'
import { monthName, spokenDay, spokenTime, weekdayOf } from './spoken-date.js'
import { momentsIn, type SpokenMoment } from './utterance.js'
import { daysBetween, instantOf, type LocalClock, type WallTime, wallTimeAt } from './wall-time.js'

/** Days that the calendar gives a name and a fixed place. */
const holidays: readonly (readonly [RegExp, string])[] = [
  [/\b(?:christmas eve|xmas eve)\b/g, 'december 24'],
  [/\b(?:christmas|xmas)(?: day)?\b/g, 'december 25'],
  [/\bnew year(?:'?s)? eve\b/g, 'december 31'],
  [/\b(?:the )?new year(?:'?s)?(?: day)?\b/g, 'january 1'],
  [/\bhalloween\b/g, 'october 31'],
  [/\bvalentine'?s(?: day)?\b/g, 'february 14'],
]

const opening =
  /^(?:(?:ok|okay|so|and|hey|please|well|hi|hello|sorry|excuse me|no)\b[,.!]? *)*(?:(?:(?:can|could|would) you|do you|i (?:want|need) to)\b *)?(?:please )?(?:(?:tell me|know)\b *)?/

type Reading = (plain: string, clock: LocalClock) => string | null

const readings: readonly Reading[] = [dayAsked, timeAsked, spanAsked, weekdayClaimed, calendarAsked]

/**
 * The answer to a question about the calendar or the clock that is not just "now"; null where the words do not say
 * exactly which day or time is meant.
 */
export function answerDateQuestion(words: string, clock: LocalClock): string | null {
  const plain = plainQuestion(words)
  for (const reading of readings) {
    const answer = reading(plain, clock)
    if (answer !== null) return answer
  }
  return null
}

/** What the engine's own clock shows, for agents that have no tool for it. */
export function answerNow(words: string, { now, timeZone }: LocalClock): string | null {
  const plain = plainQuestion(words)
  const today = wallTimeAt(now, timeZone)
  if (
    /^(?:what time is it|what is the (?:current )?time|what is the time|the time|time|what time do we have|how late is it|what does the clock say)(?: right now| now| please)?$/.test(
      plain,
    )
  )
    return `It is ${spokenTime(today)} (${timeZone}).`
  const isDay =
    /^(?:what|which) (?:day|date|weekday)(?: of the week)? (?:is it|is today|is it today|do we have)(?: today| now)?$|^what is (?:the |today )?(?:current )?(?:date|day)(?: of)?(?: today)?$|^what is today$|^today date$/
  return isDay.test(plain) ? `Today is ${spokenDay(today)}.` : null
}

export function timeIn(place: string, { now }: LocalClock, timeZone: string): string {
  const there = wallTimeAt(now, timeZone)
  return `In ${place} it is ${spokenTime(there)} on ${spokenDay(there)}.`
}

function plainQuestion(words: string): string {
  const text = withDigits(words.toLowerCase().slice(0, 200)).replace(/\u2019/g, "'")
  return holidays
    .reduce((rest, [pattern, day]) => rest.replace(pattern, day), text)
    .replace(/\b(today|tomorrow|yesterday)'s\b/g, '$1')
    .replace(/\b(what|when|which|who)'s\b/g, '$1 is')
    .trim()
    .replace(opening, '')
    .replace(/[\s,]*(?:please|for me|again|[?.!])*$/, '')
    .replace(/\s+/g, ' ')
}

/** The one moment that a text names, from its first character to its last. */
function onlyMoment(text: string, clock: LocalClock): SpokenMoment | null {
  const bare = text.replace(/^(?:on|the date of|at) /, '').trim()
  const [moment, ...others] = momentsIn(bare, clock)
  if (moment === undefined || others.length > 0) return null
  return moment.text === bare || `the ${moment.text}` === bare ? moment : null
}

const dayFrame =
  /\b(?:what|which|when|on|day|date|weekday|of the week|is|was|will|it|be|does|do|did|fall|falls|we have|have|we|that)\b/g
const namedDays = new Set([
  'today',
  'tomorrow',
  'yesterday',
  'the day after tomorrow',
  'the day before yesterday',
])

/** What day is it tomorrow? */
function dayAsked(plain: string, clock: LocalClock): string | null {
  const isAsked =
    /^(?:on )?(?:what|which)\b.*\b(?:day|date|weekday)\b/.test(plain) || /^when (?:is|was|will)\b/.test(plain)
  if (!isAsked || /\bhow\b/.test(plain)) return null
  const kept = plain
    .replace(/\bthe day (?=after|before)/g, 'the~ ')
    .replace(/\bthe (?=(?:date|day|weekday)\b)/g, '')
    .replace(dayFrame, ' ')
  const rest = kept
    .replace('the~', 'the day')
    .replace(/ (?:this year|coming up)\b/, ' ')
    .replace(/\s+/g, ' ')
    .trim()
  const past = /\b(?:was|did)\b/.test(plain) && !/\bago|last|yesterday\b/.test(rest) ? `was ${rest}` : rest
  const moment = rest === '' ? null : (onlyMoment(rest, clock) ?? pastMoment(past, rest, clock))
  if (moment === null || !moment.hasDay) return null
  const isPast = daysBetween(wallTimeAt(clock.now, clock.timeZone), moment.wall) < 0
  const subject = namedDays.has(rest) ? rest.charAt(0).toUpperCase() + rest.slice(1) : 'That'
  return `${subject} ${isPast ? 'was' : 'is'} ${spokenDay(moment.wall)}.`
}

function pastMoment(text: string, rest: string, clock: LocalClock): SpokenMoment | null {
  const [moment] = momentsIn(text, clock)
  return moment?.text === rest ? moment : null
}

/** What time will it be in three hours? */
function timeAsked(plain: string, clock: LocalClock): string | null {
  if (!/^(?:what|which|at what)\b.*\btime\b/.test(plain)) return null
  const rest = plain
    .replace(/\b(?:at|what|which|will|would|was|is|the|time|it|be|we have)\b/g, ' ')
    .replace(/\s+/g, ' ')
    .trim()
  if (!/^in \S.*|.* ago$|.* from now$/.test(rest)) return null
  const moment = onlyMoment(rest, clock)
  if (moment === null || !moment.hasTime) return null
  const today = wallTimeAt(clock.now, clock.timeZone)
  const days = daysBetween(today, moment.wall)
  const day = days === 0 ? '' : ` on ${spokenDay(moment.wall)}`
  return `${/ago$/.test(rest) ? 'It was' : 'It will be'} ${spokenTime(moment.wall)}${day}.`
}

const unitAsked = `(?:how (?:many (days|weeks|hours|minutes)|long|much time)|(days))`

/** How many days until Christmas? */
function spanAsked(plain: string, clock: LocalClock): string | null {
  const today = wallTimeAt(clock.now, clock.timeZone)
  const ahead = new RegExp(
    `^${unitAsked}(?: more)?(?: is it| is left| is there| are there| are left| are| do we have| do i have| have we got| left| remain| remaining| is)*(?: until| till| til| to| before| for) (.+)$`,
  ).exec(plain)
  if (ahead !== null)
    return spanBetween(today, momentOrNull(ahead[3], clock), ahead[1] ?? ahead[2], clock, 'until')
  const back = new RegExp(
    `^${unitAsked}(?: has it been| have passed| is it| ago was| ago is| since| passed)*(?: since| was)? (.+)$`,
  ).exec(plain)
  if (back !== null && /\b(?:since|ago)\b/.test(plain)) {
    const moment = pastMoment(`was ${back[3]}`, back[3] ?? '', clock)
    return moment === null
      ? null
      : spanBetween(moment.wall, { ...moment, wall: today }, back[1] ?? back[2], clock, 'since')
  }
  const between =
    /^how many (days|weeks) (?:are (?:there )?|lie |is it )?(?:between|from) (.+?) (?:and|to|until) (.+)$/.exec(
      plain,
    )
  const [first, second] = [momentOrNull(between?.[2], clock), momentOrNull(between?.[3], clock)]
  return first === null || second === null
    ? null
    : spanBetween(first.wall, second, between?.[1], clock, 'between')
}

function momentOrNull(text: string | undefined, clock: LocalClock): SpokenMoment | null {
  return text === undefined ? null : onlyMoment(text, clock)
}

function spanBetween(
  from: WallTime,
  target: SpokenMoment | null,
  unit: string | undefined,
  { timeZone }: LocalClock,
  kind: 'until' | 'since' | 'between',
): string | null {
  if (target === null) return null
  const days = daysBetween(from, target.wall)
  const isClock =
    unit === 'hours' || unit === 'minutes' || (unit === undefined && target.hasTime && days === 0)
  if (isClock) {
    const minutes =
      (instantOf(target.wall, timeZone).getTime() - instantOf(from, timeZone).getTime()) / 60_000
    return kind !== 'until' || !target.hasTime || minutes < 0 ? null : `${hoursAndMinutes(minutes, unit)}.`
  }
  if (!target.hasDay || days < 0) return null
  const span = unit === 'weeks' ? weeksAndDays(days) : counted(days, 'day')
  const day = kind === 'since' ? from : target.wall
  return kind === 'between' ? `It is ${span}.` : `It is ${span} ${kind} ${spokenDay(day)}.`
}

function hoursAndMinutes(minutes: number, unit: string | undefined): string {
  const [hours, rest] = [Math.floor(minutes / 60), Math.round(minutes % 60)]
  if (unit === 'minutes' || hours === 0) return counted(Math.round(minutes), 'minute')
  return rest === 0 ? counted(hours, 'hour') : `${counted(hours, 'hour')} and ${counted(rest, 'minute')}`
}

function weeksAndDays(days: number): string {
  const [weeks, rest] = [Math.floor(days / 7), days % 7]
  return rest === 0 ? counted(weeks, 'week') : `${counted(weeks, 'week')} and ${counted(rest, 'day')}`
}

function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`
}

/** Is tomorrow a Monday? */
function weekdayClaimed(plain: string, clock: LocalClock): string | null {
  const match =
    /^(?:is|was|will) (it|.+?)(?: be)?(?: on)?(?: an?)? (monday|tuesday|wednesday|thursday|friday|saturday|sunday)(?: (today|tomorrow))?$/.exec(
      plain,
    )
  if (match === null) return null
  const said = match[1] === 'it' ? (match[3] ?? 'today') : (match[1] ?? '')
  const moment = onlyMoment(said, clock)
  if (moment === null) return null
  const isSo = weekdayOf(moment.wall).toLowerCase() === match[2]
  return `${isSo ? 'Yes' : 'No'}, ${namedDays.has(said) ? said : 'that'} is ${spokenDay(moment.wall)}.`
}

const monthNames = Array.from({ length: 12 }, (_, index) => monthName(index + 1).toLowerCase())

function calendarAsked(plain: string, { now, timeZone }: LocalClock): string | null {
  const today = wallTimeAt(now, timeZone)
  if (/^what year (?:is it|do we have|is this)(?: now)?$/.test(plain)) return `It is ${today.year}.`
  if (/^(?:what|which) month (?:is it|do we have|is this)(?: now)?$/.test(plain))
    return `It is ${monthName(today.month)}.`
  const leap = /^(?:is|was|will) (?:the year )?(\d{4}|this year|next year)(?: be)? a leap year$/.exec(
    plain,
  )?.[1]
  if (leap !== undefined) {
    const year = leap === 'this year' ? today.year : leap === 'next year' ? today.year + 1 : Number(leap)
    return daysIn(year, 2) === 29 ? `Yes, ${year} is a leap year.` : `No, ${year} is not a leap year.`
  }
  const month =
    /^how many days (?:are (?:there )?in|does|has) (this month|next month|[a-z]+)(?: (\d{4}))?(?: have)?$/.exec(
      plain,
    )
  return month === null ? null : daysOfMonth(month[1] ?? '', month[2], today)
}

function daysOfMonth(name: string, givenYear: string | undefined, today: WallTime): string | null {
  const isRelative = name === 'this month' || name === 'next month'
  const count = isRelative ? today.month + (name === 'next month' ? 1 : 0) : monthNames.indexOf(name) + 1
  if (count === 0) return null
  const year = givenYear === undefined ? today.year + (count > 12 ? 1 : 0) : Number(givenYear)
  const month = count > 12 ? 1 : count
  if (month === 2 && givenYear === undefined && !isRelative)
    return 'February has 28 days, and 29 in a leap year.'
  return `${monthName(month)} ${givenYear === undefined ? '' : `${year} `}has ${daysIn(year, month)} days.`
}

function daysIn(year: number, month: number): number {
  return new Date(Date.UTC(year, month, 0)).getUTCDate()
}
