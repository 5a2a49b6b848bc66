import * as chrono from 'chrono-node'
import { withDigits } from './number-words.js'

export interface SpokenMoment {
  readonly text: string
  readonly date: Date
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
  readonly moments: readonly SpokenMoment[]
  /** The same without its dates and times. */
  readonly timeless: string
  readonly emails: readonly string[]
  /** Numbers that belong to no date. */
  readonly numbers: readonly SpokenValue[]
}

export function readUtterance(words: string, now: Date): Utterance {
  const text = withDigits(words)
  const moments = chrono
    .parse(text, now, { forwardDate: true })
    .filter((result) => !/^(?:now|\d+)$/i.test(result.text))
    .map((result) => ({
      text: result.text,
      date: momentOf(result.start),
      hasDay: ['day', 'weekday', 'month'].some((unit) => result.start.isCertain(unit as chrono.Component)),
      hasTime: result.start.isCertain('hour'),
    }))
  let timeless = text
  for (const moment of moments) timeless = timeless.replace(moment.text, ' ')
  // "tomorrow" leaves "by" and "on" behind.
  timeless = timeless
    .replace(/\s+(?:on|at|by|for|until|before|from)\s*(?=[.?!,]|\s*$)/gi, '')
    .replace(/\s+/g, ' ')
    .trim()
  return {
    text,
    moments,
    timeless,
    emails: emailsIn(text),
    numbers: [...timeless.matchAll(/(?<![\w.-])\d+(?:[.,]\d+)*/g)].map((match) => ({
      text: match[0],
      index: match.index,
    })),
  }
}

/** "At three" is in the afternoon, unless somebody says otherwise. */
function momentOf(start: chrono.ParsedComponents): Date {
  const date = start.date()
  const hour = start.get('hour') ?? 12
  if (start.isCertain('hour') && !start.isCertain('meridiem') && hour >= 1 && hour <= 6)
    date.setHours(hour + 12)
  return date
}

function emailsIn(text: string): string[] {
  const written = text.match(/[\w.+-]+@[\w-]+(?:\.[\w-]+)+/g) ?? []
  const spoken = [...text.matchAll(/\b([\w.]+) at ([\w-]+(?: dot [\w-]+)+)/gi)].map(
    ([, user, host]) => `${user}@${host?.replace(/ dot /gi, '.')}`,
  )
  return [...written, ...spoken].map((email) => email.toLowerCase().replace(/\.$/, ''))
}
