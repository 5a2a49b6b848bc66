import { z } from 'zod'
import { Agent, AgentInput, AgentListQuery, AgentPage, AgentPatch, AgentUpsert } from '../agent.js'
import { id } from '../field.js'
import { OfferedToolList } from '../offered-tool.js'
import { defineOperation } from '../operation.js'
import { ToolTrial, ToolTrialInput } from '../tool-trial.js'
import { managedResourceOperations } from './managed-resource-operations.js'

const agent = managedResourceOperations({
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
    'Omitted fields are set to their defaults. Omitted headers of tools keep their values, unless the URL of the tool changes.',
  onDelete:
    'A deleted agent is removed from lists and rejects new questions, sessions and task runs. Its conversations remain available.',
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
      'Returns the tools as the model sees them, including the tools of MCP servers and the sub-agents. The service refreshes the tool list of an MCP server if it is older than one minute. If the server does not respond within five seconds, its last known list is used.',
    scope: 'agent:read',
    params: z.strictObject({ agentId: id().describe('The ID of the agent.') }),
    outcome: 'The tools of the agent.',
    status: 200,
    response: OfferedToolList,
  }),
  testAgentTool: defineOperation({
    operationId: 'testAgentTool',
    method: 'POST',
    path: '/api/v1/Agent/{agentId}/tool/{toolName}/test',
    tag: 'Agent',
    summary: 'Test a tool of an agent',
    description:
      'Validates the arguments and returns the request that would be sent. If `dryRun` is `false`, the tool runs without waiting for approval, and the call is recorded in the audit log. Running a tool that requires approval needs the scope `approval:decide`.',
    scope: 'agent:write',
    params: z.strictObject({
      agentId: id().describe('The ID of the agent.'),
      toolName: z.string().min(1).max(64).describe('The name of the tool, as the model sees it.'),
    }),
    body: ToolTrialInput,
    outcome: 'The result of the test.',
    status: 200,
    response: ToolTrial,
  }),
}
