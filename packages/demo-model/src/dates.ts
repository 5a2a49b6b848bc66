import { findPlace, findZone } from './find-values.js'
import { type Moment, momentsIn, withClockTimes } from './moments.js'
import { withDigits } from './numbers.js'
import { daysBetween, type LocalClock, spokenDay, spokenTime, wallTimeAt, wallTimeOf } from './wall-time.js'
import { capitalized, wordsOf } from './words.js'

/** Holidays on fixed dates. */
const holidays: readonly (readonly [RegExp, string])[] = [
  [/\b(?:christmas|xmas) eve\b/g, 'december 24'],
  [/\b(?:christmas|xmas)(?: day)?\b/g, 'december 25'],
  [/\bnew year(?:'?s)? eve\b/g, 'december 31'],
  [/\b(?:the )?new year(?:'?s)?(?: day)?\b/g, 'january 1'],
]
const opening =
  /^(?:(?:ok|okay|so|and|hey|please|well|hi|hello|sorry|excuse me|no)\b[,.!]? *)*(?:(?:(?:can|could|would) you|do you)\b *)?(?:please )?(?:(?:tell me|know)\b *)?/

/** Answers a question about a day or time other than now. Returns null unless the words name exactly one. */
export function answerDateQuestion(words: string, clock: LocalClock): string | null {
  const plain = plainQuestion(words)
  return dayAsked(plain, clock) ?? timeAsked(plain, clock) ?? spanAsked(plain, clock)
}

/** The words of a question for the present time or date, possibly with a place. */
const nowWords = new Set(
  (
    'what which whats is s it the a time date day clock hour now right current currently exact present moment tell me ' +
    'know do does you have got please today todays can could of say give check look at hey hi hello in there here ' +
    'weekday we our late how'
  ).split(' '),
)

/** Returns whether a question asks for the present time or date. */
export function asksForNow(words: string): boolean {
  if (!/\b(?:time|clock|date|day|today|weekday|how late)\b/i.test(words) || /^\W*what a\b/i.test(words))
    return false
  const place = findZone(words) === null ? null : findPlace(words)
  const rest = wordsOf(place === null ? words : words.replace(place, ' '))
  return rest.every((word) => nowWords.has(word)) && !/\bhow (?!late)/i.test(words)
}

/** Answers a question for the present time or date from the clock of the machine, for agents without a tool for it. */
export function answerNow(words: string, { now, timeZone }: LocalClock): string | null {
  const place = findPlace(words)
  const zone = findZone(words)
  if (place !== null && zone === null && /\btime\b.* in [A-Za-z]+\W*$/i.test(words))
    return `I do not know the time zone of ${place}.`
  if (!asksForNow(words) || !/\b(?:what|which|time|late)\b/i.test(words)) return null
  const there = wallTimeAt(now, zone ?? timeZone)
  if (zone !== null) return `In ${place} it is ${spokenTime(there)} on ${spokenDay(there)}.`
  return /\b(?:time|clock|late)\b/i.test(words)
    ? `It is ${spokenTime(there)} (${timeZone}).`
    : `Today is ${spokenDay(there)}.`
}

function plainQuestion(words: string): string {
  const text = withClockTimes(withDigits(words.toLowerCase().slice(0, 200)))
  return holidays
    .reduce((rest, [pattern, day]) => rest.replace(pattern, day), text)
    .replace(/\b(today|tomorrow|yesterday)'s\b/g, '$1')
    .replace(/\b(what|when|which)'s\b/g, '$1 is')
    .trim()
    .replace(opening, '')
    .replace(/[\s,]*(?:please|for me|again|[?.!])*$/, '')
    .replace(/\s+/g, ' ')
}

/**
 * Returns the moment that a text names from its first to its last character. `hint` distinguishes past and
 * future.
 */
function onlyMoment(text: string | undefined, clock: LocalClock, hint = ''): Moment | null {
  const bare = (text ?? '').replace(/^(?:on|the date of|at) (?!the \d)/, '').trim()
  const [moment, ...others] = momentsIn(`${hint}${bare}`, clock)
  return moment !== undefined && others.length === 0 && moment.text.trim() === bare ? moment : null
}

const dayFrame =
  /\b(?:what|which|when|on|day|date|weekday|of the week|is|was|will|it|be|does|do|did|fall|falls|we have|have|we|that)\b/g

/** What day is it tomorrow? When is December 24? */
function dayAsked(plain: string, clock: LocalClock): string | null {
  const isAsked = /^(?:on )?(?:what|which)\b.*\b(?:day|date|weekday)\b|^when (?:is|was|will)\b/.test(plain)
  if (!isAsked || /\bhow\b/.test(plain)) return null
  const rest = plain
    .replace(/\bthe day (?=after|before)/g, '~')
    .replace(/\bthe (?=(?:date|day|weekday)\b)/g, '')
    .replace(dayFrame, ' ')
    .replace('~', 'the day ')
    .replace(/\s+/g, ' ')
    .trim()
  const moment = onlyMoment(rest, clock, /\b(?:was|did)\b/.test(plain) ? 'was ' : '')
  if (moment === null || !moment.hasDay) return null
  const isPast = daysBetween(wallTimeOf(clock), moment.wall) < 0
  const isNamed = /^(?:today|tomorrow|yesterday|the day (?:after tomorrow|before yesterday))$/.test(rest)
  return `${isNamed ? capitalized(rest) : 'That'} ${isPast ? 'was' : 'is'} ${spokenDay(moment.wall)}.`
}

/** What time will it be in three hours? */
function timeAsked(plain: string, clock: LocalClock): string | null {
  const rest = /^what (?:time (?:will|was) it(?: be)?|will the time be) (in .+|.+ ago|.+ from now)$/.exec(
    plain,
  )?.[1]
  const moment = rest === undefined ? null : onlyMoment(rest, clock)
  if (moment === null || !moment.hasTime) return null
  const isSameDay = daysBetween(wallTimeOf(clock), moment.wall) === 0
  const day = isSameDay ? '' : ` on ${spokenDay(moment.wall)}`
  return `${/ago$/.test(rest ?? '') ? 'It was' : 'It will be'} ${spokenTime(moment.wall)}${day}.`
}

/** How many days until Christmas? */
function spanAsked(plain: string, clock: LocalClock): string | null {
  const rest =
    /^how (?:many days|long)(?: (?:more|is|are|do|have|it|there|left|we|i))* (?:until|till|to|before) (.+)$/.exec(
      plain,
    )
  const moment = onlyMoment(rest?.[1], clock)
  if (moment === null || !moment.hasDay || moment.hasTime) return null
  const days = daysBetween(wallTimeOf(clock), moment.wall)
  return days < 0 ? null : `It is ${days} day${days === 1 ? '' : 's'} until ${spokenDay(moment.wall)}.`
}
