import { operations } from '@parley/contract'
import { listOfferedTools } from '../../../domain/tools/catalog/mcp-discovery.js'
import { tryTool } from '../../../domain/tools/try-tool.js'
import type { Router } from '../operation-route.js'
import type { Services } from '../services.js'

export function registerAgentRoutes(
  { read, write, upsert, act }: Router,
  { agents, toolTrials }: Services,
): void {
  read(operations.listAgents, ({ query }, scope) => agents.list(scope, query))
  write(operations.createAgent, ({ body }, scope) => agents.create(scope, body))
  read(operations.getAgent, ({ params }, scope) => agents.read(scope, params.agentId))
  write(operations.replaceAgent, ({ params, ifMatch, body }, scope) =>
    agents.replace(scope, { id: params.agentId, ifMatch }, body),
  )
  write(operations.patchAgent, ({ params, ifMatch, body }, scope) =>
    agents.patch(scope, { id: params.agentId, ifMatch }, body),
  )
  upsert(operations.upsertAgent, ({ params, ifMatch, body }, scope) =>
    agents.upsert(scope, { externalId: params.externalId, ifMatch }, body),
  )
  write(operations.deleteAgent, ({ params, ifMatch }, scope) =>
    agents.remove(scope, { id: params.agentId, ifMatch }),
  )
  read(operations.listAgentRevisions, ({ params, query }, scope) =>
    agents.listRevisions(scope, params.agentId, query),
  )
  read(operations.getAgentRevision, ({ params }, scope) =>
    agents.readRevision(scope, params.agentId, params.number),
  )
  write(operations.restoreAgentRevision, ({ params, ifMatch }, scope) =>
    agents.restore(scope, { id: params.agentId, ifMatch }, params.number),
  )
  act(operations.listAgentTools, ({ params }, scope) => listOfferedTools(toolTrials, scope, params.agentId))
  act(operations.testAgentTool, ({ params, body }, scope) =>
    tryTool(toolTrials, scope, { ...params, input: body }),
  )
}
