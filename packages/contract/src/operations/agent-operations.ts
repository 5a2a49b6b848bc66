import { z } from 'zod'
import { Agent, AgentInput, AgentListQuery, AgentPage, AgentPatch, AgentUpsert } from '../agent.js'
import { id } from '../field.js'
import { OfferedToolList } from '../offered-tool.js'
import { defineOperation } from '../operation.js'
import { ToolTrial, ToolTrialInput } from '../tool-trial.js'
import { keptResourceOperations } from './kept-resource-operations.js'

const agent = keptResourceOperations({
  name: 'Agent',
  noun: 'an agent',
  param: 'agentId',
  read: 'agent:read',
  write: 'agent:write',
  listQuery: AgentListQuery,
  page: AgentPage,
  input: AgentInput,
  patch: AgentPatch,
  resource: Agent,
  upsert: AgentUpsert,
  upserted: Agent,
  onReplace:
    'Fields that are left out get their defaults. Headers that are left out keep their values, unless the address changes.',
  onDelete: 'The agent disappears from lists and rejects new work. Its conversations stay readable.',
})

export const agentOperations = {
  listAgents: agent.list,
  createAgent: agent.create,
  getAgent: agent.get,
  replaceAgent: agent.replace,
  patchAgent: agent.patch,
  upsertAgent: agent.upsert,
  deleteAgent: agent.remove,
  listAgentTools: defineOperation({
    operationId: 'listAgentTools',
    method: 'GET',
    path: '/api/v1/Agent/{agentId}/tool',
    tag: 'Agent',
    summary: 'List the tools of an agent',
    description:
      'The tools as the model sees them: each tool of its MCP servers, with what the servers declare, and its sub-agents. The service asks servers whose lists are older than a minute. If a server does not answer within five seconds, its last list is used.',
    scope: 'agent:read',
    params: z.strictObject({ agentId: id().describe('The id of the agent.') }),
    outcome: 'The tools of the model.',
    status: 200,
    answer: OfferedToolList,
  }),
  testAgentTool: defineOperation({
    operationId: 'testAgentTool',
    method: 'POST',
    path: '/api/v1/Agent/{agentId}/tool/{toolName}/test',
    tag: 'Agent',
    summary: 'Try a tool',
    description:
      'Checks the arguments and shows the request that would be sent. With `dryRun` false the tool runs without approval, and the audit log records it. A tool that needs approval then requires the scope `approval:decide`.',
    scope: 'agent:write',
    params: z.strictObject({
      agentId: id().describe('The id of the agent.'),
      toolName: z.string().min(1).max(64).describe('The tool name that the model uses.'),
    }),
    body: ToolTrialInput,
    outcome: 'The request that would be sent, or the result of the call.',
    status: 200,
    answer: ToolTrial,
  }),
}
