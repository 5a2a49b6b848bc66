import type { WebhookDelivery } from '@parley/sdk'

export type EventType = WebhookDelivery['type']

const eventLabels: Readonly<Record<EventType, string>> = {
  'conversation.created': 'Conversation created',
  'conversation.deleted': 'Conversation deleted',
  'conversation.message.created': 'Message or tool call added',
  'turn.ended': 'Text question answered, failed or stopped',
  'realtime.session.started': 'Voice session started',
  'realtime.session.ended': 'Voice session ended',
  'call.started': 'Call started',
  'call.ended': 'Call ended',
  'approval.waiting': 'Tool call waiting for approval',
  'approval.decided': 'Tool call approved or rejected',
  'approval.expired': 'Approval expired',
  'task.created': 'Task created',
  'task.updated': 'Task updated',
  'task.run.started': 'Task run started',
  'task.run.ended': 'Task run ended',
  'agent.created': 'Agent created',
  'agent.updated': 'Agent updated',
  'agent.deleted': 'Agent deleted',
  'api_key.created': 'API key created',
  'api_key.deleted': 'API key deleted',
  'usage.budget.warning': 'Budget near its limit',
  'usage.budget.exceeded': 'Budget limit reached',
  'webhook.failing': 'Another webhook failing for 30 minutes',
  'webhook.disabled': 'Another webhook disabled',
  'webhook.test': 'Test event sent',
}

export const eventTypes = Object.keys(eventLabels) as readonly EventType[]

interface EventGroup {
  readonly title: string
  readonly events: readonly { readonly type: EventType; readonly label: string }[]
}

const groupTitles = {
  'conversation.': 'Conversations',
  'turn.': 'Questions',
  'realtime.': 'Voice sessions',
  'call.': 'Calls',
  'approval.': 'Approvals',
  'task.': 'Tasks',
  'agent.': 'Agents',
  'api_key.': 'API keys',
  'usage.': 'Budgets',
  'webhook.': 'Webhooks',
} as const

/** The selectable events. Test events are sent regardless of the selection. */
export const eventGroups: readonly EventGroup[] = Object.entries(groupTitles).map(([prefix, title]) => ({
  title,
  events: eventTypes
    .filter((type) => type.startsWith(prefix) && type !== 'webhook.test')
    .map((type) => ({ type, label: eventLabels[type] })),
}))
