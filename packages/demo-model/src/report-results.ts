import { type Message, readPassages, textsOf } from './conversation.js'
import { findQuery } from './find-values.js'
import { answerFromPassages, nothingInFiles } from './quote.js'
import { readRequest } from './read-request.js'
import { withSpokenDates } from './wall-time.js'
import { capitalized, changingVerbs, fieldPhrase, joinWords, spokenName, wordsOf } from './words.js'

const maxCharacters = 600
const maxListed = 5
const maxFields = 8
const answerFields = 'answer text message summary result content output value data description'.split(' ')
const nameFields = 'title name subject label text summary id'.split(' ')
const technicalField =
  /^(?:_.*|.*_?id|.*Id|uuid|etag|version|url|link|created_?at|updated_?at|hash|type|object)$/i

/** Reads the results of the last tool calls out. Passages of files are searched for the answer instead. */
export function reportLastResults(talk: readonly Message[]): string {
  const results = talk.slice(talk.findLastIndex(({ role }) => role !== 'tool') + 1)
  const words = textsOf(talk, 'user').at(-1) ?? ''
  const reports = results.map((result) => {
    if (result.role !== 'tool') return ''
    const { passages } = readPassages(result.output)
    if (passages.length === 0) return reportResult(result.name, result.output)
    return answerFromPassages(subjectOf(words), passages) ?? nothingInFiles
  })
  return reports.join(' ')
}

/** "What does the manual say about the warranty" and "Search the files for the warranty" are about the warranty. */
function subjectOf(words: string): string {
  const { kind, verb, core } = readRequest(words)
  const asked =
    /^\W*what (?:do(?:es)? )?(?:the|my|our|this) \w+ (?:say|tell|write)s?(?: me| us)? (?:about|on|regarding) (.+)$/is
  const isSearch = kind === 'order' && ['search', 'find', 'look', 'browse', 'check'].includes(verb ?? '')
  return asked.exec(words)?.[1] ?? (isSearch ? findQuery(core) : null) ?? words
}

function reportResult(name: string, output: string): string {
  const value = parse(output)
  const failure = failureIn(value)
  if (failure !== null) return `That did not work: ${sentence(failure)}`
  const words = withSpokenDates(wordsFor(value))
  const isChange = changingVerbs.has(wordsOf(name)[0] ?? '')
  if (words === '') return isChange ? 'That is done.' : `${capitalized(spokenName(name))} gave no result.`
  // Rejections come as plain words too.
  const needsNoStart =
    /^(?:done|ok|okay|success)\b|\b(?:not|no|never|failed|error|rejected|refused|cannot|expired)\b/i
  return isChange && !needsNoStart.test(words) ? `Done. ${sentence(words)}` : sentence(words)
}

function wordsFor(value: unknown): string {
  if (value === null || value === undefined) return ''
  if (typeof value === 'string') return value.trim()
  if (typeof value === 'boolean') return value ? 'The answer is yes' : 'The answer is no'
  if (typeof value === 'number') return `The answer is ${value}`
  return Array.isArray(value) ? wordsForList(value) : wordsForRecord(value as Record<string, unknown>)
}

function wordsForList(list: readonly unknown[]): string {
  if (list.length === 0) return 'Nothing was found'
  const texts = list.map((entry) => (isRecord(entry) && entry.type === 'text' ? entry.text : null))
  if (texts.every((text) => typeof text === 'string')) return texts.join(' ').trim()
  return list.length === 1 ? `There is one: ${namesOf(list)}` : `There are ${list.length}: ${namesOf(list)}`
}

function wordsForRecord(value: Readonly<Record<string, unknown>>): string {
  const entries = Object.entries(value).filter(
    ([key, field]) => !/^(?:ok|success|isError)$/.test(key) && !['', null, undefined].includes(field as null),
  )
  const [only] = entries
  const isAnswer = only !== undefined && (entries.length === 1 || Array.isArray(only[1]))
  if (isAnswer && answerFields.includes(only[0])) return wordsFor(only[1])
  const told = entries.filter(([key]) => !technicalField.test(key))
  const fields = (told.length > 0 ? told : entries).slice(0, maxFields)
  return joinWords(fields.map(([key, field]) => fieldInWords(fieldPhrase(key), field)))
}

function fieldInWords(name: string, field: unknown): string {
  if (Array.isArray(field))
    return field.length === 0 ? `there are no ${name}` : `the ${name} are ${namesOf(field)}`
  if (isRecord(field))
    return joinWords(
      Object.entries(field).map(([key, value]) => fieldInWords(`${name} ${fieldPhrase(key)}`, value)),
    )
  if (typeof field === 'boolean') return `${name.replace(/\bis /, '')}: ${field ? 'yes' : 'no'}`
  return `the ${name} ${/[^su]s$/.test(name) ? 'are' : 'is'} ${String(field)}`
}

/** Returns a few words for each entry of a list. */
function namesOf(list: readonly unknown[]): string {
  const names = list.slice(0, maxListed).map((entry) => {
    if (!isRecord(entry)) return String(entry)
    const key = nameFields.find((field) => ['string', 'number'].includes(typeof entry[field]))
    return key === undefined ? wordsForRecord(entry) : String(entry[key])
  })
  return joinWords(list.length > maxListed ? [...names, `${list.length - maxListed} more`] : names)
}

function failureIn(value: unknown): string | null {
  if (!isRecord(value)) return null
  const { error, message } = value
  if (typeof error === 'string' && error !== '') return error
  if (isRecord(error)) return typeof error.message === 'string' ? error.message : 'an error without a message'
  if (value.success !== false && value.ok !== false && value.isError !== true) return null
  return typeof message === 'string' ? message : wordsFor(value.content) || 'no reason was given'
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function parse(output: string): unknown {
  try {
    return JSON.parse(output)
  } catch {
    return output
  }
}

/** Shortens a text to a length that is pleasant to hear, and ends it like a sentence. */
function sentence(text: string): string {
  const plain = text.replace(/\s+/g, ' ').trim()
  const isLong = plain.length > maxCharacters
  const short = isLong ? `${plain.slice(0, plain.lastIndexOf(' ', maxCharacters))} and so on` : plain
  return capitalized(/[.!?]["')]?$/.test(short) ? short : `${short}.`)
}
