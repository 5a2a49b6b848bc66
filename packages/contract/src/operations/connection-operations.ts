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
import { keptResourceOperations } from './kept-resource-operations.js'

const connection = keptResourceOperations({
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
    'Fields that are left out get their defaults. The key stays if it is left out, unless the address changes.',
  onDelete: 'Rejected with 409 while an agent uses it.',
  deleteRefusals: ['Conflict'],
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
    description: 'Calls the provider with the stored key and reports what is wrong.',
    scope: 'connection:write',
    ...(connection.get.params && { params: connection.get.params }),
    outcome: "The provider's answer.",
    status: 200,
    answer: ConnectionTest,
  }),
}
