import type { Component, ParsedComponents } from 'chrono-node'
import * as chrono from 'chrono-node/en'
import { withDigits } from './number-words.js'
import { monthName } from './spoken-date.js'
import { addDays, type LocalClock, offsetMinutesAt, type WallTime, wallTimeAt } from './wall-time.js'

export interface SpokenMoment {
  readonly text: string
  readonly wall: WallTime
  readonly hasDay: boolean
  readonly hasTime: boolean
}

export interface SpokenValue {
  readonly text: string
  readonly index: number
}

/** What somebody said, with what can be told from the words alone. */
export interface Utterance {
  /** Numbers in digits. */
  readonly text: string
  readonly timeZone: string
  readonly moments: readonly SpokenMoment[]
  /** The same without its dates and times. */
  readonly timeless: string
  readonly emails: readonly string[]
  /** Numbers that belong to no date. */
  readonly numbers: readonly SpokenValue[]
}

export function readUtterance(words: string, clock: LocalClock): Utterance {
  const text = withDays(withClockTimes(withDigits(words)), wallTimeAt(clock.now, clock.timeZone))
  const moments = momentsIn(text, clock)
  // "Tomorrow" takes "by" and "on" with it.
  let timeless = text
  for (const moment of moments) timeless = timeless.replace(moment.text, mark)
  timeless = timeless
    .replace(/(?:\b(?:due|on|at|by|for|until|before|from)\s+)*\uE000/gi, ' ')
    .replace(/\s+(?:on|at|by|for|until|before|from|due)\s*(?=[.?!,]|\s*$)/gi, '')
    .replace(/\s+/g, ' ')
    .trim()
  return {
    text,
    timeZone: clock.timeZone,
    moments,
    timeless,
    emails: emailsIn(text),
    numbers: [...timeless.matchAll(/(?<![\w.-])\d+(?:[.,]\d+)*/g)].map((match) => ({
      text: match[0],
      index: match.index,
    })),
  }
}

const mark = '\uE000'

/** How long something takes is no moment. */
const duration =
  /^(?:for |within )?(?:an?|\d+(?:\.\d+)?|half an?)\s+(?:second|minute|hour|day|week|month|quarter|year)s?$/i

export function momentsIn(text: string, { now, timeZone }: LocalClock): SpokenMoment[] {
  const reference = { instant: now, timezone: offsetMinutesAt(now, timeZone) }
  const isPast = /\b(?:last|ago|yesterday|was|did)\b/i.test(text)
  const today = wallTimeAt(now, timeZone)
  return chrono
    .parse(text, reference, { forwardDate: !isPast })
    .filter((result) => !/^(?:now|\d+)$/i.test(result.text) && !duration.test(result.text))
    .map(({ text: said, start }) => ({
      text: said,
      wall: wallTimeOf(start, today),
      hasDay: certainDay(start),
      hasTime: start.isCertain('hour'),
    }))
}

/** "Half past two" and "a quarter to six", as a clock shows them. */
function withClockTimes(text: string): string {
  return text
    .replace(/\bhalf an hour\b/gi, '30 minutes')
    .replace(/\ban hour and a half\b/gi, '90 minutes')
    .replace(/\b(?:a )?quarter of an hour\b/gi, '15 minutes')
    .replace(/\bhalf past (\d{1,2})\b/gi, '$1:30')
    .replace(/\b(?:a )?quarter past (\d{1,2})\b/gi, '$1:15')
    .replace(
      /\b(?:a )?quarter to (\d{1,2})\b/gi,
      (_, hour: string) => `${Number(hour) === 1 ? 12 : Number(hour) - 1}:45`,
    )
}

/** "On the 20th" is in this month, or in the next where that day is over. */
function withDays(text: string, today: WallTime): string {
  return text.replace(
    /\bon the (\d{1,2})(?:st|nd|rd|th)\b(?!\s+(?:of|floor|street|day|[A-Z]))/gi,
    (_, day: string) => {
      const month = Number(day) >= today.day ? today.month : (today.month % 12) + 1
      return `on ${monthName(month)} ${Number(day)}`
    },
  )
}

function certainDay(start: ParsedComponents): boolean {
  return start.isCertain('day') || start.isCertain('weekday') || start.isCertain('month')
}

/** Hours at which people do things, where nobody says whether it is morning or evening. */
const [firstHour, lastHour] = [7, 22] as const

function wallTimeOf(start: ParsedComponents, today: WallTime): WallTime {
  const part = (name: Component, otherwise: number) => start.get(name) ?? otherwise
  const hour = part('hour', 12)
  const wall: WallTime = {
    year: part('year', today.year),
    month: part('month', today.month),
    day: part('day', today.day),
    hour,
    minute: part('minute', 0),
  }
  const isOpen = start.isCertain('hour') && !start.isCertain('meridiem') && hour >= 1 && hour < 12
  if (!isOpen) return wall
  if (!certainDay(start)) return nextTime(wall, today)
  // "At three" is in the afternoon, and "today at eight" is not over.
  const isAfternoon = hour < firstHour || (daysEqual(wall, today) && isPassed(wall, today))
  return isAfternoon ? { ...wall, hour: hour + 12 } : wall
}

/** The next time that a clock of twelve hours shows this while people are up. */
function nextTime({ hour, minute }: WallTime, today: WallTime): WallTime {
  const hours = [hour, hour + 12].filter((one) => one >= firstHour && one < lastHour)
  const candidates = hours.length === 0 ? [hour + 12] : hours
  const ahead = candidates.find((one) => !isPassed({ ...today, hour: one, minute }, today))
  if (ahead !== undefined) return { ...today, hour: ahead, minute }
  return { ...addDays(today, 1), hour: candidates[0] ?? hour, minute }
}

function daysEqual(one: WallTime, other: WallTime): boolean {
  return one.year === other.year && one.month === other.month && one.day === other.day
}

function isPassed(wall: WallTime, now: WallTime): boolean {
  return wall.hour < now.hour || (wall.hour === now.hour && wall.minute <= now.minute)
}

function emailsIn(text: string): string[] {
  const written = text.match(/[\w.+-]+@[\w-]+(?:\.[\w-]+)+/g) ?? []
  const spoken = [...text.matchAll(/\b([\w.]+) at ([\w-]+(?: dot [\w-]+)+)/gi)].map(
    ([, user, host]) => `${user}@${host?.replace(/ dot /gi, '.')}`,
  )
  return [...written, ...spoken].map((email) => email.toLowerCase().replace(/\.$/, ''))
}
