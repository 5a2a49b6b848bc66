import type { Scope } from '@parley/sdk'

export const scopeLabels: Readonly<Record<Scope, string>> = {
  'org:manage': 'Manage API keys, members and invitations',
  'question:ask': 'Ask agents questions in text',
  'realtime:create': 'Start voice sessions',
  'approval:decide': 'Approve or reject tool calls',
  'approval:delegate': 'Let an MCP client and its model approve or reject tool calls',
  'agent:read': 'See agents',
  'agent:write': 'Create, change and delete agents',
  'connection:read': 'See connections, without their keys',
  'connection:write': 'Create, change and delete connections',
  'conversation:read': 'Read conversations, sessions and approvals',
  'conversation:write': 'Delete conversations, end sessions',
  'task:read': 'See tasks',
  'task:write': 'Create, change and delete tasks',
  'file:read': 'Read and download files',
  'file:write': 'Upload and delete files',
  'webhook:read': 'See webhooks and deliveries',
  'webhook:write': 'Create, change and delete webhooks, resend deliveries',
  'usage:read': 'See usage, costs, prices and budgets',
  'usage:write': 'Set prices and budgets',
  'audit:read': 'Read, verify and export the audit log',
}
