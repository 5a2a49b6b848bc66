import type { Hotel } from './hotel.js'

export interface ConsolePage {
  readonly name: string
  readonly path: string
  /** The heading of the page. */
  readonly title: string | RegExp
}

/** Every page that a signed-in user can open. */
export function consolePages({
  agentId,
  conversationId,
  sessionId,
  webhookId,
  endUserId,
  phoneCallId,
  titles,
}: Hotel): readonly ConsolePage[] {
  return [
    {
      name: 'playground',
      path: `/playground?agent=${agentId}&conversation=${conversationId}`,
      title: 'Playground',
    },
    { name: 'agents', path: '/agents', title: 'Agents' },
    { name: 'agent', path: `/agents/${agentId}`, title: titles.agent },
    { name: 'agent-tests', path: `/agents/${agentId}?tab=tests`, title: titles.agent },
    { name: 'agent-embed', path: `/agents/${agentId}?tab=embed`, title: titles.agent },
    { name: 'connections', path: '/connections', title: 'Connections' },
    { name: 'mcp-servers', path: '/mcp-servers', title: 'MCP servers' },
    { name: 'phone-numbers', path: '/phone-numbers', title: 'Phone numbers' },
    { name: 'phone-connections', path: '/phone-numbers?tab=connections', title: 'Phone numbers' },
    { name: 'approvals', path: '/approvals', title: 'Approvals' },
    { name: 'conversations', path: '/conversations', title: 'Conversations' },
    { name: 'conversation', path: `/conversations/${conversationId}`, title: titles.conversation },
    { name: 'sessions', path: '/sessions', title: 'Sessions' },
    { name: 'session', path: `/sessions/${sessionId}`, title: /Session/ },
    { name: 'calls', path: '/calls', title: 'Calls' },
    { name: 'call', path: `/calls/${phoneCallId}`, title: 'Call' },
    { name: 'end-users', path: '/end-users', title: 'End users' },
    { name: 'end-user', path: `/end-users/${endUserId}`, title: titles.endUser },
    { name: 'tasks', path: '/tasks', title: 'Tasks' },
    { name: 'files', path: '/files', title: 'Files' },
    { name: 'keys', path: '/organization/keys', title: 'API keys' },
    { name: 'members', path: '/organization/members', title: 'Members' },
    { name: 'mcp-clients', path: '/organization/mcp-clients', title: 'MCP clients' },
    { name: 'webhooks', path: '/organization/webhooks', title: 'Webhooks' },
    { name: 'webhook', path: `/organization/webhooks/${webhookId}`, title: titles.webhook },
    { name: 'usage', path: '/organization/usage', title: 'Usage' },
    { name: 'budgets', path: '/organization/budgets', title: 'Budgets' },
    { name: 'prices', path: '/organization/prices', title: 'Prices' },
    { name: 'prices-shipped', path: '/organization/prices?tab=shipped', title: 'Prices' },
    { name: 'settings', path: '/organization/settings', title: 'Settings' },
    { name: 'audit-log', path: '/audit-log', title: 'Audit log' },
    { name: 'account', path: '/account', title: 'Account settings' },
    { name: 'whats-new', path: '/whats-new', title: "What's new" },
    { name: 'unknown address', path: '/no/such/page', title: 'Page not found' },
  ]
}
