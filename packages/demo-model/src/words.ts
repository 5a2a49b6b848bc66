import type { Tool } from './conversation.js'

/** Words that say nothing about the subject of a sentence. */
const stopWords = new Set(
  (
    'a an the this that these those of in on at to for from with by about into and or but if so as is are was were be ' +
    'been am do does did done can could would will shall should may might must have has had i me my mine you your we ' +
    'our us he she it its they them their there here please just now what which who when where how much many tell give ' +
    'let want like need get got some any all more very then than also too not no yes ok okay hi hello hey current ' +
    'currently going gonna outside ll re ve d m s t right'
  ).split(' '),
)

/** Synonyms for tools. Each word is replaced by the first of its line. */
const synonyms = new Map(
  [
    'weather forecast temperature rain rainy umbrella sunny snow snowy climate degrees hot cold warm chilly windy cloudy',
    'time clock hour date day',
    'task reminder remind todo chore',
    'email mail message',
    'search find look lookup locate seek',
    'file document upload attachment',
    'book reserve reservation booking',
    'refund repay reimburse',
    'cancel abort stop withdraw',
    'create make add new set',
    'order purchase package parcel delivery shipment',
    'meeting appointment',
    'schedule plan arrange calendar',
    'customer client',
    'call phone ring telephone',
    'delete remove erase',
    'update change edit modify',
    'list show display',
    'price cost',
    'status state',
    'light lamp',
    'human person agent representative operator manager staff employee',
  ].flatMap((line) => {
    const [first = '', ...others] = line.split(' ')
    return [first, ...others].map((word) => [stem(word), stem(first)] as const)
  }),
)

/** Splits a text or an identifier such as `dueDate` into lower-case words. */
export function wordsOf(text: string): string[] {
  return text
    .replace(/([a-z])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .replace(/\bto[- ]do\b/g, 'todo')
    .replace(/[^a-z0-9]+/g, ' ')
    .trim()
    .split(' ')
    .filter((word) => word !== '')
}

/** Returns the stems of the words that carry meaning. Synonyms share one stem. */
export function meaningOf(text: string): Set<string> {
  return new Set(stemsOf(text).map((plain) => synonyms.get(plain) ?? plain))
}

/** Returns the stems of the words that carry meaning, without synonyms. */
export function stemsOf(text: string): string[] {
  return wordsOf(text)
    .filter((word) => !stopWords.has(word))
    .map(stem)
}

/** Returns `get_weather` or `dueDate` as words. */
export function spokenName(name: string): string {
  return wordsOf(name).join(' ')
}

function stem(word: string): string {
  if (word.length <= 3) return word
  return word
    .replace(/ies$/, 'y')
    .replace(/(?:ing|ed)$/, (ending, at: number) => (at >= 3 ? '' : ending))
    .replace(/(?<=[^s])s$/, '')
    .replace(/(?<=..)e$/, '')
    .replace(/([^aeiou])\1$/, '$1')
}

/** Verbs at the start of the names of tools that change something. */
export const changingVerbs: ReadonlySet<string> = new Set(
  (
    'create add make send book reserve cancel delete remove update change set schedule start stop close open refund ' +
    'pay approve assign turn submit'
  ).split(' '),
)
const readingVerbs = new Set(
  'get find check show track read switch search look list tell fetch count query transfer connect ask'.split(
    ' ',
  ),
)

/** Returns the name of a tool as a phrase that follows "I can": "create a task". */
export function toolPhrase({ name, description }: Tool): string {
  const [verb = '', ...things] = wordsOf(name)
  const thing = things.join(' ')
  // "Orders a taxi" says that "order" is the verb of `order_taxi`.
  const isVerb = stem(verb) === stem(wordsOf(description)[0] ?? '') || readingVerbs.has(verb)
  if (thing === '' || !(isVerb || changingVerbs.has(verb))) return `tell the ${spokenName(name)}`
  if (/(?:s|ing)$/.test(thing)) return `${verb} ${thing}`
  if (readingVerbs.has(verb)) return `${verb} the ${thing}`
  return `${verb} ${/^[aeiou]/.test(thing) ? 'an' : 'a'} ${thing}`
}

/** Returns the name of a field as a phrase: "due date" for `dueAt`. */
export function fieldPhrase(name: string): string {
  const words = wordsOf(name)
  if (words.join(' ') === 'to') return 'recipient'
  if (words.length > 1 && words.at(-1) === 'at') return [...words.slice(0, -1), 'date'].join(' ')
  return words.join(' ')
}

export function joinWords(parts: readonly string[], last = 'and'): string {
  if (parts.length <= 1) return parts[0] ?? ''
  return `${parts.slice(0, -1).join(', ')} ${last} ${parts.at(-1)}`
}

export function capitalized(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1)
}
