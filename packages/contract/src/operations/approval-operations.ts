import { z } from 'zod'
import { Approval, ApprovalDecision, ApprovalListQuery, ApprovalPage } from '../approval.js'
import { id } from '../field.js'
import { defineOperation } from '../operation.js'

const tag = 'Approval'

export const approvalOperations = {
  listApprovals: defineOperation({
    operationId: 'listApprovals',
    method: 'GET',
    path: '/api/v1/Approval',
    tag,
    summary: 'List approvals',
    scope: 'conversation:read',
    query: ApprovalListQuery,
    outcome: 'One page of the approvals.',
    status: 200,
    response: ApprovalPage,
  }),
  decideApproval: defineOperation({
    operationId: 'decideApproval',
    method: 'POST',
    path: '/api/v1/Conversation/{conversationId}/approval',
    tag,
    summary: 'Approve or reject a tool call',
    description:
      'Only the first decision counts. If the call is no longer pending, or if the approval has expired, the request is rejected with 409.',
    scope: 'approval:decide',
    params: z.strictObject({ conversationId: id().describe('The ID of the conversation.') }),
    body: ApprovalDecision,
    outcome: 'The updated approval.',
    status: 200,
    response: Approval,
    errors: ['Conflict'],
  }),
}
