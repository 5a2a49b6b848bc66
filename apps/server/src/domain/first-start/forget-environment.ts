import type { Clock } from '../../ports/clock.js'
import type { ConnectionRecord } from '../../ports/connection-store.js'
import type { Database } from '../../ports/database.js'
import type { CallerScope } from '../caller-scope.js'
import type { Connections } from '../connections/connections.js'
import { DomainError } from '../domain-error.js'
import { systemCaller } from '../system-caller.js'
import { builtInEngine } from './new-organization.js'

export interface ForgetDependencies {
  readonly database: Database
  readonly clock: Clock
  readonly connections: Connections
}

/**
 * Undoes what the environment made once it names no provider any more: the built-in engine is the default again where
 * the environment's connection was, and its connections go, with the key. One that agents name stays for them.
 */
export async function forgetEnvironmentConnections({
  database,
  connections,
}: ForgetDependencies): Promise<void> {
  const installation = await database.stores.installation.find()
  if (installation === null) return
  await database.transaction(async (stores) => {
    await stores.installation.lock()
    const scope = { stores, caller: systemCaller(installation.firstOrganizationId) }
    await stores.connections.lockDefault(installation.firstOrganizationId)
    const made = await stores.connections.lockFromEnvironment(installation.firstOrganizationId)
    if (made.some(({ isDefault }) => isDefault)) await returnDefault(connections, scope)
    // The engine first, which speaks for the other one.
    const speaking = made.filter(({ chatConnectionId }) => chatConnectionId !== null)
    for (const connection of [...speaking, ...made.filter((one) => !speaking.includes(one))])
      await removeUnused(connections, scope, connection)
  })
}

async function returnDefault(connections: Connections, scope: CallerScope): Promise<void> {
  const engine = await scope.stores.connections.findBuiltIn(scope.caller.organizationId)
  if (engine === null) await connections.create(scope, builtInEngine)
  else await connections.patch(scope, { id: engine.id, ifMatch: null }, { isDefault: true })
}

async function removeUnused(
  connections: Connections,
  scope: CallerScope,
  { id }: ConnectionRecord,
): Promise<void> {
  try {
    await connections.remove(scope, { id, ifMatch: null })
  } catch (error) {
    if (!(error instanceof DomainError && error.code === 'Conflict')) throw error
  }
}
