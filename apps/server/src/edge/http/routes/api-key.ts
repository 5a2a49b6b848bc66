import { operations } from '@parley/contract'
import type { Router } from '../operation-route.js'
import type { Services } from '../services.js'

export function registerApiKeyRoutes({ read, write }: Router, { apiKeys }: Services): void {
  read(operations.listApiKeys, ({ query }, scope) => apiKeys.list(scope, query))
  write(operations.createApiKey, ({ body }, scope) => apiKeys.create(scope, body))
  read(operations.getApiKey, ({ params }, scope) => apiKeys.read(scope, params.apiKeyId))
  write(operations.deleteApiKey, ({ params }, scope) => apiKeys.remove(scope, params.apiKeyId))
}
