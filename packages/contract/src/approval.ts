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
    callId: z.string().describe("The provider's id of the tool call; a decision names it."),
    agentId: id().describe('The agent that wants to call the tool.'),
    tool: z.string().describe('The name by which the model called the tool.'),
    title: z.string().describe('What people know the tool by: its title, or its name where it has none.'),
    arguments: z
      .string()
      .describe('The arguments, JSON text; when approved, the tool runs with exactly these.'),
    approvedBy: approvedBy('Who may decide on it, as tool and session have it.'),
    state: ApprovalState.describe('Whether it still waits, and if not, what became of it.'),
    deadline: answeredMoment().describe(
      'When it expires, unless it is decided on before: 300 seconds after the call, unless the deployment says otherwise.',
    ),
    decidedBy: z
      .object({
        type: z.enum(['api_key', 'person', 'client']).describe('What kind of caller it was.'),
        id: z.string().describe('The id of the key or person, or of the session that the client was in.'),
        name: z.string().nullable().describe("The caller's name at the time."),
      })
      .nullable()
      .describe('Who decided; null where nobody has.'),
    decidedAt: answeredMoment().nullable().describe('When it was decided on; null where nobody has.'),
    reason: z.string().nullable().describe('Why, in the words of whoever decided.'),
    rehearsal: z
      .boolean()
      .describe('Whether it is part of a rehearsal: what is decided on is a stub, and nothing is done.'),
  })
  .meta({ id: 'Approval', description: 'A tool call that runs only if a person allows it.' })

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
    .describe('Only approvals that wait, or that do not any more.'),
  Rehearsal: rehearsalFilter('approvals'),
  Order: z
    .enum(['newest', 'oldest'])
    .default('newest')
    .describe('Whether the newest or the oldest call comes first.'),
})

export const ApprovalDecision = z
  .strictObject({
    callId: nonBlankText(200).describe('The call that is decided on.'),
    decision: z.enum(['approve', 'reject']).describe('Whether the call may run.'),
    reason: text(2000)
      .nullable()
      .default(null)
      .describe('Why; the model reads it where the call is rejected.'),
  })
  .meta({
    id: 'ApprovalDecision',
    description: 'A decision on a tool call that waits.',
    examples: [{ callId: 'call_4f1c9a7e', decision: 'approve', reason: 'The amount was checked.' }],
  })

export type Approval = z.output<typeof Approval>
export type ApprovalListQuery = z.output<typeof ApprovalListQuery>
export type ApprovalDecision = z.output<typeof ApprovalDecision>
