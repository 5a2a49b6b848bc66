import { operations } from '@parley/contract'
import { testConnection } from '../../../domain/connections/test-connection.js'
import type { Router } from '../operation-route.js'
import type { Services } from '../services.js'

export function registerConnectionRoutes({ read, write, upsert, act }: Router, services: Services): void {
  const { connections } = services
  read(operations.listConnections, ({ query }, scope) => connections.list(scope, query))
  write(operations.createConnection, ({ body }, scope) => connections.create(scope, body))
  read(operations.getConnection, ({ params }, scope) => connections.read(scope, params.connectionId))
  write(operations.replaceConnection, ({ params, ifMatch, body }, scope) =>
    connections.replace(scope, { id: params.connectionId, ifMatch }, body),
  )
  write(operations.patchConnection, ({ params, ifMatch, body }, scope) =>
    connections.patch(scope, { id: params.connectionId, ifMatch }, body),
  )
  upsert(operations.upsertConnection, ({ params, ifMatch, body }, scope) =>
    connections.upsert(scope, { externalId: params.externalId, ifMatch }, body),
  )
  write(operations.deleteConnection, ({ params, ifMatch }, scope) =>
    connections.remove(scope, { id: params.connectionId, ifMatch }),
  )
  act(operations.testConnection, ({ params }, scope) => testConnection(services, scope, params.connectionId))
}
