import type { WebhookDelivery } from '@parley/sdk'

export type EventType = WebhookDelivery['type']

/** Descriptions of the events. */
const eventWords: Readonly<Record<EventType, string>> = {
  'conversation.created': 'A conversation has begun',
  'conversation.deleted': 'A conversation was deleted',
  'conversation.message.created': 'Something was said or typed, or a tool was called',
  'turn.ended': 'A question in text was answered, failed or was stopped',
  'realtime.session.started': 'A voice session has begun',
  'realtime.session.ended': 'A voice session is over',
  'approval.waiting': 'A tool call waits for a person',
  'approval.decided': 'A person has approved or rejected a call',
  'approval.expired': 'Nobody decided in time',
  'task.created': 'A task was made',
  'task.updated': 'A task has changed',
  'task.run.started': 'An agent has begun to work on a task',
  'task.run.ended': 'An agent has finished a task, or given it up',
  'agent.created': 'An agent was made',
  'agent.updated': 'An agent has changed',
  'agent.deleted': 'An agent was deleted',
  'api_key.created': 'A key was made',
  'api_key.deleted': 'A key was deleted',
  'usage.budget.warning': 'A budget is nearly spent',
  'usage.budget.exceeded': 'A budget is spent',
  'webhook.failing': 'Another webhook has been failing for half an hour',
  'webhook.disabled': 'Another webhook was switched off',
  'webhook.test': 'Somebody has asked for a test',
}

export const eventTypes = Object.keys(eventWords) as readonly EventType[]

interface EventGroup {
  readonly title: string
  readonly events: readonly { readonly type: EventType; readonly words: string }[]
}

const groupTitles = {
  'conversation.': 'Conversations',
  'turn.': 'Questions',
  'realtime.': 'Voice sessions',
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
    .map((type) => ({ type, words: eventWords[type] })),
}))
