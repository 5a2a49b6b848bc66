import { describe, expect, test } from 'vitest'
import { type Contract, findBreaks } from './contract-breaks.js'
import { editedCopy } from './edited-copy.js'

const thing = {
  type: 'object',
  properties: {
    id: { type: 'string', format: 'uuid' },
    size: { type: 'string', enum: ['small', 'large'] },
    note: { anyOf: [{ type: 'string' }, { type: 'null' }] },
    parts: { type: 'array', items: { type: 'object', properties: { weight: { type: 'number' } } } },
  },
  required: ['id', 'size'],
}

const thingInput = {
  type: 'object',
  properties: {
    name: { type: 'string', minLength: 1, maxLength: 200 },
    size: { type: 'string', enum: ['small', 'large'] },
    note: { anyOf: [{ type: 'string', maxLength: 100 }, { type: 'null' }] },
    count: { type: 'integer', minimum: 0, maximum: 9 },
    tags: { type: 'array', items: { type: 'string' }, maxItems: 5 },
    free: {},
    labels: { type: 'object', propertyNames: { type: 'string' }, additionalProperties: { type: 'string' } },
    tool: {
      oneOf: [
        {
          type: 'object',
          properties: { kind: { const: 'hammer' }, weight: { type: 'number' } },
          required: ['kind'],
        },
        {
          type: 'object',
          properties: { kind: { const: 'saw' }, teeth: { type: 'integer' } },
          required: ['kind'],
        },
      ],
    },
  },
  required: ['name'],
}

const released: Contract = {
  security: [{ ApiKey: [] }],
  paths: {
    '/thing': {
      get: {
        operationId: 'listThings',
        parameters: [
          { in: 'query', name: 'Limit', schema: { type: 'integer', maximum: 200 } },
          { in: 'query', name: 'Size', schema: { type: 'string', enum: ['small', 'large'] } },
        ],
        responses: {
          200: {
            headers: { ETag: { schema: { type: 'string' } } },
            content: {
              'application/json': {
                schema: { type: 'array', items: { $ref: '#/components/schemas/Thing' } },
              },
            },
          },
          404: { $ref: '#/components/responses/Problem404' },
        },
      },
      post: {
        operationId: 'createThing',
        requestBody: {
          required: false,
          content: { 'application/json': { schema: { $ref: '#/components/schemas/ThingInput' } } },
        },
        responses: {
          201: { content: { 'application/json': { schema: { $ref: '#/components/schemas/MadeThing' } } } },
        },
      },
    },
  },
  components: {
    schemas: {
      Thing: thing,
      ThingInput: thingInput,
      MadeThing: {
        allOf: [
          { $ref: '#/components/schemas/Thing' },
          { type: 'object', properties: { key: { type: 'string' } }, required: ['key'] },
        ],
      },
    },
    responses: {
      Problem404: {
        content: {
          'application/problem+json': {
            schema: { type: 'object', properties: { detail: { type: 'string' } } },
          },
        },
      },
    },
  },
}

/** Returns the released contract with one value changed, or removed if it is undefined. */
const edited = (place: string, value: unknown) => editedCopy(released, place, value)

const gone = undefined
const list = 'paths /thing get'
const create = 'paths /thing post'
const limit = `${list} parameters 0`
const size = `${list} parameters 1`
const problem = 'components responses Problem404 content application/problem+json schema'
const sent = 'components schemas ThingInput'
const field = `${sent} properties`
const answered = 'components schemas Thing'
const { count: _, ...withoutCount } = thingInput.properties
const [hammer] = thingInput.properties.tool.oneOf

/** A change, its path, its new value and the expected finding. */
const breaks: readonly (readonly [what: string, place: string, value: unknown, ...found: string[]])[] = [
  ['a path removed', 'paths /thing', gone, 'GET /thing is gone', 'POST /thing is gone'],
  ['a method removed', list, gone, 'GET /thing is gone'],
  ['an operation renamed', `${list} operationId`, 'all', 'GET /thing was called listThings'],
  ['other credentials', 'security', [{ Token: [] }], 'every call needs other credentials'],
  ['other credentials of a call', `${list} security`, [], 'GET /thing needs other credentials'],
  ['a parameter renamed', `${size} name`, 'Sizes', 'GET /thing Size is gone'],
  ['a parameter moved', `${size} in`, 'header', 'GET /thing Size is gone'],
  ['a parameter required', `${limit} required`, true, 'GET /thing Limit is required now'],
  [
    'a parameter of another type',
    `${limit} schema type`,
    'string',
    'GET /thing Limit was integer, is string',
  ],
  ['a tighter parameter', `${limit} schema maximum`, 9, 'GET /thing Limit has another maximum: 9'],
  ["a parameter's value removed", `${size} schema enum`, ['small'], 'GET /thing Size takes large no more'],
  ['a body required', `${create} requestBody required`, true, 'POST /thing needs a body now'],
  ['a new body', `${list} requestBody`, { required: true, content: {} }, 'GET /thing needs a body now'],
  ['a body removed', `${create} requestBody`, gone, 'POST /thing takes no body now'],
  ['a media type removed', `${create} requestBody content`, {}, 'POST /thing body application/json is gone'],
  ['a sent field removed', field, withoutCount, 'POST /thing body.count is gone'],
  ['a sent field required', `${sent} required 1`, 'size', 'POST /thing body.size is required now'],
  ['a sent value removed', `${field} size enum`, ['small'], 'POST /thing body.size takes large no more'],
  [
    'values where all were taken',
    `${field} name enum`,
    ['a', 'b'],
    'POST /thing body.name takes only a, b now',
  ],
  [
    'a sent field of another type',
    `${field} count type`,
    'string',
    'POST /thing body.count was integer, is string',
  ],
  [
    'a type where all were taken',
    `${field} free type`,
    'string',
    'POST /thing body.free was anything, is string',
  ],
  ['null taken no more', `${field} note`, { type: 'string' }, 'POST /thing body.note was null, is string'],
  ['a shorter text', `${field} name maxLength`, 9, 'POST /thing body.name has another maxLength: 9'],
  ['a longer text', `${field} name minLength`, 2, 'POST /thing body.name has another minLength: 2'],
  ['a new pattern', `${field} name pattern`, '^a', 'POST /thing body.name has another pattern: ^a'],
  ['a new format', `${field} name format`, 'uri', 'POST /thing body.name has another format: uri'],
  ['a higher minimum', `${field} count minimum`, 1, 'POST /thing body.count has another minimum: 1'],
  ['fewer items', `${field} tags maxItems`, 4, 'POST /thing body.tags has another maxItems: 4'],
  ['other items', `${field} tags items type`, 'integer', 'POST /thing body.tags[] was string, is integer'],
  [
    'no further fields',
    `${sent} additionalProperties`,
    false,
    'POST /thing body takes no further fields now',
  ],
  [
    'other further fields',
    `${field} labels additionalProperties type`,
    'number',
    'POST /thing body.labels.* was string, is number',
  ],
  [
    'other field names',
    `${field} labels propertyNames maxLength`,
    9,
    'POST /thing body.labels.* has another maxLength: 9',
  ],
  [
    'a variant removed',
    `${field} tool oneOf`,
    [hammer],
    'POST /thing body.tool.kind takes saw no more',
    'POST /thing body.tool.teeth is gone',
  ],
  [
    'a field of a variant removed',
    `${field} tool oneOf 1 properties teeth`,
    gone,
    'POST /thing body.tool.teeth is gone',
  ],
  ['a status removed', `${list} responses 404`, gone, 'GET /thing 404 is gone'],
  ['a header removed', `${list} responses 200 headers ETag`, gone, 'GET /thing 200 ETag is gone'],
  [
    'an answered media type removed',
    `${list} responses 200 content`,
    {},
    'GET /thing 200 application/json is gone',
  ],
  ['a field of an error removed', `${problem} properties`, {}, 'GET /thing 404.detail is gone'],
  [
    'an answered field removed',
    `${answered} properties size`,
    gone,
    'GET /thing 200[].size is gone',
    'POST /thing 201.size is gone',
  ],
  [
    'an answered field of another type',
    `${answered} properties id type`,
    'integer',
    'GET /thing 200[].id was string, is integer',
    'POST /thing 201.id was string, is integer',
  ],
  [
    'a field of an answered part removed',
    `${answered} properties parts items properties`,
    {},
    'GET /thing 200[].parts[].weight is gone',
    'POST /thing 201.parts[].weight is gone',
  ],
  [
    'an answered field left out',
    `${answered} required`,
    ['size'],
    'GET /thing 200[].id can be left out now',
    'POST /thing 201.id can be left out now',
  ],
  [
    'null where none was answered',
    `${answered} properties size`,
    { anyOf: [thing.properties.size, { type: 'null' }] },
    'GET /thing 200[].size can be null now',
    'POST /thing 201.size can be null now',
  ],
  [
    'another type beside the answered one',
    `${answered} properties note anyOf 2`,
    { type: 'integer' },
    'GET /thing 200[].note can be integer now',
    'POST /thing 201.note can be integer now',
  ],
]

const additions: readonly (readonly [what: string, place: string, value: unknown])[] = [
  ['a path', 'paths /new', { get: { responses: {} } }],
  ['a method', 'paths /thing delete', { responses: {} }],
  ['a parameter', `${list} parameters 2`, { in: 'query', name: 'New', schema: { type: 'string' } }],
  ['a sent field', `${field} new`, { type: 'string' }],
  ['a sent value', `${field} size enum`, ['tiny', 'small', 'large']],
  ['every value', `${field} size enum`, gone],
  ['a sent type', `${field} count type`, ['integer', 'string']],
  ['every type', `${field} count`, {}],
  ['a longer text', `${field} name maxLength`, 300],
  ['a shorter text', `${field} name minLength`, gone],
  ['a field that can be left out', `${sent} required`, []],
  ['a sent variant', `${field} tool oneOf 2`, { type: 'object', properties: { kind: { const: 'drill' } } }],
  ['a body that can be left out', `${list} requestBody`, { content: {} }],
  ['a status', `${list} responses 409`, { content: {} }],
  ['a header', `${list} responses 200 headers New`, { schema: {} }],
  ['an answered field', `${answered} properties new`, { type: 'string' }],
  ['an answered field that is always there', `${answered} required`, ['id', 'size', 'note']],
  ['an answered value', `${answered} properties size enum`, ['tiny', 'small', 'large']],
  ['a description', `${answered} description`, 'A thing.'],
]

describe('the comparison of contracts [API-16]', () => {
  test('finds nothing between equal contracts', () => {
    expect(findBreaks(released, structuredClone(released))).toEqual([])
  })

  const rows = breaks.map(([what, place, value, ...found]) => ({ what, place, value, found }))

  test.each(rows)('finds $what', ({ place, value, found }) => {
    expect(findBreaks(released, edited(place, value))).toEqual(found)
  })

  test.each(additions)('accepts an additional %s', (_, place, value) => {
    expect(findBreaks(released, edited(place, value))).toEqual([])
  })

  test('finds a new required parameter', () => {
    const parameter = { in: 'query', name: 'New', required: true, schema: {} }
    const found = findBreaks(released, edited(`${list} parameters 2`, parameter))
    expect(found).toEqual(['GET /thing New is required now'])
  })

  test('fails on a broken reference', () => {
    expect(() => findBreaks(released, edited(answered, gone))).toThrow(
      '#/components/schemas/Thing leads nowhere',
    )
  })
})
