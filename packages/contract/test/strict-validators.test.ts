import { allOperations } from '@parley/contract'
import { buildOpenApi } from '@parley/contract/openapi'
import { Ajv2020 } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import { describe, expect, test } from 'vitest'

interface Content {
  readonly example?: unknown
  readonly examples?: Readonly<Record<string, { readonly value?: unknown }>>
}

interface Described {
  readonly requestBody?: { readonly content: Readonly<Record<string, Content>> }
  readonly responses: Readonly<Record<string, { readonly content?: Readonly<Record<string, Content>> }>>
}

const document = JSON.parse(JSON.stringify(buildOpenApi('0'))) as {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Described>>>>
}
const ajv = new Ajv2020({ strict: false, allErrors: true })
addFormats.default(ajv)
ajv.addSchema(document, 'contract')

const escaped = (part: string) => encodeURIComponent(part.replaceAll('~', '~0').replaceAll('/', '~1'))

function mistakes(place: readonly string[], value: unknown): string {
  const validate = ajv.compile({ $ref: `contract#/${place.map(escaped).join('/')}` })
  return validate(value) ? '' : ajv.errorsText(validate.errors)
}

/** Every JSON body of the contract with an example, and the path of its schema. */
const bodies = allOperations.flatMap(({ operationId, path, method }) => {
  const verb = method.toLowerCase()
  const described = document.paths[path]?.[verb]
  const at = ['paths', path, verb]
  const contents = [
    { place: [...at, 'requestBody'], content: described?.requestBody?.content },
    ...Object.entries(described?.responses ?? {}).map(([status, { content }]) => ({
      place: [...at, 'responses', status],
      content,
    })),
  ]
  return contents.flatMap(({ place, content }) =>
    Object.entries(content ?? {})
      .filter(([mediaType]) => mediaType.endsWith('json'))
      .flatMap(([mediaType, { example, examples = {} }]) =>
        [example, ...Object.values(examples).map(({ value }) => value)]
          .filter((value) => value !== undefined)
          .map((value) => ({
            name: `${operationId} ${place.at(-1)}`,
            place: [...place, 'content', mediaType, 'schema'],
            value,
          })),
      ),
  )
})

describe('a strict JSON Schema validator', () => {
  test('finds an example for most operations [9-1]', () => {
    expect(bodies.length).toBeGreaterThan(allOperations.length)
  })

  test.each(bodies)('accepts the example of $name [9-1]', ({ place, value }) => {
    expect(mistakes(place, value)).toBe('')
  })

  test('accepts amounts with six decimals, which no division by 0.000001 does [9-1]', () => {
    const schema = [
      'paths',
      '/api/v1/Price',
      'get',
      'responses',
      '200',
      'content',
      'application/json',
      'schema',
    ]
    const validate = ajv.compile({ $ref: `contract#/${schema.map(escaped).join('/')}` })
    validate({ items: [{ input: 0.3, output: 1.1, cachedInput: 0.000_007 }] })
    expect((validate.errors ?? []).filter(({ keyword }) => keyword === 'multipleOf')).toEqual([])
  })
})
