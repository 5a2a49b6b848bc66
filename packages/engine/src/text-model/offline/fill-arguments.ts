import type { ModelTool } from '../text-model.js'
import { findPerson, findPlace, findZone } from './find-names.js'
import { bareAnswer, findQuery, findWords } from './find-words.js'
import { spokenNumber } from './number-words.js'
import { type Parameter, parametersOf } from './parameter.js'
import { convertValue, isUnit } from './units.js'
import type { SpokenValue, Utterance } from './utterance.js'
import { instantOf } from './wall-time.js'
import { fieldPhrase, joinWords, toolPhrase, wordsOf } from './words.js'

export type Arguments = Readonly<Record<string, unknown>>

/** What a tool's arguments are, as far as somebody said. A number or a name is used once. */
export function fillArguments(tool: ModelTool, utterance: Utterance): Arguments {
  const numbers = [...utterance.numbers]
  const filled: Record<string, unknown> = {}
  let hasWords = false
  // What needs a number goes first, and what is named in the sentence before that.
  const parameters = parametersOf(tool).sort((a, b) => mentions(utterance, b) - mentions(utterance, a))
  for (const parameter of parameters) {
    // What was said is the title; to say it again as the description helps nobody.
    const isSaid = parameter.kind === 'words' && !parameter.isRequired && hasWords
    const value = isSaid ? null : findValue(parameter, tool, utterance, numbers)
    if (value === null) continue
    filled[parameter.name] = value
    if (parameter.kind === 'words') hasWords = true
  }
  return filled
}

export function missingParameter(tool: ModelTool, filled: Arguments): Parameter | null {
  return parametersOf(tool).find(({ name, isRequired }) => isRequired && filled[name] === undefined) ?? null
}

/** Somebody was asked for one thing and said this. */
export function fillAnswer(
  tool: ModelTool,
  parameter: Parameter,
  words: string,
  utterance: Utterance,
): unknown {
  if (parameter.kind === 'flag') return !/^\s*(?:no|nope|not|never|don't|do not|false)\b/i.test(words)
  if (/^\W*(?:i (?:do not|don't) (?:know|have|care|remember)|no idea|not sure|whatever)\b/i.test(words))
    return null
  if (parameter.kind === 'number') return answeredNumber(parameter, words, utterance)
  const found = findValue(parameter, tool, utterance, [...utterance.numbers])
  const isFree = parameter.kind === 'words' || parameter.kind === 'query'
  if (found !== null && !isFree) return found
  if (['choice', 'structure', 'email', 'moment', 'zone', 'phone'].includes(parameter.kind)) return found
  if (parameter.kind === 'identifier')
    return found ?? (/^\S+(?: \S+)?$/.test(words.trim()) ? bareAnswer(words) : null)
  if (parameter.kind === 'list') return found ?? listOf(words)
  return bareAnswer(words)
}

function answeredNumber(parameter: Parameter, words: string, { text, numbers }: Utterance): number | null {
  const counted = text.replace(/\ban? (?=\w)/gi, '1 ')
  const [, unit = ''] = /\d\s*([a-z]+)/i.exec(counted) ?? []
  const value = spokenNumber(counted === text || isUnit(unit) ? counted : words)
  return value === null ? null : inUnitOf(parameter.nameWords, value, numbers.length > 1 ? '' : unit)
}

/** The question for what is missing. It is the same each time, so that the answer finds its way back. */
export function questionFor(tool: ModelTool, parameter: Parameter): string {
  const isCount = parameter.kind === 'number' && /(?:s|people)$/.test(parameter.name)
  const thing = `${isCount ? 'number of ' : ''}${fieldPhrase(parameter.name)}`
  const start = `To ${toolPhrase(tool.name)} I still need the ${thing}`
  return parameter.kind === 'choice'
    ? `${start}: ${joinWords(parameter.choices, 'or')}?`
    : `${start}. What is it?`
}

function findValue(
  parameter: Parameter,
  tool: ModelTool,
  utterance: Utterance,
  numbers: SpokenValue[],
): unknown {
  const { timeless, text } = utterance
  switch (parameter.kind) {
    case 'choice':
      return findChoice(parameter.choices, text)
    case 'flag':
      return findFlag(parameter, text)
    case 'number':
      return takeNumber(parameter, timeless, numbers)
    case 'moment':
      return findMoment(parameter, utterance)
    case 'zone':
      return findZone(timeless)
    case 'email':
      return utterance.emails[0] ?? null
    case 'phone':
      return /\+?\d[\d\s-]{5,}\d/.exec(text)?.[0].replace(/[\s-]/g, '') ?? null
    case 'identifier':
      return findIdentifier(timeless, numbers)
    case 'place':
      return findPlace(timeless, parameter.nameWords)
    case 'person':
      return utterance.emails[0] ?? findPerson(timeless)
    case 'words':
      return findWords(timeless, tool)
    case 'query':
      return findQuery(text)
    case 'other':
      return findNamed(parameter, timeless)
    case 'list':
    case 'structure':
      return null
  }
}

function mentions(utterance: Utterance, { nameWords, kind }: Parameter): number {
  const words = wordsOf(utterance.text)
  const isMentioned = nameWords.some((word) => words.includes(word) || words.includes(`${word}s`))
  return (isMentioned ? 2 : 0) + (kind === 'identifier' || kind === 'number' ? 1 : 0)
}

/** The one value that was named. Where two were, nobody knows which is meant. */
function findChoice(choices: readonly string[], text: string): string | null {
  let words = ` ${wordsOf(text).join(' ')} `
  const found = new Set<string>()
  // The longest first: "very high" is not "high".
  for (const choice of [...choices].sort((a, b) => b.length - a.length)) {
    const spoken = ` ${wordsOf(choice).join(' ')} `
    if (!words.includes(spoken)) continue
    found.add(choice)
    words = words.replaceAll(spoken, ' ')
  }
  const [only, ...others] = found
  return only !== undefined && others.length === 0 ? only : null
}

function findFlag({ nameWords }: Parameter, text: string): boolean | null {
  const words = wordsOf(text)
  const place = words.findIndex((word) => nameWords.includes(word) && word.length > 2)
  if (place === -1) return null
  return !words
    .slice(Math.max(0, place - 3), place)
    .some((word) => ['not', 'no', 'without', 'don', 'never'].includes(word))
}

/** The number beside the parameter's own word, or the first that is left. */
function takeNumber(
  { nameWords, isInteger }: Parameter,
  text: string,
  numbers: SpokenValue[],
): number | null {
  const beside = numbers.findIndex(({ index, text: digits }) => {
    const around = wordsOf(text.slice(Math.max(0, index - 25), index + digits.length + 20))
    return nameWords.some((word) => around.includes(word) || around.includes(`${word}s`))
  })
  const [taken] = numbers.splice(Math.max(0, beside), 1)
  if (taken === undefined) return null
  const said = Number(taken.text.replace(/,(?=\d{3}\b)/g, '').replace(',', '.'))
  const value = inUnitOf(nameWords, said, text.slice(taken.index + taken.text.length))
  return isInteger && value !== null ? Math.round(value) : value
}

/** Two hours are 120 to what counts minutes. Null for what cannot be counted so. */
function inUnitOf(nameWords: readonly string[], value: number, after: string): number | null {
  const wanted = nameWords.find(isUnit)
  const [given = ''] = wordsOf(after)
  if (wanted === undefined || !isUnit(given)) return value
  return convertValue(value, given, wanted)
}

function findIdentifier(text: string, numbers: SpokenValue[]): string | null {
  // Of two nobody knows which is meant.
  if (
    /\b[A-Za-z]{0,4}-?\d[\w-]*\s*(?:,|and|or)\s+(?:and\s+)?(?:order\s+|number\s+)?[A-Za-z]{0,4}-?\d[\w-]*\s*[.?!]?$/i.test(
      text,
    )
  )
    return null
  const named =
    /\b(?:number|id|no|code|order|invoice|ticket|reference|case)\b\.?\s*(?:is|number|id|no|code)?\.?\s*#?\s*([A-Za-z]{0,4}-?\d[\w-]*)/i.exec(
      text,
    )?.[1]
  const [first] = numbers
  const found = named ?? /\b[A-Z]{1,4}-?\d[\w-]*\b/.exec(text)?.[0] ?? first?.text ?? null
  const place = numbers.findIndex((number) => number.text === found)
  if (place !== -1) numbers.splice(place, 1)
  return found
}

function findMoment({ format, nameWords }: Parameter, { moments, timeZone }: Utterance): string | null {
  const wantsTime =
    format === 'time' || (format === null && nameWords.includes('time') && !nameWords.includes('date'))
  const moment = (wantsTime ? moments.find(({ hasTime }) => hasTime) : undefined) ?? moments[0]
  if (moment === undefined) return null
  const { hasTime } = moment
  // A day without an hour begins when people do.
  const wall = hasTime ? moment.wall : { ...moment.wall, hour: 9, minute: 0 }
  if (format === 'date-time') return instantOf(wall, timeZone).toISOString()
  const day = `${wall.year}-${two(wall.month)}-${two(wall.day)}`
  const time = `${two(wall.hour)}:${two(wall.minute)}`
  if (format === 'date') return day
  if (wantsTime) return hasTime ? time : null
  return hasTime && !nameWords.includes('date') ? `${day}T${time}` : day
}

/** "… with the colour blue": the word after the parameter's name. */
function findNamed({ nameWords }: Parameter, text: string): string | null {
  const name = nameWords.join(String.raw`\s+`)
  return (
    new RegExp(String.raw`\b${name}\s+(?:is\s+|of\s+|to\s+|as\s+)?([\w'-]+)`, 'i').exec(text)?.[1] ?? null
  )
}

function listOf(words: string): string[] | null {
  const parts = words.split(/\s*(?:,|\band\b)\s*/i).map(bareAnswer)
  const found = parts.filter((part) => part !== null)
  return found.length === 0 ? null : found
}

function two(value: number): string {
  return String(value).padStart(2, '0')
}
