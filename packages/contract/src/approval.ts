import { z } from 'zod'
import { approvedBy } from './approved-by.js'
import { answeredMoment, id, nonBlankText, resourceFields, text } from './field.js'
import { pageOf, pageQuery } from './page.js'
import { rehearsalFilter } from './rehearsal.js'

const ApprovalState = z.enum(['waiting', 'approved', 'rejected', 'expired'])

export const Approval = z
  .object({
    ...resourceFields,
    conversationId: id().describe('The conversation that the call belongs to.'),
    messageId: id().describe('The message of the tool call.'),
    callId: z.string().describe("The provider's id of the tool call. A decision refers to it."),
    agentId: id().describe('The agent that wants to call the tool.'),
    tool: z.string().describe('The tool name that the model used.'),
    title: z.string().describe('The title of the tool, or its name if it has no title.'),
    arguments: z.string().describe('The arguments as JSON text. An approved call runs with exactly these.'),
    approvedBy: approvedBy('Who may decide, by the settings of the tool and the session.'),
    state: ApprovalState.describe('Whether the approval is pending, or its outcome.'),
    deadline: answeredMoment().describe('When the approval expires. Default: 300 seconds after the call.'),
    decidedBy: z
      .object({
        type: z.enum(['api_key', 'person', 'client']).describe('The kind of caller that decided.'),
        id: z.string().describe("The id of the key or person, or of the client's session."),
        name: z.string().nullable().describe("The caller's name at the time."),
      })
      .nullable()
      .describe('Who decided. Null: not decided.'),
    decidedAt: answeredMoment().nullable().describe('When it was decided. Null: not decided.'),
    reason: z.string().nullable().describe('The reason given with the decision.'),
    rehearsal: z.boolean().describe('Whether the call belongs to a rehearsal. Then only a stub runs.'),
  })
  .meta({ id: 'Approval', description: 'A tool call that runs only after approval.' })

export const ApprovalPage = pageOf(Approval, 'Approval')

export const ApprovalListQuery = z.strictObject({
  ...pageQuery,
  State: ApprovalState.optional().describe('Only approvals in this state.'),
  AgentId: id().optional().describe('Only approvals of this agent.'),
  ConversationId: id().optional().describe('Only approvals of this conversation.'),
  IsWaiting: z
    .enum(['true', 'false'])
    .transform((value) => value === 'true')
    .optional()
    .describe('Only pending approvals, or only those that are no longer pending.'),
  Rehearsal: rehearsalFilter('approvals'),
  Order: z.enum(['newest', 'oldest']).default('newest').describe('The order: newest or oldest first.'),
})

export const ApprovalDecision = z
  .strictObject({
    callId: nonBlankText(200).describe('The tool call to decide on.'),
    decision: z.enum(['approve', 'reject']).describe('Whether the call may run.'),
    reason: text(2000)
      .nullable()
      .default(null)
      .describe('The reason. The model reads it if the call is rejected.'),
  })
  .meta({
    id: 'ApprovalDecision',
    description: 'A decision on a pending tool call.',
    examples: [{ callId: 'call_4f1c9a7e', decision: 'approve', reason: 'The amount was checked.' }],
  })

export type Approval = z.output<typeof Approval>
export type ApprovalListQuery = z.output<typeof ApprovalListQuery>
export type ApprovalDecision = z.output<typeof ApprovalDecision>
