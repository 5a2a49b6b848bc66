import {
  ApprovalDecision,
  ApprovalPage,
  Approval as ApprovalSchema,
  ConversationPage,
  Task,
  TaskInput,
} from '@parley/contract'
import { z } from 'zod'
import { answerValue } from '../answer/send-answer.js'
import type { Services } from '../services.js'
import { adds, defineMcpTool, type McpTool, makeCallerStores, onlyReads, setsToWork } from './mcp-tool.js'

const maxItems = 100
const usualItems = 25

const id = () => z.uuid().toLowerCase()

const pageFields = {
  offset: z.int().min(0).max(999_999_999).default(0).describe('How many items to skip.'),
  limit: z.int().min(1).max(maxItems).default(usualItems).describe('How many items to give back at most.'),
}

const AgentLine = z.object({ id: z.string(), name: z.string(), description: z.string().nullable() })

/** A task of the API has more fields; these are what a model has a use for. */
const NewTask = z.strictObject({
  title: z.string().min(1).max(500).describe('What is to be done, in one line.'),
  description: z.string().max(20_000).nullable().default(null).describe('What is to be done, in full.'),
  agentId: id().nullable().default(null).describe('The agent that is to work it; run_task lets it begin.'),
  priority: z.enum(['low', 'normal', 'high', 'urgent']).default('normal').describe('How pressing it is.'),
  dueAt: z.iso
    .datetime({ offset: true })
    .nullable()
    .default(null)
    .describe('When it should be finished, for example 2030-01-31T09:00:00Z.'),
})

/** What MCP clients can do besides asking: the same acts that the API has. */
export function makeServiceTools({ database, agents, approvals, conversations, tasks }: Services): McpTool[] {
  const stores = makeCallerStores(database)
  return [
    defineMcpTool({
      name: 'list_agents',
      title: 'List agents',
      description: 'Lists the agents of the organization: whom ask_agent can ask, and what each is for.',
      annotations: onlyReads,
      scope: 'agent:read',
      input: z.strictObject({
        ...pageFields,
        search: z.string().max(200).optional().describe('Only agents whose name or description holds this.'),
      }),
      async run({ offset: Offset, limit: Limit, search: Search }, { caller }) {
        const page = await stores.read(caller, (scope) => agents.list(scope, { Offset, Limit, Search }))
        return { ...page, items: page.items.map((agent) => answerValue(AgentLine, agent)) }
      },
    }),
    defineMcpTool({
      name: 'list_conversations',
      title: 'List conversations',
      description: 'Lists conversations with agents, the newest first.',
      annotations: onlyReads,
      scope: 'conversation:read',
      input: z.strictObject({
        ...pageFields,
        agentId: id().optional().describe('Only conversations with this agent.'),
        search: z.string().max(200).optional().describe('Only conversations in which these words occur.'),
      }),
      async run({ offset: Offset, limit: Limit, agentId: AgentId, search: Search }, { caller }) {
        const query = { Offset, Limit, AgentId, Search }
        const page = await stores.read(caller, (scope) => conversations.list(scope, query))
        return answerValue(ConversationPage, page)
      },
    }),
    defineMcpTool({
      name: 'create_task',
      title: 'Create a task',
      description: 'Writes down a task, for a person or for an agent. It is not begun: run_task does that.',
      annotations: adds,
      scope: 'task:write',
      input: NewTask,
      async run(given, { caller }) {
        const input = TaskInput.parse(given)
        return answerValue(Task, await stores.write(caller, (scope) => tasks.create(scope, input)))
      },
    }),
    defineMcpTool({
      name: 'run_task',
      title: 'Run a task',
      description:
        'Lets the assigned agent work a task in the background, and gives the task back at once with the conversation in which the agent works.',
      annotations: setsToWork,
      scope: 'task:write',
      input: z.strictObject({ taskId: id().describe('The id of the task, as create_task has named it.') }),
      run: async ({ taskId }, { caller }) =>
        answerValue(
          Task,
          await stores.write(caller, (scope) => tasks.run(scope, { id: taskId, ifMatch: null })),
        ),
    }),
    defineMcpTool({
      name: 'list_approvals',
      title: 'List approvals',
      description:
        'Lists calls of agents that wait for the decision of a person. Tell the user of them: they are decided in the console or over the API.',
      annotations: onlyReads,
      scope: 'conversation:read',
      input: z.strictObject({
        ...pageFields,
        state: z
          .enum(['waiting', 'approved', 'rejected', 'expired'])
          .default('waiting')
          .describe('Only approvals in this state.'),
        agentId: id().optional().describe('Only approvals of this agent.'),
      }),
      async run({ offset: Offset, limit: Limit, state: State, agentId: AgentId }, { caller }) {
        const query = { Offset, Limit, State, AgentId, Order: 'newest' } as const
        // More than reading: what is due expires first, each row by itself.
        return answerValue(ApprovalPage, await approvals.list(stores.scopeOf(caller), query))
      },
    }),
    defineMcpTool({
      name: 'decide_approval',
      title: 'Decide on a call',
      description:
        'Approves or rejects a call of an agent that waits. Decide nothing that the user has not said in so many words.',
      annotations: setsToWork,
      // A model must not approve its own calls: nobody has this by default.
      scope: 'approval:delegate',
      input: z.strictObject({
        conversationId: id().describe('The conversation of the approval.'),
        ...ApprovalDecision.shape,
      }),
      run: async ({ conversationId, ...decision }, { caller }) =>
        answerValue(
          ApprovalSchema,
          await stores.write(caller, (scope) => approvals.decide(scope, conversationId, decision)),
        ),
    }),
  ]
}
