import { z } from 'zod'
import { parseUrl } from './parse-url.js'

/*
 * The field kinds that resources are made of. Text that no database can store (NUL, lone surrogates) is refused
 * for whole requests at the edge, so it is not repeated here.
 */

export const id = () => z.uuid().toLowerCase()

export const text = (maxLength: number) => z.string().max(maxLength)

export const nonBlankText = (maxLength: number) =>
  z.string().max(maxLength).regex(/\S/, { error: 'must not be blank' })

const isOneLine = (name: string) => !/\p{Cc}/u.test(name)

export const controlCharacters = 'must not contain control characters, such as line breaks'

/** A name that is written. Control characters could hide it, or what stands beside it, in a terminal or log. */
export const writtenName = (maxLength: number) =>
  nonBlankText(maxLength).refine(isOneLine, { error: controlCharacters })

/** The fields of resources that hold names. */
const nameFields = ['name', 'title', 'label', 'externalId', 'managedBy'] as const

/**
 * Returns where the names of a resource, its tools and their buttons have control characters. It is checked where a resource is
 * written and not in the fields themselves: rows of earlier versions stay readable.
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

/** A moment as callers may write it, with any offset; it is kept and answered in UTC. */
export const moment = () =>
  z.iso
    .datetime({ offset: true, abort: true })
    .refine((value) => Date.parse(value) >= earliest && Date.parse(value) <= latest, {
      error: 'must lie between the years 1970 and 9999',
    })
    .transform((value) => new Date(value).toISOString())

/** A moment as the service answers it: ISO 8601, UTC. */
export const answeredMoment = () => z.iso.datetime()

export const httpUrl = () =>
  z
    .url({ protocol: /^https?$/, error: 'must be an absolute http or https URL' })
    .max(2048)
    .refine((value) => !hasCredentials(value), { error: 'must not hold a user name or password' })

function hasCredentials(value: string): boolean {
  const url = parseUrl(value)
  return url !== null && (url.username !== '' || url.password !== '')
}

/** Fields that every resource carries and no caller sets. */
export const resourceFields = {
  id: id().describe('The resource id (UUID v7).'),
  createdAt: answeredMoment().describe('When it was created (UTC).'),
  updatedAt: answeredMoment().describe('When it last changed (UTC).'),
}

/**
 * A number with at most six decimals. JSON Schema's `multipleOf` cannot say so: validators divide, and 0.3 divided by
 * 0.000001 is no whole number.
 */
export const sixDecimals = (schema: z.ZodNumber) =>
  schema.refine((value) => Number(value.toFixed(6)) === value, { error: 'must have at most 6 decimals' })
