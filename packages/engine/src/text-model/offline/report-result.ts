import type { ModelMessage } from '../text-model.js'
import { withSpokenDates } from './spoken-date.js'
import { changingVerbs, fieldPhrase, joinWords, spokenName, wordsOf } from './words.js'

type ToolMessage = Extract<ModelMessage, { role: 'tool' }>

const maxCharacters = 600
const maxListed = 5
const maxFields = 8

/** Fields that hold the answer in words. */
const answerFields = [
  'answer',
  'text',
  'message',
  'summary',
  'result',
  'content',
  'output',
  'value',
  'data',
  'description',
]
const nameFields = ['title', 'name', 'subject', 'label', 'text', 'summary', 'id']
/** Fields for machines. */
const technical =
  /^(?:_.*|.*_?ids?|.*Ids?|uuid|etag|version|url|uri|href|link|created_?at|updated_?at|hash|type|object)$/i

/** What tools gave back, in words. */
export function reportResults(results: readonly ToolMessage[]): string {
  return results.map(reportResult).join(' ')
}

function reportResult({ name, output }: ToolMessage): string {
  const value = parse(output)
  const failure = failureIn(value)
  if (failure !== null) return `That did not work: ${sentence(failure)}`
  const words = withSpokenDates(wordsFor(value))
  const isChange = changingVerbs.has(wordsOf(name)[0] ?? '')
  if (words === '') return isChange ? 'That is done.' : `${capitalised(spokenName(name))} gave no result.`
  // Refusals and failures come as plain words too.
  const isSaid =
    /^(?:done|ok|okay|success)\b|\b(?:not|no|never|failed|error|rejected|refused|cannot|unable|expired|timed out)\b/i.test(
      words,
    )
  return isChange && !isSaid ? `Done. ${sentence(words)}` : sentence(words)
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
  const named = list.slice(0, maxListed).map(nameFor)
  const rest = list.length - named.length
  const names = joinWords(rest > 0 ? [...named, `${rest} more`] : named)
  return list.length === 1 ? `There is one: ${names}` : `There are ${list.length}: ${names}`
}

function wordsForRecord(value: Readonly<Record<string, unknown>>): string {
  const entries = Object.entries(value).filter(
    ([key, field]) => !isFlagOfSuccess(key, field) && isTold(field),
  )
  const [only] = entries
  if (
    only !== undefined &&
    (entries.length === 1 || Array.isArray(only[1])) &&
    answerFields.includes(only[0])
  )
    return wordsFor(only[1])
  const told = entries.filter(([key]) => !technical.test(key))
  const fields = (told.length > 0 ? told : entries).slice(0, maxFields)
  return joinWords(fields.map(([key, field]) => fieldInWords(fieldPhrase(key), field)))
}

function fieldInWords(name: string, field: unknown): string {
  if (Array.isArray(field)) {
    if (field.length === 0) return `there are no ${name}`
    return `the ${name} are ${joinWords(field.slice(0, maxListed).map(nameFor))}`
  }
  if (isRecord(field)) {
    const inner = Object.entries(field).filter(([, value]) => isTold(value))
    return joinWords(inner.map(([key, value]) => fieldInWords(`${name} ${fieldPhrase(key)}`, value)))
  }
  if (typeof field === 'boolean') return `${name.replace(/\bis /, '')}: ${field ? 'yes' : 'no'}`
  return `the ${name} is ${String(field)}`
}

/** A few words for one entry of a list. */
function nameFor(entry: unknown): string {
  if (!isRecord(entry)) return String(entry)
  const key = nameFields.find((field) => typeof entry[field] === 'string' || typeof entry[field] === 'number')
  return key === undefined ? wordsForRecord(entry) : String(entry[key])
}

function failureIn(value: unknown): string | null {
  if (!isRecord(value)) return null
  const { error, message } = value
  if (typeof error === 'string' && error !== '') return error
  if (isRecord(error)) return typeof error.message === 'string' ? error.message : 'an error without words'
  const hasFailed = value.success === false || value.ok === false || value.isError === true
  if (!hasFailed) return null
  return typeof message === 'string' ? message : wordsFor(value.content) || 'no reason was given'
}

function isFlagOfSuccess(key: string, field: unknown): boolean {
  return ['ok', 'success', 'iserror'].includes(key.toLowerCase()) && typeof field === 'boolean'
}

function isTold(field: unknown): boolean {
  return field !== null && field !== undefined && field !== ''
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

/** With a capital and a full stop, and not too long to listen to. */
function sentence(words: string): string {
  const plain = words.replace(/\s+/g, ' ').trim()
  const cut =
    plain.length <= maxCharacters
      ? plain
      : `${plain.slice(0, plain.lastIndexOf(' ', maxCharacters))} and so on`
  return capitalised(/[.!?]["')]?$/.test(cut) ? cut : `${cut}.`)
}

function capitalised(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1)
}
