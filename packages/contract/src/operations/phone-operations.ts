import { z } from 'zod'
import { id } from '../field.js'
import { defineOperation } from '../operation.js'
import {
  CallRequest,
  PhoneCall,
  PhoneCallDigits,
  PhoneCallListQuery,
  PhoneCallPage,
  PhoneCallStop,
  PhoneCallTransfer,
} from '../phone-call.js'
import { PhoneCallStatistics, PhoneCallStatisticsQuery } from '../phone-call-statistics.js'
import {
  PhoneConnection,
  PhoneConnectionInput,
  PhoneConnectionListQuery,
  PhoneConnectionPage,
  PhoneConnectionPatch,
  PhoneConnectionTest,
  PhoneConnectionUpsert,
} from '../phone-connection.js'
import {
  PhoneNumber,
  PhoneNumberInput,
  PhoneNumberListQuery,
  PhoneNumberPage,
  PhoneNumberPatch,
  PhoneNumberUpsert,
} from '../phone-number.js'
import { managedResourceOperations } from './managed-resource-operations.js'

const scopes = { read: 'phone:read', write: 'phone:write' } as const

const connection = managedResourceOperations({
  ...scopes,
  name: 'PhoneConnection',
  noun: 'a phone connection',
  param: 'phoneConnectionId',
  listQuery: PhoneConnectionListQuery,
  page: PhoneConnectionPage,
  input: PhoneConnectionInput,
  patch: PhoneConnectionPatch,
  resource: PhoneConnection,
  upsert: PhoneConnectionUpsert,
  upserted: PhoneConnection,
  onReplace:
    'Omitted fields are set to their defaults. If `secret` is omitted, the stored secret is kept, unless `kind`, `accountId`, `baseUrl` or `sip.host` changes.',
  onDelete:
    'A phone connection cannot be deleted while it has phone numbers or calls that have not ended (409).',
  deleteErrors: ['Conflict'],
})

const number = managedResourceOperations({
  ...scopes,
  name: 'PhoneNumber',
  noun: 'a phone number',
  param: 'phoneNumberId',
  listQuery: PhoneNumberListQuery,
  page: PhoneNumberPage,
  input: PhoneNumberInput,
  patch: PhoneNumberPatch,
  resource: PhoneNumber,
  upsert: PhoneNumberUpsert,
  upserted: PhoneNumber,
  onReplace: 'Omitted fields are set to their defaults.',
  onDelete: 'Active calls of the number continue.',
})

const tag = 'PhoneCall'
const callParams = z.strictObject({ phoneCallId: id().describe('The ID of the call.') })

export const phoneOperations = {
  listPhoneConnections: connection.list,
  createPhoneConnection: connection.create,
  getPhoneConnection: connection.get,
  replacePhoneConnection: connection.replace,
  patchPhoneConnection: connection.patch,
  upsertPhoneConnection: connection.upsert,
  deletePhoneConnection: connection.remove,
  testPhoneConnection: defineOperation({
    operationId: 'testPhoneConnection',
    method: 'POST',
    path: '/api/v1/PhoneConnection/{phoneConnectionId}/test',
    tag: 'PhoneConnection',
    summary: 'Test a phone connection',
    description:
      'Sends a request to the provider with the stored secret, and returns the result. No call is made.',
    scope: 'phone:write',
    ...(connection.get.params && { params: connection.get.params }),
    outcome: 'The result of the test.',
    status: 200,
    response: PhoneConnectionTest,
  }),
  listPhoneNumbers: number.list,
  createPhoneNumber: number.create,
  getPhoneNumber: number.get,
  replacePhoneNumber: number.replace,
  patchPhoneNumber: number.patch,
  upsertPhoneNumber: number.upsert,
  deletePhoneNumber: number.remove,
  makeCall: defineOperation({
    operationId: 'makeCall',
    method: 'POST',
    path: '/api/v1/Agent/{agentId}/call',
    tag,
    summary: 'Make a call',
    description:
      'Queues an outgoing call. The call is dialed at most once, even if the service is restarted. Retrieve the call to learn its outcome.',
    scope: 'call:make',
    params: z.strictObject({ agentId: id().describe('The ID of the agent.') }),
    body: CallRequest,
    outcome: 'The queued call.',
    status: 201,
    response: PhoneCall,
    isIdempotent: true,
    errors: ['LimitReached', 'BudgetExceeded', 'ErasureInProgress', 'Conflict'],
  }),
  listPhoneCalls: defineOperation({
    operationId: 'listPhoneCalls',
    method: 'GET',
    path: '/api/v1/PhoneCall',
    tag,
    summary: 'List calls',
    scope: 'phone:read',
    query: PhoneCallListQuery,
    outcome: 'One page of the calls.',
    status: 200,
    response: PhoneCallPage,
  }),
  stopPhoneCalls: defineOperation({
    operationId: 'stopPhoneCalls',
    method: 'POST',
    path: '/api/v1/PhoneCall/stop-all',
    tag,
    summary: 'Stop all calls',
    description:
      'The emergency stop: ends all calls of the organization and disables all its phone connections, so that no call starts until they are enabled again.',
    scope: 'phone:write',
    outcome: 'The numbers of calls and phone connections that were stopped.',
    status: 200,
    response: PhoneCallStop,
  }),
  getPhoneCallStatistics: defineOperation({
    operationId: 'getPhoneCallStatistics',
    method: 'GET',
    path: '/api/v1/PhoneCall/statistics',
    tag,
    summary: 'Retrieve call statistics',
    description:
      'Returns statistics of the calls by the hour or day of their creation: number, directions, end reasons, answered share and duration. The period cannot exceed 92 days.',
    scope: 'phone:read',
    query: PhoneCallStatisticsQuery,
    outcome: 'The totals for the whole period and for each hour or day.',
    status: 200,
    response: PhoneCallStatistics,
  }),
  getPhoneCall: defineOperation({
    operationId: 'getPhoneCall',
    method: 'GET',
    path: '/api/v1/PhoneCall/{phoneCallId}',
    tag,
    summary: 'Retrieve a call',
    scope: 'phone:read',
    params: callParams,
    outcome: 'The requested call.',
    status: 200,
    response: PhoneCall,
  }),
  hangUpPhoneCall: defineOperation({
    operationId: 'hangUpPhoneCall',
    method: 'POST',
    path: '/api/v1/PhoneCall/{phoneCallId}/hang-up',
    tag,
    summary: 'Hang up a call',
    description:
      'Ends the call on any instance. A queued call is not dialed. Has no effect on an ended call.',
    scope: 'phone:write',
    params: callParams,
    outcome: 'The call has ended or is about to end. The response has no body.',
    status: 204,
  }),
  sendPhoneCallDigits: defineOperation({
    operationId: 'sendPhoneCallDigits',
    method: 'POST',
    path: '/api/v1/PhoneCall/{phoneCallId}/digits',
    tag,
    summary: 'Press keys in a call',
    description:
      'Sends keys to the other party of an active call, for example to a voice menu, on any instance within about a second. At most 32 keys can wait.',
    scope: 'call:make',
    params: callParams,
    body: PhoneCallDigits,
    outcome: 'The keys are about to be sent. The response has no body.',
    status: 204,
    errors: ['Conflict'],
  }),
  transferPhoneCall: defineOperation({
    operationId: 'transferPhoneCall',
    method: 'POST',
    path: '/api/v1/PhoneCall/{phoneCallId}/transfer',
    tag,
    summary: 'Transfer a call',
    description: 'Connects the other party with another number. The agent leaves the call.',
    scope: 'call:make',
    params: callParams,
    body: PhoneCallTransfer,
    outcome: 'The provider has accepted the transfer. The response has no body.',
    status: 204,
    errors: ['Conflict'],
  }),
}
