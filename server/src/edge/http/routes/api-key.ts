import { operations } from '@parley/contract'
import type { Services } from '../context.js'
import type { Router } from '../operation-route.js'

export function registerApiKeyRoutes({ read, write }: Router, { apiKeys }: Services): void {
  read(operations.listApiKeys, ({ caller, query }, stores) => apiKeys.list(stores, caller, query))
  write(operations.createApiKey, ({ caller, body }, stores) => apiKeys.create(stores, caller, body))
  read(operations.getApiKey, ({ caller, params }, stores) => apiKeys.read(stores, caller, params.apiKeyId))
  write(operations.deleteApiKey, ({ caller, params }, stores) =>
    apiKeys.remove(stores, caller, params.apiKeyId),
  )
}
