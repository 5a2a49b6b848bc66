import type { ModelTool } from '../text-model.js'
import { wordsOf } from './words.js'

export type ParameterKind =
  | 'choice'
  | 'flag'
  | 'number'
  | 'list'
  | 'moment'
  | 'zone'
  | 'email'
  | 'phone'
  | 'identifier'
  | 'place'
  | 'person'
  | 'query'
  | 'words'
  | 'other'
  | 'structure'

/** One argument of a tool, as far as its schema tells. */
export interface Parameter {
  readonly name: string
  readonly kind: ParameterKind
  readonly isRequired: boolean
  readonly isInteger: boolean
  readonly choices: readonly string[]
  /** Of a moment: what the schema wants to have. */
  readonly format: 'date' | 'date-time' | 'time' | null
  /** What its name and description speak of. */
  readonly nameWords: readonly string[]
}

type Schema = Readonly<Record<string, unknown>>

export function parametersOf(tool: ModelTool): Parameter[] {
  const properties = record(tool.parameters.properties)
  const required = Array.isArray(tool.parameters.required) ? tool.parameters.required : []
  return Object.entries(properties).map(([name, value]) => {
    const schema = record(value)
    return {
      name,
      kind: kindOf(name, schema),
      isRequired: required.includes(name),
      isInteger: typeOf(schema) === 'integer',
      choices: choicesOf(schema),
      format: formatOf(name, schema),
      nameWords: wordsOf(name),
    }
  })
}

/** By its type first, then by its name: what a parameter is called is what it is for. */
const namePatterns: readonly (readonly [ParameterKind, RegExp])[] = [
  ['zone', /\b(zone|timezone)\b/],
  ['other', /\b(language|locale|unit|units)\b/],
  ['email', /\b(email|mail)\b/],
  ['phone', /\b(phone|telephone|mobile)\b/],
  ['identifier', /\b(id|number|no|code|reference|ref|sku|invoice)\b/],
  ['moment', /\b(date|day|time|when|deadline|due|until|at|start|end|begin)\b/],
  ['place', /\b(city|location|place|country|town|address|destination|origin|region|where|station|airport)\b/],
  ['query', /\b(query|question|search|term|keyword|keywords|phrase)\b/],
  [
    'words',
    /\b(title|text|body|message|content|description|subject|topic|note|summary|reason|task|about|comment|details|item)\b/,
  ],
  [
    'person',
    /\b(person|customer|client|recipient|contact|attendee|user|name|to|who|guest|assignee|employee|owner)\b/,
  ],
]

function kindOf(name: string, schema: Schema): ParameterKind {
  if (choicesOf(schema).length > 0) return 'choice'
  const type = typeOf(schema)
  if (type === 'boolean') return 'flag'
  if (type === 'integer' || type === 'number') return 'number'
  if (type === 'object') return 'structure'
  if (type === 'array')
    return ['string', 'undefined'].includes(String(record(schema.items).type)) ? 'list' : 'structure'
  if (schema.format === 'email') return 'email'
  if (['date', 'date-time', 'time'].includes(String(schema.format))) return 'moment'
  const words = wordsOf(name).join(' ')
  return namePatterns.find(([, pattern]) => pattern.test(words))?.[0] ?? 'other'
}

/** Many schemas tell in words what they want. */
function formatOf(name: string, { format, description }: Schema): Parameter['format'] {
  if (format === 'date' || format === 'date-time' || format === 'time') return format
  return /[a-z]At$|_at$/.test(name) || /ISO ?8601|RFC ?3339/i.test(String(description)) ? 'date-time' : null
}

function typeOf(schema: Schema): unknown {
  return Array.isArray(schema.type) ? schema.type.find((type) => type !== 'null') : schema.type
}

function choicesOf(schema: Schema): string[] {
  return Array.isArray(schema.enum) ? schema.enum.filter((value) => typeof value === 'string') : []
}

function record(value: unknown): Schema {
  return typeof value === 'object' && value !== null ? (value as Schema) : {}
}
