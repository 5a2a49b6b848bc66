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
    'Fields left out fall back to their defaults; header values left out stay, unless the address changes.',
  onDelete: 'It disappears from lists and refuses new work; its conversations stay readable.',
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
    summary: 'List what an agent can call',
    description:
      'As its model is offered it: the tools of its MCP servers one by one, with what the servers say of them, and its sub-agents. Servers are asked where their lists are older than a minute; of one that does not answer within five seconds, what it listed last.',
    scope: 'agent:read',
    params: z.strictObject({ agentId: id().describe('The id of the agent.') }),
    outcome: 'The tools that the model is offered.',
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
      'Checks the arguments and shows what would be sent; with `dryRun` false it really runs the tool, without approval, which is recorded in the audit log. A tool that needs approval then needs the scope `approval:decide` too.',
    scope: 'agent:write',
    params: z.strictObject({
      agentId: id().describe('The id of the agent.'),
      toolName: z.string().min(1).max(64).describe('The name the model calls the tool by.'),
    }),
    body: ToolTrialInput,
    outcome: 'What would be sent, or what came of the call.',
    status: 200,
    answer: ToolTrial,
  }),
}
