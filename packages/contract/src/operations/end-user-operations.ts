import { z } from 'zod'
import { EndUser, EndUserListQuery, EndUserPage, EndUserPatch } from '../end-user.js'
import { id } from '../field.js'
import { defineOperation } from '../operation.js'

const tag = 'EndUser'
const params = z.strictObject({ endUserId: id().describe('The id of the end user.') })

export const endUserOperations = {
  listEndUsers: defineOperation({
    operationId: 'listEndUsers',
    method: 'GET',
    path: '/api/v1/EndUser',
    tag,
    summary: 'List end users',
    scope: 'conversation:read',
    query: EndUserListQuery,
    outcome: 'One page of the end users.',
    status: 200,
    response: EndUserPage,
  }),
  getEndUser: defineOperation({
    operationId: 'getEndUser',
    method: 'GET',
    path: '/api/v1/EndUser/{endUserId}',
    tag,
    summary: 'Retrieve an end user',
    scope: 'conversation:read',
    params,
    outcome: 'The end user.',
    status: 200,
    response: EndUser,
    hasETag: true,
  }),
  patchEndUser: defineOperation({
    operationId: 'patchEndUser',
    method: 'PATCH',
    path: '/api/v1/EndUser/{endUserId}',
    tag,
    summary: 'Update an end user',
    description: 'A merge patch: omitted fields stay, and metadata is merged.',
    scope: 'conversation:write',
    params,
    body: EndUserPatch,
    outcome: 'The updated end user.',
    status: 200,
    response: EndUser,
    isConditional: true,
    hasETag: true,
  }),
}
