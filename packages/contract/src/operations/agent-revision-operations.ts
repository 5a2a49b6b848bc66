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
import { DryRunQuery } from '../managed-fields.js'
import { defineOperation } from '../operation.js'

const tag = 'AgentRevision'
const agentId = id().describe('The ID of the agent.')
const params = z.strictObject({ agentId, number: revisionNumberInPath() })

export const agentRevisionOperations = {
  listAgentRevisions: defineOperation({
    operationId: 'listAgentRevisions',
    method: 'GET',
    path: '/api/v1/Agent/{agentId}/revision',
    tag,
    summary: 'List the revisions of an agent',
    description: `Returns the changes to an agent, with their time and actor. The last ${maxAgentRevisions} revisions are kept.`,
    scope: 'agent:read',
    params: z.strictObject({ agentId }),
    query: AgentRevisionListQuery,
    outcome: 'One page of the revisions, without the agent itself.',
    status: 200,
    response: AgentRevisionPage,
  }),
  getAgentRevision: defineOperation({
    operationId: 'getAgentRevision',
    method: 'GET',
    path: '/api/v1/Agent/{agentId}/revision/{number}',
    tag,
    summary: 'Retrieve a revision of an agent',
    scope: 'agent:read',
    params,
    outcome: 'The revision, including the agent after the change.',
    status: 200,
    response: AgentRevision,
  }),
  restoreAgentRevision: defineOperation({
    operationId: 'restoreAgentRevision',
    method: 'POST',
    path: '/api/v1/Agent/{agentId}/revision/{number}/restore',
    tag,
    summary: 'Restore a revision of an agent',
    description:
      'Restores the agent, including the header values of its tools, and records this as a new revision. The restored agent is validated like a replacement. If it references a deleted resource, the request is rejected.',
    scope: 'agent:write',
    params,
    query: DryRunQuery,
    outcome: 'The restored agent.',
    status: 200,
    response: Agent,
    isConditional: true,
    hasETag: true,
  }),
}
