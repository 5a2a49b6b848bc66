import type { Tool } from './conversation.js'
import type { SpokenNumber, Utterance } from './moments.js'
import { type Parameter, parametersOf } from './parameters.js'
import { instantOf } from './wall-time.js'
import { capitalized, wordsOf } from './words.js'

/** Returns the value of a parameter in a sentence, or null. A number that is used is taken out of `numbers`. */
export function findValue(
  parameter: Parameter,
  tool: Tool,
  said: Utterance,
  numbers: SpokenNumber[],
): unknown {
  const { timeless, text } = said
  switch (parameter.kind) {
    case 'choice':
      return findChoice(parameter.choices, text)
    case 'number':
      return takeNumber(parameter, timeless, numbers)
    case 'moment':
      return findMoment(parameter, said)
    case 'zone':
      return findZone(timeless)
    case 'email':
      return said.emails[0] ?? null
    case 'identifier':
      return takeIdentifier(timeless, numbers)
    case 'place':
      return findPlace(timeless)
    case 'person':
      return said.emails[0] ?? findPerson(timeless)
    case 'words':
      return findWords(timeless, tool)
    case 'query':
      return findQuery(text)
    case 'flag':
    case 'other':
    case 'list':
    case 'structure':
      return null
  }
}

const neverNames = new Set('I The A An What When Where Who How Please Can Could Will'.split(' '))

/** Returns the capitalized words after one of these words. */
function nameAfter(text: string, words: string): string | null {
  const name = String.raw`((?:[A-Z][\w'-]*)(?:\s+(?:of|the|de|van|von)?\s*[A-Z][\w'-]*)*)`
  const sentence = text.charAt(0).toLowerCase() + text.slice(1)
  const found = [...sentence.matchAll(new RegExp(String.raw`\b(?:${words})\s+(?:the\s+)?${name}`, 'g'))]
  return found.map(([, one = '']) => one.replace(/'s$/, '')).find((one) => !neverNames.has(one)) ?? null
}

function findPerson(text: string): string | null {
  // Speech recognizers write some names in lower case.
  const small = /\b(?:to|for)\s+(?!me\b|us\b|the\b|my\b)([a-z]+)\s+(?:about|that|saying|regarding)\b/.exec(
    text,
  )?.[1]
  const name = nameAfter(text, 'to|with|for|named|called|customer|from|is|by|about|guest')
  return name ?? (small === undefined ? null : capitalized(small))
}

/** Returns the place that a text names. Speech recognizers write some places in lower case. */
export function findPlace(text: string): string | null {
  const small = /\bin\s+(?!the\b|a\b|an\b|my\b|our\b|your\b|it\b|\d)([a-z][a-z'-]+)\s*[.?!]?$/.exec(text)?.[1]
  return nameAfter(text, 'in|at|near|for|about|of|to|from') ?? small ?? null
}

/** Returns the IANA time zone of the place that a text names, or null if it is unknown. */
export function findZone(text: string): string | null {
  const place = findPlace(text)?.toLowerCase()
  if (place === undefined) return null
  const ending = `/${place.replaceAll(' ', '_')}`
  return Intl.supportedValuesOf('timeZone').find((zone) => zone.toLowerCase().endsWith(ending)) ?? null
}

/** Returns the words after the thing that the tool makes: "a task to water the plants". */
function findWords(text: string, tool: Tool): string | null {
  // In "an email to John" a person follows, if the tool has a parameter for one.
  const goesToPeople = parametersOf(tool).some(({ kind }) => kind === 'person' || kind === 'email')
  const links = `${goesToPeople ? '' : 'to|'}for me to|for|about|called|titled|named|saying|that says|that|regarding`
  const patterns = [
    /\b(?:titled|called|saying|that says|subject)\s+(.+)/i,
    /\bremind (?:me|us|them|him|her)\s+(?:to|about|that)\s+(.+)/i,
    /\b(?:put|add|write|note)\s+(?:down\s+)?(.+?)\s+(?:on|to|in)\s+(?:my|the|our)\s+(?:to-?do list|list|tasks|notes)\b/i,
    new RegExp(
      String.raw`\b(?:${wordsOf(tool.name).join('|')}|reminder|note)(?:\s+(?:${links})\s|\s*:)\s*(.+)`,
      'i',
    ),
    /\b(?:about|regarding)\s+(.+)/i,
    /^(?:please\s+)?(?:note|write down|remember)(?:\s+that)?\s+(.+)/i,
  ]
  // "Is the book Momo available?"
  return firstMatch(patterns, text) ?? nameAfter(text, wordsOf(tool.name).slice(1).join('|'))
}

/** Returns what to search for. The whole text is the query if no word introduces it. */
export function findQuery(text: string): string | null {
  const patterns = [
    /\b(?:search|look|looking|check|browse)\b.*?\b(?:for|about|up|on)\s+(.+)/i,
    /\b(?:about|regarding|called|named)\s+(.+)/i,
    /\b(?:find(?: out(?: if| whether| about)?)?|search|show me|get me)\s+(.+)/i,
    /(.+)/s,
  ]
  const place = /\s+(?:in|from|within)\s+(?:my|the|our|all)\s+(?:files?|documents?)$/i
  const part = /^(?:the |an? |all )?(?:passages?|parts?|sections?) (?:on|about|regarding) (?=\w)/i
  return firstMatch(patterns, text)?.replace(place, '').replace(part, '') ?? null
}

/** Returns an answer to a question about one value without the words around it. */
export function bareAnswer(text: string, nameWords: readonly string[]): string | null {
  const named = String.raw`(?:the|my) (?:\w+ )?(?:${nameWords.join('|')}) (?:is|should be)`
  const start = String.raw`^(?:(?:um|uh|well|oh|okay|ok|yes|sure)[,.]?\s+)?(?:(?:it is|it's|that is|it should be|${named}|use|call it|for|in|to|at|on)\s+)?`
  return firstMatch([/(.+)/s], text.replace(new RegExp(start, 'i'), ''))
}

function firstMatch(patterns: readonly RegExp[], text: string): string | null {
  const found = patterns.map((pattern) => pattern.exec(text)?.[1] ?? '').map(tidy)
  return found.find((words) => words !== '' && !/^(?:it|that|this|them)$/i.test(words)) ?? null
}

function tidy(words: string): string {
  const plain = words.replace(/[\s,]+please[.!?]*$/i, '').replace(/["\u201c\u201d]/g, '')
  return plain.replace(/[\s.?!,;:]+$/, '').trim()
}

/** Returns the one choice that was named, or null if there are several, because any of them may be meant. */
function findChoice(choices: readonly string[], text: string): string | null {
  let words = ` ${wordsOf(text).join(' ')} `
  const found = new Set<string>()
  // The longest first: "very high" is not "high".
  for (const choice of [...choices].sort((a, b) => b.length - a.length)) {
    const spoken = ` ${wordsOf(choice).join(' ')} `
    if (words.includes(spoken)) found.add(choice)
    words = words.replaceAll(spoken, ' ')
  }
  const [only = null] = found
  return found.size === 1 ? only : null
}

/** Takes the number beside the name of the parameter, or else the first that is left. */
function takeNumber(
  { nameWords, isInteger }: Parameter,
  text: string,
  numbers: SpokenNumber[],
): number | null {
  const beside = numbers.findIndex(({ index, text: digits }) => {
    const around = wordsOf(text.slice(Math.max(0, index - 25), index + digits.length + 20))
    return nameWords.some((word) => around.includes(word) || around.includes(`${word}s`))
  })
  const [taken] = numbers.splice(Math.max(0, beside), 1)
  if (taken === undefined) return null
  const said = Number(taken.text.replace(/,(?=\d{3}\b)/g, '').replace(',', '.'))
  const [unit = ''] = wordsOf(text.slice(taken.index + taken.text.length))
  const value = inUnitOf(nameWords, said, unit)
  return isInteger ? Math.round(value) : value
}

const units: Readonly<Record<string, number>> = {
  second: 1,
  minute: 60,
  hour: 3600,
  day: 86_400,
  week: 604_800,
}

/** Converts a span of time into the unit that the parameter is named after. */
export function inUnitOf(nameWords: readonly string[], value: number, unit: string): number {
  const secondsOf = (word: string) => units[word.toLowerCase().replace(/s$/, '')]
  const wanted = nameWords.map(secondsOf).find((one) => one !== undefined)
  const given = secondsOf(unit)
  return wanted === undefined || given === undefined ? value : (value * given) / wanted
}

const reference = String.raw`([A-Za-z]{0,4}-?\d[\w-]*)`
const twoReferences = new RegExp(
  String.raw`\b${reference}\s*(?:,|and|or)\s+(?:and\s+)?(?:\w+\s+)?${reference}\W*$`,
)
const namedReference = new RegExp(
  String.raw`\b(?:number|id|no|code|order|invoice|ticket|reference|case)\b\.?\s*(?:is|number|id|no|code)?\.?\s*#?\s*${reference}`,
  'i',
)

const amount = /^\s*(?:%|dollars?|euros?|cents?|percent)/i

/**
 * Takes an order number, an id or a similar value. Returns null if there are two, because either may be
 * meant.
 */
function takeIdentifier(text: string, numbers: SpokenNumber[]): string | null {
  if (twoReferences.test(text)) return null
  const found =
    namedReference.exec(text)?.[1] ??
    /\b[A-Z]{1,4}-?\d[\w-]*\b/.exec(text)?.[0] ??
    numbers.find(({ index, text: digits }) => !amount.test(text.slice(index + digits.length)))?.text
  const place = numbers.findIndex((number) => number.text === found)
  if (place !== -1) numbers.splice(place, 1)
  return found ?? null
}

function findMoment({ format, nameWords }: Parameter, { moments, timeZone }: Utterance): string | null {
  const wantsTime =
    format === 'time' || (format === null && nameWords.includes('time') && !nameWords.includes('date'))
  const moment = (wantsTime ? moments.find(({ hasTime }) => hasTime) : undefined) ?? moments[0]
  if (moment === undefined) return null
  // A day without a time of day means the morning.
  const wall = moment.hasTime ? moment.wall : { ...moment.wall, hour: 9, minute: 0 }
  if (format === 'date-time') return instantOf(wall, timeZone).toISOString()
  const two = (value: number) => String(value).padStart(2, '0')
  const day = `${wall.year}-${two(wall.month)}-${two(wall.day)}`
  const time = `${two(wall.hour)}:${two(wall.minute)}`
  if (wantsTime) return moment.hasTime ? time : null
  return format === 'date' || !moment.hasTime || nameWords.includes('date') ? day : `${day}T${time}`
}
