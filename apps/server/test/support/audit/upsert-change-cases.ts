import { v7 as uuid } from 'uuid'
import type { ChangeCase } from './change-cases.js'

/** Replacements by external id. A resource that is created under one is recorded like any other. */
function replacing(name: string, body: object, details: object): Omit<ChangeCase, 'change'> {
  const path = `/api/v1/${name}`
  return {
    async arrange({ client }) {
      const externalId = uuid()
      const { status, text } = await client.call('POST', path, { body: { ...body, externalId } })
      if (status !== 201) throw new Error(text)
      return externalId
    },
    method: 'PUT',
    path: (externalId) => `${path}/external/${externalId}`,
    body: { ...body, name: 'Renamed' },
    action: `${name.replace(/(?<=[a-z])(?=[A-Z])/g, '_').toLowerCase()}.update`,
    resourceType: name,
    details,
  }
}

const renamed = { changed: ['name'] }

export const upsertChanges = {
  'replacing an agent by its external id': replacing('Agent', { name: 'Audited' }, renamed),
  'replacing a connection by its external id': replacing(
    'Connection',
    { name: 'Audited', kind: 'openai' },
    renamed,
  ),
  'replacing a webhook by its external id': replacing(
    'Webhook',
    { name: 'Audited', url: 'https://example.com/', events: ['*'] },
    renamed,
  ),
  'replacing a phone connection by its external id': replacing(
    'PhoneConnection',
    { name: 'Audited', kind: 'twilio', accountId: 'AC1' },
    renamed,
  ),
  'replacing a budget by its external id': replacing(
    'Budget',
    { name: 'Audited', period: 'day', limit: { tokens: 1000 } },
    { ...renamed, name: 'Renamed' },
  ),
} satisfies Record<string, Omit<ChangeCase, 'change'>>
