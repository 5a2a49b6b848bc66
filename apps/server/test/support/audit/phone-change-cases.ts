import { expect } from 'vitest'
import type { RunningService } from '../start-service.js'
import { makePhoneCall } from '../stores/phone-records.js'
import { nowhere } from '../webhooks/nowhere.js'
import type { ChangeCase } from './change-cases.js'

const connections = '/api/v1/PhoneConnection'
const numbers = '/api/v1/PhoneNumber'
const calls = '/api/v1/PhoneCall'
const connection = {
  ...{ name: 'Audited', kind: 'twilio', accountId: 'AC1', secret: 'secret-auth-token' },
  baseUrl: nowhere.slice(0, -1),
}

async function create({ client }: RunningService, path: string, body: object): Promise<string> {
  const answer = await client.call<{ id: string }>('POST', path, { body })
  if (answer.status !== 201) throw new Error(answer.text)
  return answer.body.id
}

/** Returns the ids of an agent and of a phone connection. */
async function arrangeReferences(running: RunningService): Promise<string> {
  const agentId = await create(running, '/api/v1/Agent', { name: 'Desk' })
  return `${agentId} ${await create(running, connections, connection)}`
}

const numberFor = (references: string, name = 'Audited') => {
  const [agentId, phoneConnectionId] = references.split(' ')
  return { name, number: '+4930123456', phoneConnectionId, agentId }
}

/** Returns the ids of an agent, of a phone connection and of a phone number. */
async function arrangeNumber(running: RunningService): Promise<string> {
  const references = await arrangeReferences(running)
  return `${references} ${await create(running, numbers, numberFor(references))}`
}

const numberIn = (ids: string) => ids.split(' ')[2] ?? '-'

async function arrangeCall({ service, organizationId }: RunningService): Promise<string> {
  // The service would end the call of an instance that is not alive.
  const nowhereYet = { instanceId: null, endRequestedAt: null, digitsRequested: null }
  const open = { state: 'active', endedAt: null, endReason: null, ...nowhereYet } as const
  const call = makePhoneCall(organizationId, { ...open, endUserId: null })
  await service.database.stores.phoneCalls.insert(call)
  return call.id
}

export const phoneChanges = {
  'creating a phone connection': {
    method: 'POST',
    path: () => connections,
    body: connection,
    action: 'phone_connection.create',
    resourceType: 'PhoneConnection',
    details: { name: 'Audited', kind: 'twilio' },
  },
  'replacing a phone connection': {
    prepare: [connections, connection],
    method: 'PUT',
    path: (id) => `${connections}/${id}`,
    body: { ...connection, name: 'Replaced', secret: 'secret-auth-token-2' },
    action: 'phone_connection.update',
    resourceType: 'PhoneConnection',
    details: { changed: ['name', 'secret'] },
  },
  'patching a phone connection': {
    prepare: [connections, connection],
    method: 'PATCH',
    path: (id) => `${connections}/${id}`,
    body: { maxCalls: 3 },
    action: 'phone_connection.update',
    resourceType: 'PhoneConnection',
    details: { changed: ['maxCalls'] },
  },
  'deleting a phone connection': {
    prepare: [connections, connection],
    method: 'DELETE',
    path: (id) => `${connections}/${id}`,
    action: 'phone_connection.delete',
    resourceType: 'PhoneConnection',
    details: { name: 'Audited' },
  },
  'creating a phone number': {
    arrange: arrangeReferences,
    method: 'POST',
    path: () => numbers,
    bodyFor: numberFor,
    action: 'phone_number.create',
    resourceType: 'PhoneNumber',
    details: { name: 'Audited', agentId: expect.any(String) },
  },
  'replacing a phone number': {
    arrange: arrangeNumber,
    method: 'PUT',
    path: (ids) => `${numbers}/${numberIn(ids)}`,
    bodyFor: (ids) => numberFor(ids, 'Replaced'),
    action: 'phone_number.update',
    resourceType: 'PhoneNumber',
    details: { changed: ['name'] },
  },
  'replacing a phone number by its external id': {
    async arrange(running) {
      const ids = await arrangeNumber(running)
      const body = { externalId: numberIn(ids) }
      await running.client.call('PATCH', `${numbers}/${numberIn(ids)}`, { body })
      return ids
    },
    method: 'PUT',
    path: (ids) => `${numbers}/external/${numberIn(ids)}`,
    bodyFor: (ids) => numberFor(ids, 'Replaced'),
    action: 'phone_number.update',
    resourceType: 'PhoneNumber',
    details: { changed: ['name'] },
  },
  'patching a phone number': {
    arrange: arrangeNumber,
    method: 'PATCH',
    path: (ids) => `${numbers}/${numberIn(ids)}`,
    body: { greeting: 'Hello.' },
    action: 'phone_number.update',
    resourceType: 'PhoneNumber',
    details: { changed: ['greeting'] },
  },
  'deleting a phone number': {
    arrange: arrangeNumber,
    method: 'DELETE',
    path: (ids) => `${numbers}/${numberIn(ids)}`,
    action: 'phone_number.delete',
    resourceType: 'PhoneNumber',
    details: { name: 'Audited' },
    resourceId: numberIn,
  },
  'making a call': {
    async arrange(running) {
      const [agentId, phoneConnectionId = ''] = (await arrangeReferences(running)).split(' ')
      const body = { allowedPrefixes: ['+49'] }
      await running.client.call('PATCH', `${connections}/${phoneConnectionId}`, { body })
      const number = `+49${String(Date.now()).slice(-9)}`
      await create(running, numbers, { name: 'Audited', number, phoneConnectionId, agentId })
      return `${agentId} ${number}`
    },
    method: 'POST',
    path: (ids) => `/api/v1/Agent/${ids.split(' ')[0]}/call`,
    bodyFor: (ids) => ({ to: '+4930654321', from: ids.split(' ')[1] }),
    action: 'phone_call.make',
    resourceType: 'PhoneCall',
    details: { direction: 'outgoing', agentId: expect.any(String) },
  },
  'hanging up a call': {
    arrange: arrangeCall,
    method: 'POST',
    path: (id) => `${calls}/${id}/hang-up`,
    action: 'phone_call.hang_up',
    resourceType: 'PhoneCall',
    details: expect.objectContaining({ direction: 'outgoing' }),
    resourceId: (id) => id,
  },
  'pressing keys in a call': {
    arrange: arrangeCall,
    method: 'POST',
    path: (id) => `${calls}/${id}/digits`,
    body: { digits: '12#' },
    action: 'phone_call.digits',
    resourceType: 'PhoneCall',
    details: expect.objectContaining({ direction: 'outgoing' }),
    resourceId: (id) => id,
  },
  'stopping all calls': {
    async arrange(running) {
      await arrangeCall(running)
      return running.organizationId
    },
    method: 'POST',
    path: () => `${calls}/stop-all`,
    action: 'phone_call.stop_all',
    resourceType: 'Organization',
    details: expect.objectContaining({ calls: expect.any(Number) }),
    resourceId: (organizationId) => organizationId,
  },
} satisfies Record<string, Omit<ChangeCase, 'change'>>
