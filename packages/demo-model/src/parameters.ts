import type { Tool } from './conversation.js'
import { wordsOf } from './words.js'

type TypedKind = 'choice' | 'flag' | 'number' | 'moment' | 'list' | 'structure'
type NamedKind = 'zone' | 'email' | 'identifier' | 'moment' | 'place' | 'person' | 'query' | 'words' | 'other'

/** A parameter of a tool, as its JSON schema describes it. */
export interface Parameter {
  readonly name: string
  /** Defines how the value is found in a sentence. */
  readonly kind: TypedKind | NamedKind
  readonly isRequired: boolean
  readonly isInteger: boolean
  readonly choices: readonly string[]
  /** The format of a moment. */
  readonly format: 'date' | 'date-time' | 'time' | null
  readonly nameWords: readonly string[]
}

type Schema = Readonly<Record<string, unknown>>

export function parametersOf(tool: Tool): Parameter[] {
  const required = Array.isArray(tool.parameters.required) ? tool.parameters.required : []
  return Object.entries(record(tool.parameters.properties)).map(([name, value]) => {
    const schema = record(value)
    const allowed = schema.enum ?? record(schema.items).enum
    const choices = Array.isArray(allowed) ? allowed.filter((one) => typeof one === 'string') : []
    const type = Array.isArray(schema.type) ? schema.type.find((one) => one !== 'null') : schema.type
    return {
      name,
      kind: choices.length > 0 && type !== 'array' ? 'choice' : kindOf(name, type, schema.format),
      isRequired: required.includes(name),
      isInteger: type === 'integer',
      choices,
      format: formatOf(name, schema),
      nameWords: wordsOf(name),
    }
  })
}

/** The kind of a string parameter follows from the words of its name. */
const namePatterns: readonly (readonly [NamedKind, RegExp])[] = [
  ['zone', /\b(zone|timezone)\b/],
  ['email', /\b(email|mail)\b/],
  ['identifier', /\b(id|number|no|code|reference|ref|sku|invoice|order)\b/],
  ['moment', /\b(date|day|time|when|deadline|due|until|at|start|end|begin)\b/],
  ['place', /\b(city|location|place|country|town|address|destination|origin|region|where|station|airport)\b/],
  ['query', /\b(query|question|search|term|keyword|keywords|phrase)\b/],
  [
    'words',
    /\b(title|text|body|message|content|description|subject|topic|note|summary|reason|task|details|item)\b/,
  ],
  ['person', /\b(person|customer|client|recipient|contact|attendee|user|name|to|who|guest|assignee|owner)\b/],
]

function kindOf(name: string, type: unknown, format: unknown): Parameter['kind'] {
  if (type === 'boolean') return 'flag'
  if (type === 'integer' || type === 'number') return 'number'
  if (type === 'array') return 'list'
  if (type === 'object') return 'structure'
  if (format === 'email') return 'email'
  if (format === 'date' || format === 'date-time' || format === 'time') return 'moment'
  const words = wordsOf(name).join(' ')
  return namePatterns.find(([, pattern]) => pattern.test(words))?.[0] ?? 'other'
}

/** Many schemas give the format in their description only. */
function formatOf(name: string, { format, description }: Schema): Parameter['format'] {
  if (format === 'date' || format === 'date-time' || format === 'time') return format
  return /[a-z]At$|_at$/.test(name) || /ISO ?8601|RFC ?3339/i.test(String(description)) ? 'date-time' : null
}

function record(value: unknown): Schema {
  return typeof value === 'object' && value !== null ? (value as Schema) : {}
}
