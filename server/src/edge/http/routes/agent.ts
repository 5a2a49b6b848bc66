import { operations } from '@parley/contract'
import { tryTool } from '../../../domain/tools/try-tool.js'
import type { Services } from '../context.js'
import type { Router } from '../operation-route.js'

export function registerAgentRoutes({ read, write }: Router, { agents, toolTrials }: Services): void {
  read(operations.listAgents, ({ caller, query }, stores) => agents.list(stores, caller, query))
  write(operations.createAgent, ({ caller, body }, stores) => agents.create(stores, caller, body))
  read(operations.getAgent, ({ caller, params }, stores) => agents.read(stores, caller, params.agentId))
  write(operations.replaceAgent, ({ caller, params, ifMatch, body }, stores) =>
    agents.replace(stores, caller, params.agentId, ifMatch, body),
  )
  write(operations.patchAgent, ({ caller, params, ifMatch, body }, stores) =>
    agents.patch(stores, caller, params.agentId, ifMatch, body),
  )
  write(operations.deleteAgent, ({ caller, params, ifMatch }, stores) =>
    agents.remove(stores, caller, params.agentId, ifMatch),
  )
  // It calls the tool, so it must not hold a transaction.
  read(operations.testAgentTool, ({ caller, params, body }, stores) =>
    tryTool(toolTrials, stores, caller, params.agentId, params.toolName, body),
  )
}
