import { z } from 'zod'
import { id, nameInput, resourceFields, text, timestamp } from './field.js'
import { pageOf, pageQuery } from './page.js'
import { variableName } from './template.js'
import { patchable } from './writable.js'

const maxMetadataKeys = 50
const maxMetadataBytes = 8192
const maxMetadataFilters = 5
const maxVariables = 100

const metadataKey = z
  .string()
  .regex(/^[^\p{Cc}]{1,100}$/u, { error: 'must be 1 to 100 characters without control characters' })

export const Metadata = z
  .record(metadataKey, z.union([z.string(), z.number(), z.boolean()]))
  .superRefine((metadata, context) => {
    const message = findMetadataProblem(metadata)
    if (message !== null) context.addIssue({ code: 'custom', message })
  })
  .meta({
    id: 'Metadata',
    description:
      'Your own data: at most 50 keys with strings, numbers or booleans, and at most 8 KiB as JSON. Lists can be filtered by it.',
    examples: [{ plan: 'pro', seats: 5 }],
  })

export const Variables = z
  .record(
    z.string().regex(variableName, { error: 'must be a letter or _, then letters, digits or _' }),
    text(4096),
  )
  .refine((variables) => Object.keys(variables).length <= maxVariables, {
    error: `must have at most ${maxVariables} variables`,
  })
  .meta({
    id: 'Variables',
    description:
      "Values for `{{name}}` in the agent's instructions, first message and HTTP tools: at most 100, each up to 4096 characters.",
    examples: [{ customerName: 'Ada' }],
  })

/** Returns why metadata that was merged from several requests is too large, or null. */
export function findMetadataProblem(metadata: Metadata): string | null {
  if (Object.keys(metadata).length > maxMetadataKeys) return `must have at most ${maxMetadataKeys} keys`
  return new TextEncoder().encode(JSON.stringify(metadata)).length > maxMetadataBytes
    ? `must be at most ${maxMetadataBytes} bytes of JSON`
    : null
}

/** Returns why variables that were merged from several requests are too many, or null. */
export function findVariablesProblem(variables: Variables): string | null {
  return Object.keys(variables).length > maxVariables ? `must have at most ${maxVariables} variables` : null
}

/** The fields of questions, sessions and tasks that describe the end user. */
export const endUserFields = {
  externalUserId: nameInput(200)
    .nullable()
    .default(null)
    .describe(
      'Your own ID of the end user. The first use creates the end user. `null` if the end user is anonymous.',
    ),
  metadata: Metadata.default({}).describe(
    'Metadata of the conversation. Later requests merge theirs into it.',
  ),
  variables: Variables.default({}).describe(
    "Values for `{{name}}` in the agent's instructions, first message and HTTP tools. The conversation keeps them for later requests.",
  ),
}

export const EndUserErasure = z
  .object({
    startedAt: timestamp().describe('When the erasure was requested (UTC).'),
    remainingConversations: z.int().describe('The number of conversations that are not removed yet.'),
    remainingTasks: z.int().describe('The number of tasks that are not removed yet.'),
  })
  .meta({ id: 'EndUserErasure', description: 'The progress of the erasure of an end user.' })

export const EndUser = z
  .object({
    ...resourceFields,
    externalId: z.string().describe('Your own ID of the end user.'),
    name: z.string().nullable().describe('The name of the end user. `null` if it was not set.'),
    metadata: z
      .record(z.string(), z.union([z.string(), z.number(), z.boolean()]))
      .describe('Your own data about the end user.'),
    firstSeenAt: timestamp().describe('When the end user was first named in a request (UTC).'),
    lastSeenAt: timestamp().describe('When the end user was last named in a request (UTC).'),
    conversationCount: z.int().describe('The number of conversations of the end user.'),
    erasure: EndUserErasure.nullable().describe(
      'The progress of the erasure. `null` if the end user is not being erased.',
    ),
  })
  .meta({ id: 'EndUser', description: 'A person who talks to your agents.' })

export const EndUserPatch = patchable(
  {
    name: nameInput(200).nullable().default(null).describe('The name of the end user.'),
    metadata: z
      .record(metadataKey, z.union([z.string(), z.number(), z.boolean(), z.null()]))
      .default({})
      .describe('Your own data. It is merged with the stored data, and `null` removes a key.'),
  },
  [...Object.keys(resourceFields), 'externalId', 'firstSeenAt', 'lastSeenAt', 'conversationCount', 'erasure'],
).meta({
  id: 'EndUserPatch',
  description: 'A merge patch of an end user.',
  examples: [{ name: 'Ada Lovelace', metadata: { plan: 'pro' } }],
})

export const EndUserPage = pageOf(EndUser, 'EndUser')

const filterPrefix = 'Metadata.'

const queriesWithMetadata = new WeakSet<z.ZodType>()

export const filtersMetadata = (query: z.ZodType | undefined): boolean =>
  query !== undefined && queriesWithMetadata.has(query)

/**
 * The query of a list that can be filtered by metadata. A filter is a parameter of its own, such as `Metadata.plan=pro`.
 * OpenAPI cannot describe such parameters.
 */
export function withMetadataFilter<Shape extends z.ZodRawShape>(shape: Shape): z.ZodObject<Shape> {
  const query = z
    .object(shape)
    .catchall(z.string().max(1000))
    .superRefine((given, context) => {
      const names = Object.keys(given).filter((name) => !Object.hasOwn(shape, name))
      for (const name of names)
        if (!name.startsWith(filterPrefix) || !metadataKey.safeParse(name.slice(filterPrefix.length)).success)
          context.addIssue({ code: 'unrecognized_keys', keys: [name], input: given })
      if (names.length > maxMetadataFilters)
        context.addIssue({
          code: 'custom',
          message: `must have at most ${maxMetadataFilters} metadata filters`,
        })
    })
  queriesWithMetadata.add(query)
  // The type does not show the filters, because they would give every field an index signature.
  return query as unknown as z.ZodObject<Shape>
}

/** Returns the metadata filters of a query: keys and wanted values as text. */
export function metadataFilterOf(query: object): (readonly [key: string, value: string])[] {
  return Object.entries(query)
    .filter(([name]) => name.startsWith(filterPrefix))
    .map(([name, value]) => [name.slice(filterPrefix.length), String(value)] as const)
}

export const EndUserListQuery = withMetadataFilter({
  ...pageQuery,
  ExternalId: text(200).optional().describe('Only return the end user with exactly this external ID.'),
  Search: text(200)
    .optional()
    .describe('Only return end users whose external ID or name contains this text.'),
})

/** The filters of lists whose items belong to end users. */
export const endUserFilter = (what: string) => ({
  EndUserId: id().optional().describe(`Only return ${what} of this end user.`),
  ExternalUserId: text(200).optional().describe(`Only return ${what} of the end user with this external ID.`),
})

export type Metadata = z.output<typeof Metadata>
export type Variables = z.output<typeof Variables>
export type EndUserErasure = z.output<typeof EndUserErasure>
export type EndUser = z.output<typeof EndUser>
export type EndUserPatch = z.output<typeof EndUserPatch>
export type EndUserListQuery = z.output<typeof EndUserListQuery>
