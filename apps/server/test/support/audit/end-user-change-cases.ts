import { v7 as uuid } from 'uuid'
import { expect } from 'vitest'
import type { RunningService } from '../start-service.js'
import type { ChangeCase } from './change-cases.js'

const path = '/api/v1/EndUser'

async function arrangeEndUser({ service, organizationId }: RunningService): Promise<string> {
  const seen = { organizationId, externalId: uuid(), newId: uuid(), at: new Date().toISOString() }
  return (await service.database.stores.endUsers.see(seen)).id
}

/** Returns the ids of an end user and of an agent. */
async function arrangeBoth(running: RunningService): Promise<string> {
  const agent = await running.client.call<{ id: string }>('POST', '/api/v1/Agent', {
    body: { name: 'Audited' },
  })
  return `${await arrangeEndUser(running)} ${agent.body.id}`
}

/** Returns the ids of an end user and of a fact. */
async function arrangeFact(running: RunningService): Promise<string> {
  const [endUserId, agentId] = (await arrangeBoth(running)).split(' ')
  const body = { agentId, text: 'Likes tea.' }
  const fact = await running.client.call<{ id: string }>('POST', `${path}/${endUserId}/fact`, { body })
  return `${endUserId} ${fact.body.id}`
}

const factPath = (ids: string) => `${path}/${ids.split(' ')[0]}/fact/${ids.split(' ').at(-1)}`

const shared = {
  resourceType: 'EndUserFact',
  resourceId: (ids: string, answer: unknown) =>
    (answer as { id?: string } | undefined)?.id ?? ids.split(' ').at(-1) ?? '',
}
const details = { endUserId: expect.any(String), agentId: expect.any(String) }

export const endUserChanges = {
  'erasing an end user': {
    arrange: arrangeEndUser,
    method: 'DELETE',
    path: (id) => `/api/v1/EndUser/${id}`,
    action: 'end_user.erase',
    resourceType: 'EndUser',
    details: {},
  },
  'changing the retention of conversations': {
    arrange: async ({ organizationId }: RunningService) => organizationId,
    method: 'PATCH',
    path: () => '/api/v1/ConversationRetention',
    body: { conversationRetentionDays: 365 },
    action: 'conversation_retention.update',
    resourceType: 'ConversationRetention',
    resourceId: (organizationId) => organizationId,
    details: { conversationRetentionDays: 365 },
  },
  'changing an end user': {
    arrange: arrangeEndUser,
    method: 'PATCH',
    path: (id) => `${path}/${id}`,
    body: { name: 'Ada', metadata: { plan: 'pro' } },
    action: 'end_user.update',
    resourceType: 'EndUser',
    details: { changed: ['name', 'metadata'] },
  },
  'adding a fact about an end user': {
    arrange: arrangeBoth,
    method: 'POST',
    path: (ids) => `${path}/${ids.split(' ')[0]}/fact`,
    bodyFor: (ids) => ({ agentId: ids.split(' ').at(-1), text: 'Likes tea.' }),
    action: 'end_user_fact.create',
    ...shared,
    details,
  },
  'changing a fact about an end user': {
    arrange: arrangeFact,
    method: 'PATCH',
    path: factPath,
    body: { text: 'Likes coffee.' },
    action: 'end_user_fact.update',
    ...shared,
    details: { ...details, changed: ['text'] },
  },
  'deleting a fact about an end user': {
    arrange: arrangeFact,
    method: 'DELETE',
    path: factPath,
    action: 'end_user_fact.delete',
    ...shared,
    details,
  },
} satisfies Record<string, Omit<ChangeCase, 'change'>>
