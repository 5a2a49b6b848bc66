import {
  Connection,
  ConnectionInput,
  ConnectionListQuery,
  ConnectionPage,
  ConnectionPatch,
  ConnectionTest,
  ConnectionUpsert,
} from '../connection.js'
import { defineOperation } from '../operation.js'
import { managedResourceOperations } from './managed-resource-operations.js'

const connection = managedResourceOperations({
  name: 'Connection',
  noun: 'a connection',
  param: 'connectionId',
  read: 'connection:read',
  write: 'connection:write',
  listQuery: ConnectionListQuery,
  page: ConnectionPage,
  input: ConnectionInput,
  patch: ConnectionPatch,
  resource: Connection,
  upsert: ConnectionUpsert,
  upserted: Connection,
  onReplace:
    'Omitted fields are set to their defaults. If `apiKey` is omitted, the stored key is kept, unless `baseUrl` changes.',
  onDelete: 'A connection cannot be deleted while an agent uses it (409).',
  deleteErrors: ['Conflict'],
})

export const connectionOperations = {
  listConnections: connection.list,
  createConnection: connection.create,
  getConnection: connection.get,
  replaceConnection: connection.replace,
  patchConnection: connection.patch,
  upsertConnection: connection.upsert,
  deleteConnection: connection.remove,
  testConnection: defineOperation({
    operationId: 'testConnection',
    method: 'POST',
    path: '/api/v1/Connection/{connectionId}/test',
    tag: 'Connection',
    summary: 'Test a connection',
    description: 'Sends a test request to the provider with the stored API key, and returns the result.',
    scope: 'connection:write',
    ...(connection.get.params && { params: connection.get.params }),
    outcome: 'The result of the test.',
    status: 200,
    response: ConnectionTest,
  }),
}
