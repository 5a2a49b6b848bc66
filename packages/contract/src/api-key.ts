import { z } from 'zod'
import { nonBlankText, resourceFields, timestamp, timestampInput } from './field.js'
import { pageOf, pageQuery } from './page.js'
import { Scope } from './scope.js'
import { writable } from './writable.js'

const keyText = /prl_([A-Za-z0-9]{8})_[A-Za-z0-9_-]{43}/g

/** Redacts the secret part of every API key in a text. The remaining prefix still identifies the key. */
export function concealApiKeys(text: string): string {
  return text.replaceAll(keyText, 'prl_$1_[secret]')
}

const readOnlyFields = [...Object.keys(resourceFields), 'prefix', 'lastUsedAt']

export const ApiKey = z
  .object({
    ...resourceFields,
    name: z.string().describe('The name of the key, which describes its purpose.'),
    prefix: z.string().describe('The first characters of the key, which identify it.'),
    scopes: z.array(Scope).describe('The scopes of the key.'),
    expiresAt: timestamp().nullable().describe('When the key expires (UTC). `null` if it never expires.'),
    lastUsedAt: timestamp()
      .nullable()
      .describe('When the key was last used (UTC), to the minute. `null` if it has never been used.'),
  })
  .meta({ id: 'ApiKey', description: 'An API key of the organization, without its secret.' })

export const CreatedApiKey = ApiKey.extend({
  key: z.string().describe('The API key. It is returned only once.'),
}).meta({ id: 'CreatedApiKey', description: 'A new API key, including its secret.' })

export const ApiKeyInput = writable(
  {
    name: nonBlankText(200).describe('The name of the key. Use one key per integration and environment.'),
    scopes: z
      .array(Scope)
      .min(1)
      .max(50)
      .describe('The scopes of the key. They cannot exceed the scopes of the calling key.'),
    expiresAt: timestampInput()
      .nullable()
      .default(null)
      .describe(
        'When the key expires. This cannot be later than the expiration of the calling key. If `null`, the key never expires.',
      ),
  },
  readOnlyFields,
).meta({
  id: 'ApiKeyInput',
  description: 'The parameters for creating an API key.',
  examples: [{ name: 'Booking system, production', scopes: ['agent:read', 'task:write'] }],
})

export const ApiKeyPage = pageOf(ApiKey, 'ApiKey')

export const ApiKeyListQuery = z.strictObject(pageQuery)

export type ApiKey = z.output<typeof ApiKey>
export type ApiKeyInput = z.output<typeof ApiKeyInput>
export type ApiKeyListQuery = z.output<typeof ApiKeyListQuery>
