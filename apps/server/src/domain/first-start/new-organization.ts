import { type ConnectionInput, scopes } from '@parley/contract'
import type { ApiKeyRecord } from '../../ports/api-key-store.js'
import { makeApiKey } from '../access/api-keys.js'
import { beginChain, type Sealing } from '../audit/chain-head.js'
import { recordChange } from '../audit/record-change.js'
import type { CallerScope } from '../caller-scope.js'
import type { Connections } from '../connections/connections.js'

/** The connection that works with nothing set. */
export const builtInEngine: ConnectionInput = {
  name: 'Built-in engine',
  kind: 'embedded',
  baseUrl: null,
  models: {},
  realtimeEnabled: true,
  governanceDisabled: false,
  chatConnectionId: null,
  isDefault: true,
  externalId: null,
  managedBy: null,
}

/** What every organization begins with: a key that may do everything, and the built-in engine as its default connection. */
export async function addOrganization(
  { connections, ...sealing }: Sealing & { readonly connections: Connections },
  scope: CallerScope,
  { name, apiKey }: { readonly name: string; readonly apiKey: string },
): Promise<ApiKeyRecord> {
  const { stores, caller } = scope
  const { organizationId } = caller
  const { clock } = sealing
  await stores.installation.insertOrganization({
    id: organizationId,
    name,
    createdAt: clock.now().toISOString(),
  })
  await beginChain(sealing, stores.audit, organizationId)
  await recordChange(clock, scope, {
    action: 'organization.create',
    type: 'Organization',
    id: organizationId,
  })
  const key = makeApiKey(clock, organizationId, {
    key: apiKey,
    name: 'First key',
    scopes: [...scopes],
    expiresAt: null,
  })
  await stores.apiKeys.insert(key)
  await recordChange(clock, scope, {
    action: 'api_key.create',
    type: 'ApiKey',
    id: key.id,
    details: { name: key.name },
  })
  await connections.create(scope, builtInEngine)
  return key
}
