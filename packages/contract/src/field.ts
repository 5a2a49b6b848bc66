import { z } from 'zod'
import { parseUrl } from './parse-url.js'

/*
 * Schemas of common fields. The HTTP layer rejects requests with characters that the database cannot store (NUL, lone
 * surrogates), so the schemas do not check for them.
 */

export const id = () => z.uuid().toLowerCase()

export const text = (maxLength: number) => z.string().max(maxLength)

export const nonBlankText = (maxLength: number) =>
  z.string().max(maxLength).regex(/\S/, { error: 'must not be blank' })

const isOneLine = (name: string) => !/\p{Cc}/u.test(name)

export const controlCharactersError = 'must not contain control characters, such as line breaks'

/** A name in a request. Rejects control characters, which could hide text in a terminal or log. */
export const nameInput = (maxLength: number) =>
  nonBlankText(maxLength).refine(isOneLine, { error: controlCharactersError })

/** The fields of resources that contain names. */
const nameFields = ['name', 'title', 'label', 'externalId', 'managedBy'] as const

/**
 * Returns the paths of all names with control characters in a resource, its tools and their buttons. Only writes check for
 * them, because rows that an earlier version stored must remain readable.
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
    ...below.flatMap(([innerPath, inner]) =>
      typeof inner === 'object' && inner !== null
        ? findControlCharacters(inner, [...path, ...innerPath])
        : [],
    ),
  ]
}

const earliest = Date.UTC(1970, 0, 1)
const latest = Date.UTC(9999, 11, 31, 23, 59, 59, 999)

/** A timestamp in a request, with any UTC offset. The service stores and returns UTC. */
export const timestampInput = () =>
  z.iso
    .datetime({ offset: true, abort: true })
    .refine((value) => Date.parse(value) >= earliest && Date.parse(value) <= latest, {
      error: 'must be between the years 1970 and 9999',
    })
    .transform((value) => new Date(value).toISOString())

/** A timestamp in a response: ISO 8601, UTC. */
export const timestamp = () => z.iso.datetime()

export const httpUrl = () =>
  z
    .url({ protocol: /^https?$/, error: 'must be an absolute http or https URL' })
    .max(2048)
    .refine((value) => !hasCredentials(value), { error: 'must not contain a user name or password' })

function hasCredentials(value: string): boolean {
  const url = parseUrl(value)
  return url !== null && (url.username !== '' || url.password !== '')
}

/** The read-only fields of every resource. */
export const resourceFields = {
  id: id().describe('The ID of the resource (UUID v7).'),
  createdAt: timestamp().describe('When the resource was created (UTC).'),
  updatedAt: timestamp().describe('When the resource was last updated (UTC).'),
}

/**
 * A number with at most six decimal places. JSON Schema's `multipleOf` cannot express this: validators divide, and 0.3
 * divided by 0.000001 is not an integer in floating-point arithmetic.
 */
export const sixDecimals = (schema: z.ZodNumber) =>
  schema.refine((value) => Number(value.toFixed(6)) === value, {
    error: 'must have at most 6 decimal places',
  })

/** Returns whether the text is the name of a time zone, for example Europe/Berlin. */
function isTimeZone(name: string): boolean {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone !== ''
  } catch {
    return false
  }
}

/** The name of a time zone. */
export const timeZone = () =>
  z.string().max(100).refine(isTimeZone, { error: 'must be an IANA time zone such as Europe/Berlin' })
