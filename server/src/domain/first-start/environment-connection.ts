import type { Cipher } from '../../ports/cipher.js'
import type { Clock } from '../../ports/clock.js'
import type { ConnectionRecord } from '../../ports/connection-store.js'
import type { Database, Stores } from '../../ports/database.js'
import { recordChange } from '../audit/record-change.js'
import { openApiKey, sealApiKey } from '../connections/connection-key.js'
import { newResource } from '../resources/new-resource.js'
import { systemCaller } from './first-start.js'

export interface EnvironmentProvider {
  readonly apiKey: string
  readonly baseUrl: string | null
}

/**
 * Makes the provider of the operator's environment the first organization's default connection, and keeps its key and
 * address as the environment has them. A default that someone chose since is left alone.
 */
export function ensureEnvironmentConnection(
  {
    database,
    clock,
    cipher,
  }: { readonly database: Database; readonly clock: Clock; readonly cipher: Cipher },
  provider: EnvironmentProvider,
): Promise<void> {
  return database.transaction(async (stores) => {
    const installation = await stores.installation.find()
    if (installation === null) return
    const organizationId = installation.firstOrganizationId
    await stores.installation.lock()
    const current = await stores.connections.findFromEnvironment(organizationId)
    await (current === null ? create(stores, organizationId) : update(stores, current))
  })

  async function create(stores: Stores, organizationId: string): Promise<void> {
    const resource = newResource(clock, organizationId)
    await stores.connections.lockDefault(organizationId)
    await stores.connections.clearDefaultExcept(organizationId, resource.id, resource.createdAt)
    await stores.connections.insert({
      ...resource,
      ...addressFields(),
      name: 'OpenAI (from the environment)',
      sealedApiKey: sealApiKey(resource, provider.apiKey, cipher),
      models: { chat: null, realtime: null, transcription: null, speech: null },
      realtimeEnabled: true,
      governanceDisabled: false,
      isDefault: true,
      isFromEnvironment: true,
    })
    await record(stores, resource, 'connection.create')
  }

  async function update(stores: Stores, current: ConnectionRecord): Promise<void> {
    if (openApiKey(current, cipher) === provider.apiKey && current.baseUrl === provider.baseUrl) return
    const next = {
      ...current,
      ...addressFields(),
      sealedApiKey: sealApiKey(current, provider.apiKey, cipher),
      version: current.version + 1,
      updatedAt: clock.now().toISOString(),
    }
    await stores.connections.update(next, current.version)
    await record(stores, current, 'connection.update')
  }

  function addressFields() {
    return {
      kind: provider.baseUrl === null ? 'openai' : 'openai-compatible',
      baseUrl: provider.baseUrl,
      chatConnectionId: null,
    } as const
  }

  function record(
    stores: Stores,
    { id, organizationId }: Pick<ConnectionRecord, 'id' | 'organizationId'>,
    action: string,
  ) {
    const scope = { stores, caller: systemCaller(organizationId) }
    const details = { from: 'OPENAI_API_KEY' }
    return recordChange(clock, scope, { action, type: 'Connection', id, details })
  }
}
