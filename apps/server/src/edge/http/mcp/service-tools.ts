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
import {
  createsData,
  defineMcpTool,
  type McpTool,
  makeCallerStores,
  readOnly,
  startsAgents,
} from './mcp-tool.js'

const maxItems = 100
const usualItems = 25

const id = () => z.uuid().toLowerCase()

const pageFields = {
  offset: z.int().min(0).max(999_999_999).default(0).describe('The number of items to skip.'),
  limit: z.int().min(1).max(maxItems).default(usualItems).describe('The maximum number of items to return.'),
}

const AgentLine = z.object({ id: z.string(), name: z.string(), description: z.string().nullable() })

/** The fields of a task that are useful to a model. */
const NewTask = z.strictObject({
  title: z.string().min(1).max(500).describe('A one-line summary of the task.'),
  description: z.string().max(20_000).nullable().default(null).describe('A full description of the task.'),
  agentId: id()
    .nullable()
    .default(null)
    .describe('The agent that works on the task. Use run_task to start it.'),
  priority: z
    .enum(['low', 'normal', 'high', 'urgent'])
    .default('normal')
    .describe('The priority of the task.'),
  dueAt: z.iso
    .datetime({ offset: true })
    .nullable()
    .default(null)
    .describe('The due date, for example 2030-01-31T09:00:00Z.'),
})

/** The tools that call the same functions as the API, except asking agents. */
export function makeServiceTools({ database, agents, approvals, conversations, tasks }: Services): McpTool[] {
  const stores = makeCallerStores(database)
  return [
    defineMcpTool({
      name: 'list_agents',
      title: 'List agents',
      description: 'Lists the agents of the organization with their descriptions. Ask them with ask_agent.',
      annotations: readOnly,
      scope: 'agent:read',
      input: z.strictObject({
        ...pageFields,
        search: z
          .string()
          .max(200)
          .optional()
          .describe('Only agents whose name or description contains this text.'),
      }),
      async run({ offset: Offset, limit: Limit, search: Search }, { caller }) {
        const page = await stores.read(caller, (scope) => agents.list(scope, { Offset, Limit, Search }))
        return { ...page, items: page.items.map((agent) => answerValue(AgentLine, agent)) }
      },
    }),
    defineMcpTool({
      name: 'list_conversations',
      title: 'List conversations',
      description: 'Lists conversations with agents, newest first.',
      annotations: readOnly,
      scope: 'conversation:read',
      input: z.strictObject({
        ...pageFields,
        agentId: id().optional().describe('Only conversations with this agent.'),
        search: z.string().max(200).optional().describe('Only conversations that contain these words.'),
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
      description: 'Creates a task for a person or an agent, without starting it. Use run_task to start it.',
      annotations: createsData,
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
        'Starts the assigned agent on a task in the background. Returns the task at once, with the conversation in which the agent works.',
      annotations: startsAgents,
      scope: 'task:write',
      input: z.strictObject({ taskId: id().describe('The id of the task, from create_task.') }),
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
        'Lists calls of agents that wait for a decision by a person. Tell the user about them. People decide them in the console or over the API.',
      annotations: readOnly,
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
        // Listing is not only a read, because due approvals expire first, one row at a time.
        return answerValue(ApprovalPage, await approvals.list(stores.scopeOf(caller), query))
      },
    }),
    defineMcpTool({
      name: 'decide_approval',
      title: 'Decide on a call',
      description:
        'Approves or rejects a waiting call of an agent. Only pass on a decision that the user has explicitly made.',
      annotations: startsAgents,
      // A model must not approve its own calls, so no key has this scope by default.
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
