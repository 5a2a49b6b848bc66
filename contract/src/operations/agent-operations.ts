import { Agent, AgentInput, AgentListQuery, AgentPage, AgentPatch } from '../agent.js'
import { resourceOperations } from './resource-operations.js'

const agent = resourceOperations({
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
  deleteAgent: agent.remove,
}
