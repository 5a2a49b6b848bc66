import { weekdays } from './wall-time.js'
import { capitalized } from './words.js'

const short = weekdays.map((one) => one.slice(0, 3))
const day = '(?:mon|tues?|wed(?:nes)?|thu(?:rs?)?|fri|sat(?:ur)?|sun)(?:days?)?'
const days = new RegExp(`\\b${day}\\b`, 'gi')
const range = new RegExp(`\\b(${day})\\s*(?:to|-|\\u2013|through|until)\\s*(${day})\\b`, 'gi')
const startsWithDay = new RegExp(`^(?:(?:on|and)\\s+)*${day}\\b`, 'i')
/** Words that make the meaning of one part depend on the others. */
const entangled =
  /\b(?:except|but|unless|only|holidays?|first|second|third|last|every|other|morning|afternoon|evening|noon|lunch|break)\b/i

const indexOf = (name: string) => short.findIndex((one) => name.toLowerCase().startsWith(one.toLowerCase()))

/** Returns whether a part names a day, alone, in a range or as part of the weekend. */
function covers(part: string, index: number): boolean {
  const isInRange = [...part.matchAll(range)].some(([, from = '', to = '']) => {
    const [first, last] = [indexOf(from), indexOf(to)]
    return (index - first + 7) % 7 <= (last - first + 7) % 7
  })
  const isWeekend = short[index]?.startsWith('S') === true
  const named = isWeekend ? /\bweekends?\b/i : /\bweekdays\b/i
  return isInRange || named.test(part) || (part.match(days) ?? []).some((one) => indexOf(one) === index)
}

/** Splits a line of opening hours. Returns an empty list if it is unclear which hours belong to which days. */
function partsOf(line: string): readonly string[] {
  const pieces = line
    .replace(/^[^:,\d]*\b(?:hours|times):\s*/i, '')
    .replace(/[.!]$/, '')
    .split(
      new RegExp(
        `[,;]\\s*(?=(?:and )?(?:(?:on )?${day}\\b|closed|open)|\\d)|\\s+and\\s+(?=(?:on )?${day}\\b|closed|open)`,
        'i',
      ),
    )
  const parts: string[] = []
  let before = ''
  for (const piece of pieces) {
    const hasDay = short.some((_, index) => covers(piece, index))
    if (!/\d|\bclosed\b/i.test(piece)) before = `${before}${piece}, `
    else if (hasDay || before !== '') {
      // In "closed on Saturday, Sunday, Monday 9 to 5" Sunday may belong to either side.
      if (before !== '' && (parts.some((part) => !startsWithDay.test(part)) || !startsWithDay.test(before)))
        return []
      parts.push(before + piece)
      before = ''
    } else return []
  }
  return before === '' ? parts : []
}

/** Narrows facts about opening hours to the day of a question, or returns them as they are if that is unclear. */
export function hoursOfDay(words: string, facts: readonly string[]): readonly string[] {
  const [asked, ...others] = words.match(days) ?? []
  const isUnclear = facts.some((fact) => entangled.test(fact) || !/\b(?:open|clos|hours)/i.test(fact))
  if (asked === undefined || others.length > 0 || isUnclear) return facts
  const [fact, ...more] = facts.filter((one) => covers(one, indexOf(asked)))
  if (fact === undefined || more.length > 0) return facts
  const [part, ...rest] = partsOf(fact).filter((one) => covers(one, indexOf(asked)))
  return [part === undefined || rest.length > 0 ? fact : `${capitalized(part)}.`]
}
