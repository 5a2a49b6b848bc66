import { alternativesOf, type JsonSchema, patternsOf } from './json-schema.js'

/** A value with one mistake in it. */
export interface Mistake {
  readonly title: string
  /** The position of the mistake as the error should name it. */
  readonly path: string
  readonly value: unknown
}

const oneOfEachType: Readonly<Record<string, unknown>> = {
  string: 'text',
  number: 1.5,
  integer: 7,
  boolean: true,
  null: null,
  array: [],
  object: {},
}

const unstorableTexts = ['a\0b', '\ud800', 'a\udfff']

const oddTexts = ['', ' ', '\t\n', 'a b', 'a\nb', 'é', '☃', '{}']

const badTextsOfFormat: Readonly<Record<string, readonly string[]>> = {
  email: ['kim', '@example.com', 'kim@', 'kim@example', 'a@b@example.com', 'kim berg@example.com'],
  uuid: [
    'mine',
    '01890f5e8c7d7b2e9c3a1f2e3d4c5b6a',
    '{01890f5e-8c7d-7b2e-9c3a-1f2e3d4c5b6a}',
    '01890f5e-8c7d-7b2e-9c3a-1f2e3d4c5b6aa',
  ],
  uri: [
    'example',
    '/path',
    '//example.com',
    'https://',
    'ftp://example.com/',
    'javascript:alert(1)',
    'https://user:password@example.com/',
  ],
  'date-time': [
    'tomorrow',
    '2030-01-31',
    '2030-01-31T09:00:00',
    '2030-02-30T09:00:00Z',
    '2030-01-31T25:00:00Z',
    '2030-01-31T09:00:00+99:00',
    '2016-12-31T23:59:60Z',
    '0000-01-01T00:00:00Z',
    '1969-12-31T23:59:59Z',
    '9999-12-31T23:59:59-12:00',
    '+010000-01-01T00:00:00Z',
    '-000001-01-01T00:00:00Z',
  ],
}

/** Every possible mistake in a text, except for its type. */
export function badTexts(schema: JsonSchema): string[] {
  const known = schema.enum ?? (schema.const === undefined ? undefined : [schema.const])
  const patterns = patternsOf(schema)
  const texts = [
    ...(known ? ['', 'something else', ...known.map((value) => `${value} `)] : []),
    ...(schema.maxLength === undefined ? [] : ['x'.repeat(schema.maxLength + 1)]),
    ...oddTexts.filter((text) => patterns.some((pattern) => !pattern.test(text))),
    ...(badTextsOfFormat[schema.format ?? ''] ?? []),
  ]
  return [...new Set([...texts, ...unstorableTexts])]
}

/** Every possible mistake in a value of this schema, each alone in an otherwise valid value. */
export function mistakesIn(schema: JsonSchema, good: unknown, path: string): Mistake[] {
  const options = alternativesOf(schema)
  if (options.some(({ type }) => type === undefined)) return []
  const types = options.map(({ type }) => type)
  const isWrong = (type: string) => !types.includes(type) && !(type === 'integer' && types.includes('number'))
  const wrongTypes = Object.entries(oneOfEachType)
    .filter(([type]) => isWrong(type))
    .map(([type, value]) => ({ title: `type ${type}`, path, value }))
  return [...wrongTypes, ...options.flatMap((option) => mistakesInside(option, good, path))]
}

function mistakesInside(schema: JsonSchema, good: unknown, path: string): Mistake[] {
  const wrong = (values: readonly unknown[]) =>
    values.map((value) => ({ title: JSON.stringify(value).slice(0, 40), path, value }))
  switch (schema.type) {
    case 'string':
      return wrong(badTexts(schema))
    case 'integer':
      return wrong([(schema.minimum ?? 0) - 1, (schema.maximum ?? 2 ** 53) + 1, 1e308])
    case 'array':
      return mistakesInArray(schema, good, path)
    case 'object':
      return mistakesInObject(schema, isOf(schema, good) ? good : sampleObject(schema), path)
    default:
      return []
  }
}

function mistakesInArray({ items = {}, minItems = 0, maxItems }: JsonSchema, good: unknown, path: string) {
  const [first] = Array.isArray(good) ? good : []
  const inItems = mistakesIn(items, first, `${path}[0]`).map((mistake) => ({
    ...mistake,
    value: [mistake.value],
  }))
  if (minItems > 0) inItems.push({ title: 'too few items', path, value: [] })
  if (maxItems !== undefined)
    inItems.push({ title: 'too many items', path, value: Array(maxItems + 1).fill(sampleOf(items)) })
  return inItems
}

function mistakesInObject(schema: JsonSchema, good: object, path: string): Mistake[] {
  const { properties = {}, required = [], additionalProperties: others = true, propertyNames } = schema
  const at = (name: string) => (path === '' ? name : `${path}.${name}`)
  const withField = (name: string, value: unknown) => ({ ...good, [name]: value })
  const named = (title: string, name: string) => ({ title, path: at(name), value: withField(name, 'text') })
  const values = new Map<string, unknown>(Object.entries(good))
  const inField = (name: string, field: JsonSchema) =>
    mistakesIn(field, values.get(name), at(name)).map(({ value, ...mistake }) => ({
      ...mistake,
      value: withField(name, value),
    }))
  return [
    ...Object.entries(properties).flatMap(([name, field]) => inField(name, field)),
    ...required.map((name) => ({ title: 'missing', path: at(name), value: without(good, name) })),
    ...(others === false ? [named('unknown field', 'unknownField')] : []),
    ...(typeof others === 'object' ? inField('sample', others) : []),
    ...(propertyNames ? badTexts(propertyNames).map((name) => named('bad field name', name)) : []),
    ...unstorableTexts.map((name) => named('unstorable field name', name)),
  ]
}

/** Whether this is the union member that the value follows, by its constant fields. */
function isOf({ properties = {} }: JsonSchema, value: unknown): value is object {
  if (typeof value !== 'object' || value === null) return false
  const fields = new Map<string, unknown>(Object.entries(value))
  return Object.entries(properties).every(
    ([name, field]) => field.const === undefined || field.const === fields.get(name),
  )
}

function without(value: object, name: string): object {
  return Object.fromEntries(Object.entries(value).filter(([field]) => field !== name))
}

/** Returns the smallest value that matches the schema. */
function sampleOf(schema: JsonSchema): unknown {
  const [option = {}] = alternativesOf(schema)
  if (option.const !== undefined) return option.const
  if (option.enum) return option.enum[0]
  if (option.type === 'object') return sampleObject(option)
  const samples: Readonly<Record<string, unknown>> = {
    integer: option.minimum ?? 0,
    boolean: true,
    array: [],
  }
  return option.type === 'string' ? sampleText(option) : samples[option.type ?? '']
}

function sampleObject({ properties = {}, required = [] }: JsonSchema): object {
  return Object.fromEntries(required.map((name) => [name, sampleOf(properties[name] ?? {})]))
}

function sampleText(schema: JsonSchema): string {
  const texts = ['sample', '01890f5e-8c7d-7b2e-9c3a-1f2e3d4c5b6a', '2030-01-31T09:00:00Z']
  if (schema.format === 'uri') return 'https://example.com/'
  return texts.find((text) => patternsOf(schema).every((pattern) => pattern.test(text))) ?? ''
}
