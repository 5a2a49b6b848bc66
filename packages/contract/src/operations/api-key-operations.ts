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
    summary: 'Create an API key',
    description:
      'The answer contains the key, which is never shown again. It cannot have more scopes or a later expiry than the calling key.',
    scope: 'org:manage',
    body: ApiKeyInput,
    outcome: 'The key, with its secret, which is shown only once.',
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
      'The key stops working immediately. The last unexpired key that can manage the organization cannot be deleted (409).',
    scope: 'org:manage',
    params,
    outcome: 'The key is deleted. The answer has no body.',
    status: 204,
    refusals: ['LastManagingKey'],
  }),
}
