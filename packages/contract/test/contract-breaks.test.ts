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

const removed = undefined
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
  ['a removed path', 'paths /thing', removed, 'GET /thing was removed', 'POST /thing was removed'],
  ['a removed method', list, removed, 'GET /thing was removed'],
  ['a renamed operation', `${list} operationId`, 'all', 'GET /thing was renamed from listThings'],
  [
    'different credentials of all calls',
    'security',
    [{ Token: [] }],
    'every call requires different credentials',
  ],
  ['different credentials of a call', `${list} security`, [], 'GET /thing requires different credentials'],
  ['a renamed parameter', `${size} name`, 'Sizes', 'GET /thing Size was removed'],
  ['a moved parameter', `${size} in`, 'header', 'GET /thing Size was removed'],
  ['a parameter that became required', `${limit} required`, true, 'GET /thing Limit is now required'],
  [
    'a parameter with a different type',
    `${limit} schema type`,
    'string',
    'GET /thing Limit was integer and is now string',
  ],
  [
    'a parameter with a lower maximum',
    `${limit} schema maximum`,
    9,
    'GET /thing Limit has a different maximum: 9',
  ],
  [
    'a removed value of a parameter',
    `${size} schema enum`,
    ['small'],
    'GET /thing Size no longer accepts large',
  ],
  ['a body that became required', `${create} requestBody required`, true, 'POST /thing now requires a body'],
  [
    'a new required body',
    `${list} requestBody`,
    { required: true, content: {} },
    'GET /thing now requires a body',
  ],
  ['a removed body', `${create} requestBody`, removed, 'POST /thing no longer accepts a body'],
  [
    'a removed media type of a request',
    `${create} requestBody content`,
    {},
    'POST /thing body application/json was removed',
  ],
  ['a removed field of a request', field, withoutCount, 'POST /thing body.count was removed'],
  [
    'a field of a request that became required',
    `${sent} required 1`,
    'size',
    'POST /thing body.size is now required',
  ],
  [
    'a removed value of a request field',
    `${field} size enum`,
    ['small'],
    'POST /thing body.size no longer accepts large',
  ],
  [
    'a new list of accepted values',
    `${field} name enum`,
    ['a', 'b'],
    'POST /thing body.name now accepts only a, b',
  ],
  [
    'a request field with a different type',
    `${field} count type`,
    'string',
    'POST /thing body.count was integer and is now string',
  ],
  [
    'a type for an untyped request field',
    `${field} free type`,
    'string',
    'POST /thing body.free was anything and is now string',
  ],
  [
    'a request field that no longer accepts null',
    `${field} note`,
    { type: 'string' },
    'POST /thing body.note was null and is now string',
  ],
  [
    'a shorter maximum length',
    `${field} name maxLength`,
    9,
    'POST /thing body.name has a different maxLength: 9',
  ],
  [
    'a longer minimum length',
    `${field} name minLength`,
    2,
    'POST /thing body.name has a different minLength: 2',
  ],
  ['a new pattern', `${field} name pattern`, '^a', 'POST /thing body.name has a different pattern: ^a'],
  ['a new format', `${field} name format`, 'uri', 'POST /thing body.name has a different format: uri'],
  ['a higher minimum', `${field} count minimum`, 1, 'POST /thing body.count has a different minimum: 1'],
  [
    'a lower maximum number of items',
    `${field} tags maxItems`,
    4,
    'POST /thing body.tags has a different maxItems: 4',
  ],
  [
    'items of a different type',
    `${field} tags items type`,
    'integer',
    'POST /thing body.tags[] was string and is now integer',
  ],
  [
    'additional fields that are no longer accepted',
    `${sent} additionalProperties`,
    false,
    'POST /thing body no longer accepts additional fields',
  ],
  [
    'a different type of additional fields',
    `${field} labels additionalProperties type`,
    'number',
    'POST /thing body.labels.* was string and is now number',
  ],
  [
    'different names of additional fields',
    `${field} labels propertyNames maxLength`,
    9,
    'POST /thing body.labels.* has a different maxLength: 9',
  ],
  [
    'a removed variant',
    `${field} tool oneOf`,
    [hammer],
    'POST /thing body.tool.kind no longer accepts saw',
    'POST /thing body.tool.teeth was removed',
  ],
  [
    'a removed field of a variant',
    `${field} tool oneOf 1 properties teeth`,
    removed,
    'POST /thing body.tool.teeth was removed',
  ],
  ['a removed status', `${list} responses 404`, removed, 'GET /thing 404 was removed'],
  ['a removed header', `${list} responses 200 headers ETag`, removed, 'GET /thing 200 ETag was removed'],
  [
    'a removed media type of a response',
    `${list} responses 200 content`,
    {},
    'GET /thing 200 application/json was removed',
  ],
  ['a removed field of an error', `${problem} properties`, {}, 'GET /thing 404.detail was removed'],
  [
    'a removed field of a response',
    `${answered} properties size`,
    removed,
    'GET /thing 200[].size was removed',
    'POST /thing 201.size was removed',
  ],
  [
    'a response field with a different type',
    `${answered} properties id type`,
    'integer',
    'GET /thing 200[].id was string and is now integer',
    'POST /thing 201.id was string and is now integer',
  ],
  [
    'a removed field of a nested response object',
    `${answered} properties parts items properties`,
    {},
    'GET /thing 200[].parts[].weight was removed',
    'POST /thing 201.parts[].weight was removed',
  ],
  [
    'a response field that became optional',
    `${answered} required`,
    ['size'],
    'GET /thing 200[].id is now optional',
    'POST /thing 201.id is now optional',
  ],
  [
    'a response field that became nullable',
    `${answered} properties size`,
    { anyOf: [thing.properties.size, { type: 'null' }] },
    'GET /thing 200[].size can now be null',
    'POST /thing 201.size can now be null',
  ],
  [
    'an additional type of a response field',
    `${answered} properties note anyOf 2`,
    { type: 'integer' },
    'GET /thing 200[].note can now be integer',
    'POST /thing 201.note can now be integer',
  ],
]

const additions: readonly (readonly [what: string, place: string, value: unknown])[] = [
  ['a new path', 'paths /new', { get: { responses: {} } }],
  ['a new method', 'paths /thing delete', { responses: {} }],
  [
    'a new optional parameter',
    `${list} parameters 2`,
    { in: 'query', name: 'New', schema: { type: 'string' } },
  ],
  ['a new field of a request', `${field} new`, { type: 'string' }],
  ['a new value of a request field', `${field} size enum`, ['tiny', 'small', 'large']],
  ['any value of a request field', `${field} size enum`, removed],
  ['a new type of a request field', `${field} count type`, ['integer', 'string']],
  ['any type of a request field', `${field} count`, {}],
  ['a longer maximum length', `${field} name maxLength`, 300],
  ['no minimum length', `${field} name minLength`, removed],
  ['a request field that became optional', `${sent} required`, []],
  [
    'a new variant of a request field',
    `${field} tool oneOf 2`,
    { type: 'object', properties: { kind: { const: 'drill' } } },
  ],
  ['a new optional body', `${list} requestBody`, { content: {} }],
  ['a new status', `${list} responses 409`, { content: {} }],
  ['a new header', `${list} responses 200 headers New`, { schema: {} }],
  ['a new field of a response', `${answered} properties new`, { type: 'string' }],
  ['a response field that became required', `${answered} required`, ['id', 'size', 'note']],
  ['a new value of a response field', `${answered} properties size enum`, ['tiny', 'small', 'large']],
  ['a new description', `${answered} description`, 'A thing.'],
]

describe('the comparison of contracts [API-16]', () => {
  test('finds nothing between equal contracts', () => {
    expect(findBreaks(released, structuredClone(released))).toEqual([])
  })

  const rows = breaks.map(([what, place, value, ...found]) => ({ what, place, value, found }))

  test.each(rows)('finds $what', ({ place, value, found }) => {
    expect(findBreaks(released, edited(place, value))).toEqual(found)
  })

  test.each(additions)('accepts %s', (_, place, value) => {
    expect(findBreaks(released, edited(place, value))).toEqual([])
  })

  test('finds a new required parameter', () => {
    const parameter = { in: 'query', name: 'New', required: true, schema: {} }
    const found = findBreaks(released, edited(`${list} parameters 2`, parameter))
    expect(found).toEqual(['GET /thing New is now required'])
  })

  test('fails on a broken reference', () => {
    expect(() => findBreaks(released, edited(answered, removed))).toThrow(
      '#/components/schemas/Thing does not exist',
    )
  })
})
