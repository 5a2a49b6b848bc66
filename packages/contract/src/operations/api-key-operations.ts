import { z } from 'zod'
import { ApiKey, ApiKeyInput, ApiKeyListQuery, ApiKeyPage, CreatedApiKey } from '../api-key.js'
import { id } from '../field.js'
import { defineOperation } from '../operation.js'

const tag = 'ApiKey'
const params = z.strictObject({ apiKeyId: id().describe('The ID of the API key (not the key itself).') })

export const apiKeyOperations = {
  listApiKeys: defineOperation({
    operationId: 'listApiKeys',
    method: 'GET',
    path: '/api/v1/ApiKey',
    tag,
    summary: 'List API keys',
    scope: 'org:manage',
    query: ApiKeyListQuery,
    outcome: 'One page of the API keys, without their secrets.',
    status: 200,
    response: ApiKeyPage,
  }),
  createApiKey: defineOperation({
    operationId: 'createApiKey',
    method: 'POST',
    path: '/api/v1/ApiKey',
    tag,
    summary: 'Create an API key',
    description:
      'The response contains the key, which is returned only once. A key cannot have more scopes or a later expiration than the key that creates it.',
    scope: 'org:manage',
    body: ApiKeyInput,
    outcome: 'The API key, including its secret.',
    status: 201,
    response: CreatedApiKey,
  }),
  getApiKey: defineOperation({
    operationId: 'getApiKey',
    method: 'GET',
    path: '/api/v1/ApiKey/{apiKeyId}',
    tag,
    summary: 'Retrieve an API key',
    scope: 'org:manage',
    params,
    outcome: 'The API key, without its secret.',
    status: 200,
    response: ApiKey,
  }),
  deleteApiKey: defineOperation({
    operationId: 'deleteApiKey',
    method: 'DELETE',
    path: '/api/v1/ApiKey/{apiKeyId}',
    tag,
    summary: 'Delete an API key',
    description:
      'The key stops working immediately. The last valid key that can manage the organization cannot be deleted (409).',
    scope: 'org:manage',
    params,
    outcome: 'The API key was deleted. The response has no body.',
    status: 204,
    errors: ['LastManagingKey'],
  }),
}
