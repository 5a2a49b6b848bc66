import { z } from 'zod'
import { ApiKey, ApiKeyInput, ApiKeyListQuery, ApiKeyPage, CreatedApiKey } from '../api-key.js'
import { id } from '../field.js'
import { defineOperation } from '../operation.js'

const tag = 'ApiKey'
const params = z.strictObject({ apiKeyId: id().describe('The id of the key (not the key itself).') })

export const apiKeyOperations = {
  listApiKeys: defineOperation({
    operationId: 'listApiKeys',
    method: 'GET',
    path: '/api/v1/ApiKey',
    tag,
    summary: 'List keys',
    scope: 'org:manage',
    query: ApiKeyListQuery,
    outcome: 'One page of the keys, without their secrets.',
    status: 200,
    answer: ApiKeyPage,
  }),
  createApiKey: defineOperation({
    operationId: 'createApiKey',
    method: 'POST',
    path: '/api/v1/ApiKey',
    tag,
    summary: 'Make a key',
    description:
      'The key is in the answer and is never shown again. It can do no more, and live no longer, than the calling key.',
    scope: 'org:manage',
    body: ApiKeyInput,
    outcome: 'The key, with its secret, which is shown this once.',
    status: 201,
    answer: CreatedApiKey,
  }),
  getApiKey: defineOperation({
    operationId: 'getApiKey',
    method: 'GET',
    path: '/api/v1/ApiKey/{apiKeyId}',
    tag,
    summary: 'Read a key',
    scope: 'org:manage',
    params,
    outcome: 'The key, without its secret.',
    status: 200,
    answer: ApiKey,
  }),
  deleteApiKey: defineOperation({
    operationId: 'deleteApiKey',
    method: 'DELETE',
    path: '/api/v1/ApiKey/{apiKeyId}',
    tag,
    summary: 'Delete a key',
    description:
      'It stops working at once. The last key that has not expired and can manage the organization is refused with 409.',
    scope: 'org:manage',
    params,
    outcome: 'The key is deleted; there is no body.',
    status: 204,
    refusals: ['LastManagingKey'],
  }),
}
