import { describe, expect, test } from 'vitest'
import { checkArguments } from '#server/domain/tools/running/check-arguments.js'

const city = { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] }
const text = (fields: object) => ({ type: 'object', properties: { x: { type: 'string', ...fields } } })
const definitions = {
  type: 'object',
  $defs: { words: { type: 'string' } },
  properties: { x: { $ref: '#/$defs/words' } },
}
const deep = {
  type: 'object',
  properties: {
    a: { type: 'object', properties: { b: { type: 'array', items: { type: 'integer' } } } },
  },
}
const closed = { type: 'object', properties: {}, additionalProperties: false }
const laterDraft = 'https://json-schema.org/draft/2020-12/schema'

describe('arguments that fit', () => {
  test.each<[string, object, string, object]>([
    ['are given back parsed', city, '{"city":"Paris"}', { city: 'Paris' }],
    ['may have more than the schema names', city, '{"city":"Paris","days":3}', { city: 'Paris', days: 3 }],
    ['may be empty text where nothing is required', { type: 'object' }, '', {}],
    ['may be white space', { type: 'object' }, ' \n', {}],
    ['may have a format that nobody knows', text({ format: 'parsec' }), '{"x":"1"}', { x: '1' }],
    ['may use definitions', definitions, '{"x":"1"}', { x: '1' }],
    [
      'may have a schema of a later draft',
      { ...city, $schema: laterDraft },
      '{"city":"Rome"}',
      { city: 'Rome' },
    ],
  ])('%s', (_, schema, given, found) => {
    expect(checkArguments({ ...schema }, given)).toEqual({ ok: true, arguments: found })
  })

  test('are not changed: no default is filled in, no type is turned into another', () => {
    const schema = { type: 'object', properties: { days: { type: 'integer', default: 3 } } }
    expect(checkArguments(schema, '{}')).toEqual({ ok: true, arguments: {} })
    expect(checkArguments(schema, '{"days":"3"}')).toMatchObject({ ok: false })
  })
})

describe('[TOOL-4] arguments that do not fit', () => {
  test.each<[string, object, string, string]>([
    ['are no JSON', city, '{"city":', 'not a JSON object'],
    ['are cut off', city, '{"city":"Par', 'not a JSON object'],
    ['are a list', city, '[]', 'not a JSON object'],
    ['are null', city, 'null', 'not a JSON object'],
    ['are a text', city, '"Paris"', 'not a JSON object'],
    ['lack something', city, '{}', "arguments must have required property 'city'"],
    ['are of the wrong type', city, '{"city":7}', 'city must be string'],
    ['are wrong deep inside', deep, '{"a":{"b":[1,"2"]}}', 'a.b.1 must be integer'],
    [
      'are none of a list',
      text({ enum: ['x'] }),
      '{"x":"y"}',
      'x must be equal to one of the allowed values',
    ],
    ['break a pattern', text({ pattern: '^[A-Z]{3}$' }), '{"x":"ABc"}', 'x must match pattern'],
    ['have a wrong format', text({ format: 'date-time' }), '{"x":"noon"}', 'x must match format "date-time"'],
    ['break a definition', definitions, '{"x":1}', 'x must be string'],
    ['name what nobody asked for', closed, '{"__proto__":{}}', 'must NOT have additional properties'],
  ])('%s, and the model is told so', (_, schema, given, problem) => {
    const checked = checkArguments({ ...schema }, given)
    expect(checked).toEqual({ ok: false, problem: expect.stringContaining(problem) })
  })

  test('are told of in five problems at most', () => {
    const names = Array.from({ length: 9 }, (_, index) => `field${index}`)
    const checked = checkArguments({ type: 'object', required: names }, '{}')
    if (checked.ok) throw new Error('They lack everything.')
    expect(checked.problem.split(';')).toHaveLength(5)
  })
})

describe('a schema', () => {
  test.each<[string, object]>([
    ['with a type that does not exist', { type: 'object', properties: { x: { type: 'strnig' } } }],
    ['with a pattern that is none', text({ pattern: '(' })],
    ['that refers to nothing', { type: 'object', properties: { x: { $ref: '#/$defs/gone' } } }],
    ['that lies elsewhere', { $ref: 'https://example.com/schema.json' }],
  ])('%s lets nothing through', (_, schema) => {
    for (const given of ['{}', '{"x":"1"}'])
      expect(checkArguments({ ...schema }, given)).toEqual({
        ok: false,
        problem: "The tool's schema of its arguments is not valid.",
      })
  })

  test('that calls itself asynchronous is checked at once all the same', () => {
    const schema = { ...city, $async: true }
    expect(checkArguments(schema, '{}')).toMatchObject({ ok: false })
    expect(checkArguments(schema, '{"city":"Paris"}')).toMatchObject({ ok: true })
  })

  test.each<[string, object]>([
    ['pattern', text({ pattern: '^(a+)+$' })],
    ['name', { type: 'object', patternProperties: { '^(x+)+$': { type: 'string' } } }],
  ])('whose %s takes for ever to match is given up, and lets nothing through', (_, schema) => {
    const long = `${'x'.repeat(40)}y`
    const given = { x: `${'a'.repeat(40)}b`, [long]: '' }
    const startedAt = performance.now()
    expect(checkArguments({ ...schema }, JSON.stringify(given))).toEqual({
      ok: false,
      problem: "The arguments take too long to check against the tool's schema.",
    })
    expect(performance.now() - startedAt).toBeLessThan(2000)
    expect(checkArguments({ ...schema }, '{"x":"aa"}')).toMatchObject({ ok: true })
  })

  test('may have several patterns, each with a meaning of its own', () => {
    const pattern = (expression: string) => ({ type: 'string', pattern: expression })
    const schema = { type: 'object', properties: { a: pattern('^[a-z]$'), b: pattern('^[0-9]$') } }
    expect(checkArguments(schema, '{"a":"x","b":"1"}')).toMatchObject({ ok: true })
    expect(checkArguments(schema, '{"a":"1","b":"1"}')).toMatchObject({
      problem: expect.stringContaining('a must match'),
    })
    expect(checkArguments(schema, '{"a":"x","b":"x"}')).toMatchObject({
      problem: expect.stringContaining('b must match'),
    })
    expect(checkArguments(text({ pattern: '^é$' }), '{"x":"é"}')).toMatchObject({ ok: true })
  })

  test.each(['$id', 'id'])('may share its %s with another that differs', (key) => {
    const named = (type: string) => ({
      [key]: 'https://example.com/one',
      type: 'object',
      properties: { x: { type } },
    })
    expect(checkArguments(named('string'), '{"x":"1"}')).toMatchObject({ ok: true })
    expect(checkArguments(named('integer'), '{"x":1}')).toMatchObject({ ok: true })
    expect(checkArguments(named('string'), '{"x":1}')).toMatchObject({ ok: false })
  })

  test('is still right after many others', () => {
    const numbered = (value: number) => ({ type: 'object', properties: { x: { const: value } } })
    for (let value = 0; value < 600; value += 1)
      expect(checkArguments(numbered(value), `{"x":${value}}`).ok).toBe(true)
    expect(checkArguments(numbered(0), '{"x":0}').ok).toBe(true)
    expect(checkArguments(numbered(0), '{"x":1}').ok).toBe(false)
  })
})
