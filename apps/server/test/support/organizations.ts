import { type Scope, scopes } from '@parley/contract'
import { v7 as uuid } from 'uuid'
import { systemClock } from '#server/adapters/system/clock.js'
import { generateApiKey, makeApiKey } from '#server/domain/access/api-keys.js'
import { beginChain } from '#server/domain/audit/chain-head.js'
import type { Credentials } from './api-client.js'
import { chainSecrets } from './audit/chain-secrets.js'
import type { RunningService } from './start-service.js'

/** Creates a second organization with its own key. */
export async function addOrganization(
  { service }: RunningService,
  name = 'Another organization',
): Promise<Credentials> {
  const organizationId = uuid()
  await service.database.transaction(async ({ installation, audit }) => {
    await installation.insertOrganization({ id: organizationId, name, createdAt: new Date().toISOString() })
    await beginChain({ ...chainSecrets, clock: systemClock }, audit, organizationId)
  })
  return { organizationId, apiKey: await addApiKey(service.database.stores, organizationId, [...scopes]) }
}

/** Inserts a key directly into the database, also one that the API would reject. */
export async function addApiKey(
  stores: RunningService['service']['database']['stores'],
  organizationId: string,
  keyScopes: Scope[],
  expiresAt: string | null = null,
): Promise<string> {
  const key = generateApiKey()
  const clock = { now: () => new Date() }
  await stores.apiKeys.insert(
    makeApiKey(clock, organizationId, { key, name: 'Test key', scopes: keyScopes, expiresAt }),
  )
  return key
}
