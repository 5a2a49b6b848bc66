import { operations } from '@parley/contract'
import { testConnection } from '../../../domain/connections/test-connection.js'
import type { Services } from '../context.js'
import type { Router } from '../operation-route.js'

export function registerConnectionRoutes({ read, write }: Router, services: Services): void {
  const { connections } = services
  read(operations.listConnections, ({ caller, query }, stores) => connections.list(stores, caller, query))
  write(operations.createConnection, ({ caller, body }, stores) => connections.create(stores, caller, body))
  read(operations.getConnection, ({ caller, params }, stores) =>
    connections.read(stores, caller, params.connectionId),
  )
  write(operations.replaceConnection, ({ caller, params, ifMatch, body }, stores) =>
    connections.replace(stores, caller, params.connectionId, ifMatch, body),
  )
  write(operations.patchConnection, ({ caller, params, ifMatch, body }, stores) =>
    connections.patch(stores, caller, params.connectionId, ifMatch, body),
  )
  write(operations.deleteConnection, ({ caller, params, ifMatch }, stores) =>
    connections.remove(stores, caller, params.connectionId, ifMatch),
  )
  // It calls the provider, so it must not hold a transaction.
  read(operations.testConnection, ({ caller, params }, stores) =>
    testConnection(stores, services, caller, params.connectionId),
  )
}
