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
    'Fields left out fall back to their defaults; the key left out stays, unless the address changes.',
  onDelete: 'Refused with 409 while an agent uses it.',
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
    summary: 'Try a connection',
    description: 'Really calls the provider with the stored key and says what is wrong.',
    scope: 'connection:write',
    ...(connection.get.params && { params: connection.get.params }),
    outcome: 'What the provider said.',
    status: 200,
    answer: ConnectionTest,
  }),
}
