import { z } from 'zod'
import { approvedBy } from './approved-by.js'
import { id, nonBlankText, resourceFields, text, timestamp } from './field.js'
import { pageOf, pageQuery } from './page.js'
import { rehearsalFilter } from './rehearsal.js'

const ApprovalState = z.enum(['waiting', 'approved', 'rejected', 'expired'])

export const Approval = z
  .object({
    ...resourceFields,
    conversationId: id().describe('The ID of the conversation.'),
    messageId: id().describe('The ID of the tool message.'),
    callId: z.string().describe('The ID that the model assigned to the call. Send it with the decision.'),
    agentId: id().describe('The ID of the agent that calls the tool.'),
    tool: z.string().describe('The name of the tool, as the model sees it.'),
    title: z.string().describe('The display name of the tool.'),
    arguments: z
      .string()
      .describe(
        'The arguments as a JSON string. If the call is approved, the tool is called with exactly these arguments.',
      ),
    approvedBy: approvedBy('Who can approve or reject the call, as configured for the tool and the session.'),
    state: ApprovalState.describe('The state of the approval.'),
    deadline: timestamp().describe(
      'When the approval expires (UTC). By default, 300 seconds after the call.',
    ),
    decidedBy: z
      .object({
        type: z
          .enum(['api_key', 'person', 'client'])
          .describe(
            'The type of the caller: an API key (`api_key`), a signed-in user (`person`) or the client of a realtime session (`client`).',
          ),
        id: z.string().describe('The ID of the API key or user, or of the realtime session of the client.'),
        name: z
          .string()
          .nullable()
          .describe('The name of the caller at the time of the decision. `null` if it has none.'),
      })
      .nullable()
      .describe('The caller who made the decision. `null` if no decision was made.'),
    decidedAt: timestamp()
      .nullable()
      .describe('When the decision was made (UTC). `null` if no decision was made.'),
    reason: z.string().nullable().describe('The reason for the decision. `null` if none was given.'),
    rehearsal: z
      .boolean()
      .describe('Whether the call belongs to a rehearsal (test mode), in which only a stub runs.'),
  })
  .meta({ id: 'Approval', description: 'A tool call that requires approval.' })

export const ApprovalPage = pageOf(Approval, 'Approval')

export const ApprovalListQuery = z.strictObject({
  ...pageQuery,
  State: ApprovalState.optional().describe('Only return approvals in this state.'),
  AgentId: id().optional().describe('Only return approvals of this agent.'),
  ConversationId: id().optional().describe('Only return approvals of this conversation.'),
  IsWaiting: z
    .enum(['true', 'false'])
    .transform((value) => value === 'true')
    .optional()
    .describe(
      'If `true`, only return pending approvals. If `false`, only return approvals that are no longer pending.',
    ),
  Rehearsal: rehearsalFilter('approvals'),
  Order: z.enum(['newest', 'oldest']).default('newest').describe('The sort order: newest or oldest first.'),
})

export const ApprovalDecision = z
  .strictObject({
    callId: nonBlankText(200).describe('The `callId` of the pending approval.'),
    decision: z.enum(['approve', 'reject']).describe('Whether to approve or reject the call.'),
    reason: text(2000)
      .nullable()
      .default(null)
      .describe('The reason for the decision. If the call is rejected, it is sent to the model.'),
  })
  .meta({
    id: 'ApprovalDecision',
    description: 'The parameters for approving or rejecting a tool call.',
    examples: [{ callId: 'call_4f1c9a7e', decision: 'approve', reason: 'The amount was checked.' }],
  })

export type Approval = z.output<typeof Approval>
export type ApprovalListQuery = z.output<typeof ApprovalListQuery>
export type ApprovalDecision = z.output<typeof ApprovalDecision>
