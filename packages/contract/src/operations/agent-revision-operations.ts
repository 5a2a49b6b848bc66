import { z } from 'zod'
import { Agent } from '../agent.js'
import {
  AgentRevision,
  AgentRevisionListQuery,
  AgentRevisionPage,
  maxAgentRevisions,
  revisionNumberInPath,
} from '../agent-revision.js'
import { id } from '../field.js'
import { DryRunQuery } from '../kept-in-files.js'
import { defineOperation } from '../operation.js'

const tag = 'AgentRevision'
const agentId = id().describe('The id of the agent.')
const params = z.strictObject({ agentId, number: revisionNumberInPath() })

export const agentRevisionOperations = {
  listAgentRevisions: defineOperation({
    operationId: 'listAgentRevisions',
    method: 'GET',
    path: '/api/v1/Agent/{agentId}/revision',
    tag,
    summary: 'List the revisions of an agent',
    description: `Who changed what, and when. The newest ${maxAgentRevisions} revisions are kept.`,
    scope: 'agent:read',
    params: z.strictObject({ agentId }),
    query: AgentRevisionListQuery,
    outcome: 'One page of the revisions, without the agents.',
    status: 200,
    answer: AgentRevisionPage,
  }),
  getAgentRevision: defineOperation({
    operationId: 'getAgentRevision',
    method: 'GET',
    path: '/api/v1/Agent/{agentId}/revision/{number}',
    tag,
    summary: 'Read a revision of an agent',
    scope: 'agent:read',
    params,
    outcome: 'The revision, with the agent at that time.',
    status: 200,
    answer: AgentRevision,
  }),
  restoreAgentRevision: defineOperation({
    operationId: 'restoreAgentRevision',
    method: 'POST',
    path: '/api/v1/Agent/{agentId}/revision/{number}/restore',
    tag,
    summary: 'Restore a revision of an agent',
    description:
      'Restores the agent, including header values of its tools, as a new revision. It is checked like a replacement: a reference to a deleted resource is rejected with the field.',
    scope: 'agent:write',
    params,
    query: DryRunQuery,
    outcome: 'The agent, as it is stored now.',
    status: 200,
    answer: Agent,
    isConditional: true,
    hasETag: true,
  }),
}
