import { Readable } from 'node:stream'
import { operations } from '@parley/contract'
import { testConnection } from '../../../domain/connections/test-connection.js'
import { listOfferedTools } from '../../../domain/tools/catalog/mcp-discovery.js'
import { tryTool } from '../../../domain/tools/try-tool.js'
import { testWebhook } from '../../../domain/webhook-deliveries/test-webhook.js'
import type { EndUserDataPage } from '../../../ports/erasure-store.js'
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

export function registerAgentTestRoutes(
  { read, write, act }: Router,
  { agentTests, testRuns }: Services,
): void {
  read(operations.listAgentTests, ({ params, query }, scope) => agentTests.list(scope, params.agentId, query))
  act(operations.createAgentTest, ({ params, body }, scope) => agentTests.create(scope, params.agentId, body))
  read(operations.getAgentTest, ({ params }, scope) => agentTests.read(scope, params))
  act(operations.replaceAgentTest, ({ params, ifMatch, body }, scope) =>
    agentTests.replace(scope, { ...params, ifMatch }, body),
  )
  write(operations.deleteAgentTest, ({ params, ifMatch }, scope) =>
    agentTests.remove(scope, { ...params, ifMatch }),
  )
  act(operations.startAgentTestRun, ({ params, body }, scope) => testRuns.start(scope, params.agentId, body))
  read(operations.listAgentTestRuns, ({ params, query }, scope) =>
    testRuns.list(scope, params.agentId, query),
  )
  read(operations.getAgentTestRun, ({ params }, scope) => testRuns.read(scope, params))
  write(operations.stopAgentTestRun, ({ params }, scope) => testRuns.stop(scope, params))
}

export function registerConnectionRoutes({ read, write, upsert, act }: Router, services: Services): void {
  const { connections } = services
  read(operations.listConnections, ({ query }, scope) => connections.list(scope, query))
  write(operations.createConnection, ({ body }, scope) => connections.create(scope, body))
  read(operations.getConnection, ({ params }, scope) => connections.read(scope, params.connectionId))
  write(operations.replaceConnection, ({ params, ifMatch, body }, scope) =>
    connections.replace(scope, { id: params.connectionId, ifMatch }, body),
  )
  write(operations.patchConnection, ({ params, ifMatch, body }, scope) =>
    connections.patch(scope, { id: params.connectionId, ifMatch }, body),
  )
  upsert(operations.upsertConnection, ({ params, ifMatch, body }, scope) =>
    connections.upsert(scope, { externalId: params.externalId, ifMatch }, body),
  )
  write(operations.deleteConnection, ({ params, ifMatch }, scope) =>
    connections.remove(scope, { id: params.connectionId, ifMatch }),
  )
  act(operations.testConnection, ({ params }, scope) => testConnection(services, scope, params.connectionId))
}

export function registerTaskRoutes({ read, write, upsert }: Router, { tasks }: Services): void {
  read(operations.listTasks, ({ query }, scope) => tasks.list(scope, query))
  write(operations.createTask, ({ body }, scope) => tasks.create(scope, body))
  read(operations.getTask, ({ params }, scope) => tasks.read(scope, params.taskId))
  write(operations.replaceTask, ({ params, ifMatch, body }, scope) =>
    tasks.replace(scope, { id: params.taskId, ifMatch }, body),
  )
  write(operations.patchTask, ({ params, ifMatch, body }, scope) =>
    tasks.patch(scope, { id: params.taskId, ifMatch }, body),
  )
  write(operations.deleteTask, ({ params, ifMatch }, scope) =>
    tasks.remove(scope, { id: params.taskId, ifMatch }),
  )
  write(operations.runTask, ({ params, ifMatch }, scope) => tasks.run(scope, { id: params.taskId, ifMatch }))
  upsert(operations.upsertTask, ({ params, ifMatch, body }, scope) =>
    tasks.upsert(scope, { externalId: params.externalId, ifMatch }, body),
  )
}

export function registerConversationRoutes({ read, write }: Router, { conversations }: Services): void {
  read(operations.listConversations, ({ query }, scope) => conversations.list(scope, query))
  read(operations.getConversation, ({ params }, scope) => conversations.read(scope, params.conversationId))
  read(operations.listMessages, ({ params, query }, scope) =>
    conversations.listMessages(scope, params.conversationId, query),
  )
  write(operations.deleteConversation, ({ params, ifMatch }, scope) =>
    conversations.remove(scope, { id: params.conversationId, ifMatch }),
  )
}

export function registerEndUserRoutes(
  { read, write, stream }: Router,
  { endUsers, endUserFacts }: Services,
): void {
  read(operations.listEndUsers, ({ query }, scope) => endUsers.list(scope, query))
  read(operations.getEndUser, ({ params }, scope) => endUsers.read(scope, params.endUserId))
  write(operations.patchEndUser, ({ params, ifMatch, body }, scope) =>
    endUsers.patch(scope, { id: params.endUserId, ifMatch }, body),
  )
  read(operations.listEndUserFacts, ({ params, query }, scope) =>
    endUserFacts.list(scope, params.endUserId, query),
  )
  write(operations.createEndUserFact, ({ params, body }, scope) =>
    endUserFacts.create(scope, params.endUserId, body),
  )
  write(operations.patchEndUserFact, ({ params, ifMatch, body }, scope) =>
    endUserFacts.patch(scope, { endUserId: params.endUserId, id: params.endUserFactId, ifMatch }, body),
  )
  write(operations.deleteEndUserFact, ({ params, ifMatch }, scope) =>
    endUserFacts.remove(scope, { endUserId: params.endUserId, id: params.endUserFactId, ifMatch }),
  )
  write(operations.deleteEndUser, ({ params }, scope) => endUsers.erase(scope, params.endUserId))
  stream(operations.exportEndUser, async ({ params }, scope) => {
    const pages = await endUsers.export(scope, params.endUserId)
    return {
      contentType: 'application/x-ndjson',
      fileName: `end-user-${params.endUserId}.ndjson`,
      content: Readable.from(exportedLines(pages), { highWaterMark: 1 }),
    }
  })
}

/** Each line contains a row and its table. */
async function* exportedLines(pages: AsyncIterable<EndUserDataPage>): AsyncGenerator<string> {
  for await (const { table, rows } of pages)
    if (rows.length > 0) yield rows.map((row) => `${JSON.stringify({ table, row })}\n`).join('')
}

export function registerConversationRetentionRoutes(
  { read, write }: Router,
  { conversationRetention }: Services,
): void {
  read(operations.getConversationRetention, (_call, scope) => conversationRetention.read(scope))
  write(operations.patchConversationRetention, ({ body }, scope) => conversationRetention.patch(scope, body))
  read(operations.previewConversationRetention, ({ query }, scope) =>
    conversationRetention.preview(scope, query),
  )
}

export function registerApprovalRoutes({ act, write }: Router, { approvals }: Services): void {
  // Listing is not only a read, because due approvals expire first, one row at a time.
  act(operations.listApprovals, ({ query }, scope) => approvals.list(scope, query))
  write(operations.decideApproval, ({ params, body }, scope) =>
    approvals.decide(scope, params.conversationId, body),
  )
}

export function registerWebhookRoutes({ read, write, upsert, act }: Router, services: Services): void {
  const { webhooks } = services
  read(operations.listWebhooks, ({ query }, scope) => webhooks.list(scope, query))
  write(operations.createWebhook, ({ body }, scope) => webhooks.create(scope, body))
  read(operations.getWebhook, ({ params }, scope) => webhooks.read(scope, params.webhookId))
  write(operations.replaceWebhook, ({ params, ifMatch, body }, scope) =>
    webhooks.replace(scope, { id: params.webhookId, ifMatch }, body),
  )
  write(operations.patchWebhook, ({ params, ifMatch, body }, scope) =>
    webhooks.patch(scope, { id: params.webhookId, ifMatch }, body),
  )
  upsert(operations.upsertWebhook, ({ params, ifMatch, body }, scope) =>
    webhooks.upsert(scope, { externalId: params.externalId, ifMatch }, body),
  )
  write(operations.deleteWebhook, ({ params, ifMatch }, scope) =>
    webhooks.remove(scope, { id: params.webhookId, ifMatch }),
  )
  act(operations.testWebhook, ({ params }, scope) =>
    testWebhook(services.webhookAttempts, scope, params.webhookId),
  )
  write(operations.rotateWebhookSecret, ({ params }, scope) => webhooks.rotateSecret(scope, params.webhookId))
  read(operations.listWebhookDeliveries, ({ params, query }, scope) =>
    webhooks.listDeliveries(scope, params.webhookId, query),
  )
  write(operations.redeliverWebhookDelivery, ({ params }, scope) => webhooks.redeliver(scope, params))
  write(operations.redeliverWebhook, ({ params, body }, scope) =>
    webhooks.redeliverSince(scope, params.webhookId, body),
  )
}

export function registerUsageRoutes(
  { read, write, upsert }: Router,
  { usages, prices, budgets }: Services,
): void {
  read(operations.getUsage, ({ query }, scope) => usages.sum(scope, query))
  read(operations.getPrices, (_, scope) => prices.read(scope))
  write(operations.replacePrices, ({ ifMatch, body }, scope) => prices.replace(scope, ifMatch, body))
  read(operations.listBudgets, ({ query }, scope) => budgets.list(scope, query))
  write(operations.createBudget, ({ body }, scope) => budgets.create(scope, body))
  read(operations.getBudget, ({ params }, scope) => budgets.read(scope, params.budgetId))
  write(operations.replaceBudget, ({ params, ifMatch, body }, scope) =>
    budgets.replace(scope, { id: params.budgetId, ifMatch }, body),
  )
  write(operations.patchBudget, ({ params, ifMatch, body }, scope) =>
    budgets.patch(scope, { id: params.budgetId, ifMatch }, body),
  )
  upsert(operations.upsertBudget, ({ params, ifMatch, body }, scope) =>
    budgets.upsert(scope, { externalId: params.externalId, ifMatch }, body),
  )
  write(operations.deleteBudget, ({ params, ifMatch }, scope) =>
    budgets.remove(scope, { id: params.budgetId, ifMatch }),
  )
}

export function registerApiKeyRoutes({ read, write }: Router, { apiKeys }: Services): void {
  read(operations.listApiKeys, ({ query }, scope) => apiKeys.list(scope, query))
  write(operations.createApiKey, ({ body }, scope) => apiKeys.create(scope, body))
  read(operations.getApiKey, ({ params }, scope) => apiKeys.read(scope, params.apiKeyId))
  write(operations.deleteApiKey, ({ params }, scope) => apiKeys.remove(scope, params.apiKeyId))
}

export function registerMemberRoutes(
  { read, write }: Router,
  { people: { members, invitations } }: Services,
): void {
  read(operations.listMembers, ({ query }, scope) => members.list(scope, query))
  write(operations.patchMember, ({ params, body }, scope) => members.change(scope, params.memberId, body))
  write(operations.deleteMember, ({ params }, scope) => members.remove(scope, params.memberId))
  read(operations.listInvitations, ({ query }, scope) => invitations.list(scope, query))
  write(operations.createInvitation, ({ body }, scope) => invitations.create(scope, body))
  write(operations.deleteInvitation, ({ params }, scope) => invitations.remove(scope, params.invitationId))
}
