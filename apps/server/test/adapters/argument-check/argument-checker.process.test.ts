import { setImmediate as nextPass } from 'node:timers/promises'
import { afterAll, describe, expect, test } from 'vitest'
import { makeArgumentChecker } from '#server/adapters/argument-check/argument-checker.js'
import { systemTimers } from '#server/adapters/system/timers.js'

const checker = makeArgumentChecker(systemTimers)
/** This checker has a short time limit to keep the test fast. */
const impatient = makeArgumentChecker(systemTimers, { maxMilliseconds: 1000 })
afterAll(() => Promise.all([checker.close(), impatient.close()]))

const checkArguments = (
  schema: Readonly<Record<string, unknown>>,
  argumentsText: string,
  { organizationId = 'organization', by = checker } = {},
) => by.check({ organizationId, schema, argumentsText })

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

describe('checkArguments with valid arguments', () => {
  test.each<[string, object, string, object]>([
    ['returns the parsed arguments', city, '{"city":"Paris"}', { city: 'Paris' }],
    [
      'accepts properties that the schema does not name',
      city,
      '{"city":"Paris","days":3}',
      { city: 'Paris', days: 3 },
    ],
    ['accepts empty text if no property is required', { type: 'object' }, '', {}],
    ['accepts white space as no arguments', { type: 'object' }, ' \n', {}],
    ['accepts an unknown format', text({ format: 'parsec' }), '{"x":"1"}', { x: '1' }],
    ['accepts a schema with definitions', definitions, '{"x":"1"}', { x: '1' }],
    [
      'accepts a schema of a later draft',
      { ...city, $schema: laterDraft },
      '{"city":"Rome"}',
      { city: 'Rome' },
    ],
  ])('%s', async (_, schema, given, found) => {
    const text = JSON.stringify(found)
    expect(await checkArguments({ ...schema }, given)).toEqual({ ok: true, arguments: found, text })
  })

  test('fills in no defaults and converts no types', async () => {
    const schema = { type: 'object', properties: { days: { type: 'integer', default: 3 } } }
    expect(await checkArguments(schema, '{}')).toEqual({ ok: true, arguments: {}, text: '{}' })
    expect(await checkArguments(schema, '{"days":"3"}')).toMatchObject({ ok: false })
  })
})

describe('checkArguments with invalid arguments [TOOL-4]', () => {
  test.each<[string, object, string, string]>([
    ['text that is not JSON', city, '{"city":', 'not a JSON object'],
    ['text that is cut off', city, '{"city":"Par', 'not a JSON object'],
    ['a JSON list', city, '[]', 'not a JSON object'],
    ['null', city, 'null', 'not a JSON object'],
    ['a JSON string', city, '"Paris"', 'not a JSON object'],
    ['an object without a required property', city, '{}', "the object must have required property 'city'"],
    ['a value of the wrong type', city, '{"city":7}', 'city must be string'],
    ['a wrong value in a nested list', deep, '{"a":{"b":[1,"2"]}}', 'a.b.1 must be integer'],
    [
      'a value outside an enum',
      text({ enum: ['x'] }),
      '{"x":"y"}',
      'x must be equal to one of the allowed values',
    ],
    ['a value that breaks a pattern', text({ pattern: '^[A-Z]{3}$' }), '{"x":"ABc"}', 'x must match pattern'],
    [
      'a value with a wrong format',
      text({ format: 'date-time' }),
      '{"x":"noon"}',
      'x must match format "date-time"',
    ],
    ['a value that breaks a definition', definitions, '{"x":1}', 'x must be string'],
    [
      'a property that the schema does not allow',
      closed,
      '{"__proto__":{}}',
      'must NOT have additional properties',
    ],
  ])('rejects %s and reports the problem to the model', async (_, schema, given, problem) => {
    const checked = await checkArguments({ ...schema }, given)
    expect(checked).toEqual({ ok: false, problem: expect.stringContaining(problem) })
  })

  test('reports at most five problems', async () => {
    const names = Array.from({ length: 9 }, (_, index) => `field${index}`)
    const checked = await checkArguments({ type: 'object', required: names }, '{}')
    if (checked.ok) throw new Error('They lack everything.')
    expect(checked.problem.split(';')).toHaveLength(5)
  })
})

describe('checkArguments with unusual schemas', () => {
  test.each<[string, object]>([
    ['has a type that does not exist', { type: 'object', properties: { x: { type: 'strnig' } } }],
    ['has an invalid pattern', text({ pattern: '(' })],
    [
      'refers to a definition that does not exist',
      { type: 'object', properties: { x: { $ref: '#/$defs/gone' } } },
    ],
    ['refers to another address', { $ref: 'https://example.com/schema.json' }],
  ])('rejects all arguments if the schema %s', async (_, schema) => {
    for (const given of ['{}', '{"x":"1"}'])
      expect(await checkArguments({ ...schema }, given)).toEqual({
        ok: false,
        problem: 'The schema is not valid.',
      })
  })

  test('checks arguments synchronously even if the schema asks for asynchronous validation', async () => {
    const schema = { ...city, $async: true }
    expect(await checkArguments(schema, '{}')).toMatchObject({ ok: false })
    expect(await checkArguments(schema, '{"city":"Paris"}')).toMatchObject({ ok: true })
  })

  test.each<[string, object]>([
    ['pattern', text({ pattern: '^(a+)+$' })],
    ['property name pattern', { type: 'object', patternProperties: { '^(x+)+$': { type: 'string' } } }],
  ])('rejects arguments if a %s takes too long to match', async (_, schema) => {
    const long = `${'x'.repeat(40)}y`
    const given = { x: `${'a'.repeat(40)}b`, [long]: '' }
    expect(await checkArguments({ ...schema }, JSON.stringify(given))).toEqual({
      ok: false,
      problem: 'The JSON takes too long to check against the schema.',
    })
    expect(await checkArguments({ ...schema }, '{"x":"aa"}')).toMatchObject({ ok: true })
  })

  test('keeps several patterns of one schema apart', async () => {
    const pattern = (expression: string) => ({ type: 'string', pattern: expression })
    const schema = { type: 'object', properties: { a: pattern('^[a-z]$'), b: pattern('^[0-9]$') } }
    expect(await checkArguments(schema, '{"a":"x","b":"1"}')).toMatchObject({ ok: true })
    expect(await checkArguments(schema, '{"a":"1","b":"1"}')).toMatchObject({
      problem: expect.stringContaining('a must match'),
    })
    expect(await checkArguments(schema, '{"a":"x","b":"x"}')).toMatchObject({
      problem: expect.stringContaining('b must match'),
    })
    expect(await checkArguments(text({ pattern: '^é$' }), '{"x":"é"}')).toMatchObject({ ok: true })
  })

  test.each(['$id', 'id'])('accepts two different schemas with the same %s', async (key) => {
    const named = (type: string) => ({
      [key]: 'https://example.com/one',
      type: 'object',
      properties: { x: { type } },
    })
    expect(await checkArguments(named('string'), '{"x":"1"}')).toMatchObject({ ok: true })
    expect(await checkArguments(named('integer'), '{"x":1}')).toMatchObject({ ok: true })
    expect(await checkArguments(named('string'), '{"x":1}')).toMatchObject({ ok: false })
  })

  test('still checks correctly after 510 other schemas', async () => {
    const numbered = (value: number) => ({ type: 'object', properties: { x: { const: value } } })
    for (let value = 0; value < 510; value += 1)
      expect((await checkArguments(numbered(value), `{"x":${value}}`)).ok).toBe(true)
    expect((await checkArguments(numbered(0), '{"x":0}')).ok).toBe(true)
    expect((await checkArguments(numbered(0), '{"x":1}')).ok).toBe(false)
  })
})

/** Each level refers to the next one twice. */
function fanOut(levels: number) {
  const both = (level: number) => [{ $ref: `#/$defs/l${level}` }, { $ref: `#/$defs/l${level}` }]
  const level = (number: number) => [`l${number}`, { allOf: both(number + 1) }] as const
  const $defs = Object.fromEntries(Array.from({ length: levels }, (_, number) => level(number)))
  return { type: 'object', allOf: both(0), $defs: { ...$defs, [`l${levels}`]: { minProperties: 1 } } }
}

/** Counts the passes of the event loop until the work is done. */
async function passesDuring(work: Promise<unknown>): Promise<number> {
  let isDone = false
  const done = work.finally(() => {
    isDone = true
  })
  let passes = 0
  for (; !isDone; passes += 1) await nextPass()
  await done
  return passes
}

const differing = { type: 'object', properties: { x: { type: 'array', uniqueItems: true } } }
const many = (length: number, item: (index: number) => unknown) =>
  JSON.stringify({ x: Array.from({ length }, (_, index) => item(index)) })
const names = Array.from({ length: 4000 }, (_, index) => `field${index}`)
const lacking = { type: 'object', properties: { x: { items: { required: names } } } }

describe('checkArguments with work that takes too long [BND-2]', () => {
  test.each<[string, object, string]>([
    ['a schema whose references fan out', fanOut(40), '{"x":1}'],
    ['a long list of items that must be unique', differing, many(40_000, (index) => ({ index }))],
    ['more errors than fit in memory', lacking, many(20_000, () => ({}))],
  ])('rejects %s without blocking the event loop', async (_, schema, given) => {
    const checked = checkArguments({ ...schema }, given, { by: impatient })
    const passes = await passesDuring(checked)
    expect(await checked).toEqual({
      ok: false,
      problem: 'The JSON takes too long to check against the schema.',
    })
    // A check on this thread would leave its event loop only a few passes.
    expect(passes).toBeGreaterThan(100)
    expect(await checkArguments(city, '{"city":"Paris"}', { by: impatient })).toMatchObject({ ok: true })
  })

  test('makes only the checks of the same organization wait', async () => {
    const order: string[] = []
    const slow = Array.from({ length: 2 }, (_, index) =>
      checkArguments(fanOut(40 + index), '{"x":1}', { organizationId: 'slow' }).then(() =>
        order.push('slow'),
      ),
    )
    const others = ['a', 'b', 'c'].map((owner) =>
      checkArguments(city, '{"city":"Paris"}', { organizationId: owner }).then(({ ok }) =>
        order.push(`${owner} ${ok}`),
      ),
    )
    await Promise.all([...slow, ...others])
    expect(order.slice(0, 3).sort()).toEqual(['a true', 'b true', 'c true'])
  })

  test.each<[string, object, string, string]>([
    ['schema', { type: 'object', description: 'x'.repeat(300_000) }, '{}', 'is too large'],
    ['text of arguments', city, `{"city":"${'x'.repeat(1024 * 1024)}"}`, 'are too long'],
    [
      'nesting of arguments',
      city,
      `{"city":${'['.repeat(200_000)}${']'.repeat(200_000)}}`,
      'nested too deeply',
    ],
  ])('rejects a %s that is too large', async (_, schema, given, problem) => {
    const checked = await checkArguments({ ...schema }, given)
    expect(checked).toEqual({ ok: false, problem: expect.stringContaining(problem) })
  })
})

test('ends a thread that is not ready in time and reports the failed check [WAIT-1]', async () => {
  const program = new URL('../../support/tools/endless-start.worker.mjs', import.meta.url)
  const stuck = makeArgumentChecker(systemTimers, { program, maxStartMilliseconds: 300 })
  // The second check runs on a new thread.
  for (let round = 0; round < 2; round += 1)
    expect(await stuck.check({ organizationId: 'one', schema: city, argumentsText: '{}' })).toEqual({
      ok: false,
      problem: 'The JSON takes too long to check against the schema.',
    })
  await stuck.close()
})
