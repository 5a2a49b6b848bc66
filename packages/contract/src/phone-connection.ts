import { z } from 'zod'
import { httpUrl, nonBlankText, resourceFields, text } from './field.js'
import { managedFields } from './managed-fields.js'
import { pageOf, pageQuery } from './page.js'
import { patchable, writable } from './writable.js'

/** A telephone number in international format. */
export const e164 = () =>
  z.string().regex(/^\+[1-9]\d{1,14}$/, {
    error: 'must be a telephone number in international format, for example +4930123456',
  })

/** The beginning of telephone numbers, for example a country code. */
export const numberPrefix = () =>
  z.string().regex(/^\+[1-9]\d{0,14}$/, {
    error: 'must be the beginning of a number in international format, for example +49',
  })

export const PhoneConnectionKind = z.enum(['twilio']).describe('The kind of the telephone provider.')

export type PhoneConnectionKind = z.output<typeof PhoneConnectionKind>

const timeOfDay = z
  .string()
  .regex(/^([01]\d|2[0-3]):[0-5]\d$/, { error: 'must be a time of day, for example 21:00' })

const quietHours = z
  .strictObject({
    from: timeOfDay.describe('The start of the quiet hours.'),
    to: timeOfDay.describe('The end of the quiet hours. If it is before `from`, they end the next day.'),
    timeZone: nonBlankText(64).describe('The IANA time zone of both times, for example `Europe/Berlin`.'),
  })
  .nullable()
  .describe('When no outgoing calls start. `null` if they can start at any time.')

const plainFields = {
  name: nonBlankText(200).describe('The display name of the phone connection.'),
  kind: PhoneConnectionKind,
  accountId: nonBlankText(200)
    .regex(/^[A-Za-z0-9_-]+$/, { error: 'must consist of letters, digits, underscores or hyphens' })
    .describe('The account at the provider. For Twilio, the Account SID.'),
  baseUrl: httpUrl()
    .refine((value) => !/[?#]/.test(value), { error: 'must not contain a query or a fragment' })
    .nullable()
    .default(null)
    .describe("The base URL of the provider's API. If `null`, the default URL of the kind is used."),
  isEnabled: z
    .boolean()
    .default(true)
    .describe('Whether calls can start. If `false`, incoming calls are rejected. Active calls continue.'),
  maxCalls: z.int().min(1).max(1000).default(10).describe('The maximum number of concurrent calls.'),
  allowedPrefixes: z
    .array(numberPrefix())
    .max(300)
    .default([])
    .describe(
      'The beginnings of the numbers that can be called, or to which users can transfer calls, for example `+49`. If empty, the phone connection makes no outgoing calls.',
    ),
  maxCallsPerHour: z
    .int()
    .min(1)
    .max(100_000)
    .default(60)
    .describe('The maximum number of outgoing calls within 60 minutes.'),
  quietHours: quietHours.default(null),
  ...managedFields,
}

export const phoneConnectionInputFields = {
  ...plainFields,
  secret: nonBlankText(4096)
    .regex(/^[\x21-\x7e]+$/, { error: 'must contain only printable ASCII characters without spaces' })
    .nullable()
    .optional()
    .describe(
      'The secret of the account. For Twilio, the Auth Token. Write-only. If omitted, the stored secret is kept. If `null`, it is deleted. Changing `accountId` or `baseUrl` also deletes the stored secret.',
    ),
}

const stateFields = {
  hasSecret: z.boolean().describe('Whether a secret is stored. The secret itself is never returned.'),
  state: z
    .enum(['off', 'unknown', 'ready', 'failed'])
    .describe(
      'Whether the provider accepts the account: `unknown` before the first request, `ready` or `failed` after the last one. `off` if the phone connection is not enabled.',
    ),
  failure: z.string().nullable().describe('Why the last request failed. `null` if it did not fail.'),
}

const readOnlyFields = [...Object.keys(resourceFields), ...Object.keys(stateFields)]

const example = {
  name: 'Front desk',
  kind: 'twilio',
  accountId: 'AC00000000000000000000000000000000',
  secret: 'example-auth-token',
  allowedPrefixes: ['+49'],
}

export const PhoneConnectionInput = writable(phoneConnectionInputFields, readOnlyFields).meta({
  id: 'PhoneConnectionInput',
  description: 'The parameters for creating or replacing a phone connection.',
  examples: [example],
})

const { externalId: _, ...upsertFields } = phoneConnectionInputFields

export const PhoneConnectionUpsert = writable(upsertFields, [...readOnlyFields, 'externalId']).meta({
  id: 'PhoneConnectionUpsert',
  description:
    'The parameters for creating or replacing a phone connection by its external ID, which is part of the path.',
  examples: [example],
})

export const PhoneConnectionPatch = patchable(phoneConnectionInputFields, readOnlyFields).meta({
  id: 'PhoneConnectionPatch',
  description: 'A merge patch for a phone connection.',
  examples: [{ maxCalls: 20 }],
})

export const PhoneConnection = z
  .object({ ...resourceFields, ...plainFields, ...stateFields })
  .meta({ id: 'PhoneConnection', description: 'An account at a telephone provider.' })

export const PhoneConnectionPage = pageOf(PhoneConnection, 'PhoneConnection')

export const PhoneConnectionListQuery = z.strictObject({
  ...pageQuery,
  Search: text(200).optional().describe('Only return phone connections whose name contains this text.'),
})

export const PhoneConnectionTest = z
  .object({
    ok: z.boolean().describe('Whether the provider responded and accepted the account.'),
    detail: z.string().describe('A description of the result, and of what to do next.'),
    providerStatus: z
      .int()
      .nullable()
      .describe('The HTTP status code of the response. `null` if the provider did not respond.'),
    durationMilliseconds: z.int().describe('The duration of the test request in milliseconds.'),
  })
  .meta({ id: 'PhoneConnectionTest', description: 'The result of testing a phone connection.' })

export type PhoneConnection = z.output<typeof PhoneConnection>
export type PhoneConnectionInput = z.output<typeof PhoneConnectionInput>
export type PhoneConnectionUpsert = z.output<typeof PhoneConnectionUpsert>
export type PhoneConnectionPatch = z.output<typeof PhoneConnectionPatch>
export type PhoneConnectionListQuery = z.output<typeof PhoneConnectionListQuery>
export type PhoneConnectionTest = z.output<typeof PhoneConnectionTest>
