import { z } from 'zod'
import { parseUrl } from './parse-url.js'

/*
 * The field kinds of resources. The HTTP layer rejects text that no database can store (NUL, lone surrogates) in the whole
 * request, so the schemas do not check it again.
 */

export const id = () => z.uuid().toLowerCase()

export const text = (maxLength: number) => z.string().max(maxLength)

export const nonBlankText = (maxLength: number) =>
  z.string().max(maxLength).regex(/\S/, { error: 'must not be blank' })

const isOneLine = (name: string) => !/\p{Cc}/u.test(name)

export const controlCharacters = 'must not contain control characters, such as line breaks'

/** A name in a request. Control characters could hide it or its neighbors in a terminal or log. */
export const writtenName = (maxLength: number) =>
  nonBlankText(maxLength).refine(isOneLine, { error: controlCharacters })

/** The fields of resources that hold names. */
const nameFields = ['name', 'title', 'label', 'externalId', 'managedBy'] as const

/**
 * Returns the paths of names with control characters in a resource, its tools and their buttons. Writes check it, not the
 * field schemas, because rows of earlier versions must stay readable.
 */
export function findControlCharacters(
  value: object,
  path: readonly (string | number)[] = [],
): PropertyKey[][] {
  const fields = new Map<string, unknown>(Object.entries(value))
  const own = nameFields.filter((field) => {
    const name = fields.get(field)
    return typeof name === 'string' && !isOneLine(name)
  })
  const tools = fields.get('tools')
  const below = [
    ...(Array.isArray(tools) ? tools.map((tool, index) => [['tools', index], tool] as const) : []),
    [['button'], fields.get('button')] as const,
  ]
  return [
    ...own.map((field) => [...path, field]),
    ...below.flatMap(([place, inner]) =>
      typeof inner === 'object' && inner !== null ? findControlCharacters(inner, [...path, ...place]) : [],
    ),
  ]
}

const earliest = Date.UTC(1970, 0, 1)
const latest = Date.UTC(9999, 11, 31, 23, 59, 59, 999)

/** A time in a request, with any offset. The service stores and returns UTC. */
export const moment = () =>
  z.iso
    .datetime({ offset: true, abort: true })
    .refine((value) => Date.parse(value) >= earliest && Date.parse(value) <= latest, {
      error: 'must be between the years 1970 and 9999',
    })
    .transform((value) => new Date(value).toISOString())

/** A time in an answer: ISO 8601, UTC. */
export const answeredMoment = () => z.iso.datetime()

export const httpUrl = () =>
  z
    .url({ protocol: /^https?$/, error: 'must be an absolute http or https URL' })
    .max(2048)
    .refine((value) => !hasCredentials(value), { error: 'must not contain a user name or password' })

function hasCredentials(value: string): boolean {
  const url = parseUrl(value)
  return url !== null && (url.username !== '' || url.password !== '')
}

/** Read-only fields of every resource. */
export const resourceFields = {
  id: id().describe('The resource id (UUID v7).'),
  createdAt: answeredMoment().describe('When it was created (UTC).'),
  updatedAt: answeredMoment().describe('When it last changed (UTC).'),
}

/**
 * A number with at most six decimals. JSON Schema's `multipleOf` cannot express it: validators divide, and 0.3 divided by
 * 0.000001 is not a whole number.
 */
export const sixDecimals = (schema: z.ZodNumber) =>
  schema.refine((value) => Number(value.toFixed(6)) === value, { error: 'must have at most 6 decimals' })
