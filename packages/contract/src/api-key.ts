import { z } from 'zod'
import { answeredMoment, moment, nonBlankText, resourceFields } from './field.js'
import { pageOf, pageQuery } from './page.js'
import { Scope } from './scope.js'
import { writable } from './writable.js'

const keyText = /prl_([A-Za-z0-9]{8})_[A-Za-z0-9_-]{43}/g

/** Replaces the secret part of every API key in a text. The visible rest still identifies the key. */
export function concealApiKeys(text: string): string {
  return text.replaceAll(keyText, 'prl_$1_[secret]')
}

const readOnlyFields = [...Object.keys(resourceFields), 'prefix', 'lastUsedAt']

export const ApiKey = z
  .object({
    ...resourceFields,
    name: z.string().describe('The purpose of the key.'),
    prefix: z.string().describe('The first characters of the key, to identify it.'),
    scopes: z.array(Scope).describe('The scopes of the key.'),
    expiresAt: answeredMoment().nullable().describe('When the key expires. Null: never.'),
    lastUsedAt: answeredMoment().nullable().describe('When it was last used, to the minute.'),
  })
  .meta({ id: 'ApiKey', description: 'An API key of the organization, without its secret.' })

export const CreatedApiKey = ApiKey.extend({
  key: z.string().describe('The key. It is shown only once.'),
}).meta({ id: 'CreatedApiKey', description: 'A new API key, with its secret.' })

export const ApiKeyInput = writable(
  {
    name: nonBlankText(200).describe('The purpose of the key. Use one key per integration and environment.'),
    scopes: z
      .array(Scope)
      .min(1)
      .max(50)
      .describe('The scopes of the key, at most those of the calling key.'),
    expiresAt: moment()
      .nullable()
      .default(null)
      .describe('When the key expires, at the latest when the calling key does.'),
  },
  readOnlyFields,
).meta({
  id: 'ApiKeyInput',
  description: 'The body that creates an API key.',
  examples: [{ name: 'Booking system, production', scopes: ['agent:read', 'task:write'] }],
})

export const ApiKeyPage = pageOf(ApiKey, 'ApiKey')

export const ApiKeyListQuery = z.strictObject(pageQuery)

export type ApiKey = z.output<typeof ApiKey>
export type ApiKeyInput = z.output<typeof ApiKeyInput>
export type ApiKeyListQuery = z.output<typeof ApiKeyListQuery>
