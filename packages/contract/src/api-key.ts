import { z } from 'zod'
import { answeredMoment, moment, nonBlankText, resourceFields } from './field.js'
import { pageOf, pageQuery } from './page.js'
import { Scope } from './scope.js'
import { writable } from './writable.js'

const keyText = /prl_([A-Za-z0-9]{8})_[A-Za-z0-9_-]{43}/g

/** A text with the secret part of every key in it taken out; what is left tells which key it was. */
export function concealApiKeys(text: string): string {
  return text.replaceAll(keyText, 'prl_$1_[secret]')
}

const readOnlyFields = [...Object.keys(resourceFields), 'prefix', 'lastUsedAt']

export const ApiKey = z
  .object({
    ...resourceFields,
    name: z.string().describe('What the key is for.'),
    prefix: z.string().describe('The beginning of the key, to tell it from others.'),
    scopes: z.array(Scope).describe('What the key may do.'),
    expiresAt: answeredMoment().nullable().describe('When it stops working; null: never.'),
    lastUsedAt: answeredMoment().nullable().describe('When it was last used, to the minute.'),
  })
  .meta({ id: 'ApiKey', description: 'A key of the organization, without its secret.' })

export const CreatedApiKey = ApiKey.extend({
  key: z.string().describe('The key itself. It is shown this once and never again.'),
}).meta({ id: 'CreatedApiKey', description: 'A new key, with its secret.' })

export const ApiKeyInput = writable(
  {
    name: nonBlankText(200).describe('What the key is for. One key per integration and environment is best.'),
    scopes: z.array(Scope).min(1).max(50).describe('What the key may do; at most what the calling key may.'),
    expiresAt: moment()
      .nullable()
      .default(null)
      .describe('When it stops working; at most when the calling key does.'),
  },
  readOnlyFields,
).meta({
  id: 'ApiKeyInput',
  description: 'A key to be made.',
  examples: [{ name: 'Booking system, production', scopes: ['agent:read', 'task:write'] }],
})

export const ApiKeyPage = pageOf(ApiKey, 'ApiKey')

export const ApiKeyListQuery = z.strictObject(pageQuery)

export type ApiKey = z.output<typeof ApiKey>
export type ApiKeyInput = z.output<typeof ApiKeyInput>
export type ApiKeyListQuery = z.output<typeof ApiKeyListQuery>
