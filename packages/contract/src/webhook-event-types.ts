/*
 * Free of zod, like role.ts, so that a page can offer the types without loading the schemas.
 */

/** Every type of event that a webhook can be told of, and when it happens. */
export const webhookEventTypes = {
  'conversation.created': 'A conversation has begun.',
  'conversation.deleted': 'A conversation was deleted, with its messages.',
  'conversation.message.created': 'Something was said or typed, or a tool or sub-agent was called.',
  'turn.ended': 'A question asked in text was answered, has failed or was stopped.',
  'realtime.session.started': 'A voice session has begun.',
  'realtime.session.ended': 'A voice session is over.',
  'approval.waiting': 'A tool call waits for a person.',
  'approval.decided': 'A person has approved or rejected a tool call.',
  'approval.expired': 'Nobody decided on a tool call in time.',
  'task.created': 'A task was made.',
  'task.updated': 'A task has changed.',
  'task.run.started': 'An agent has begun to work on a task.',
  'task.run.ended': 'An agent has finished with a task, or given it up.',
  'agent.created': 'An agent was made.',
  'agent.updated': 'An agent has changed.',
  'agent.deleted': 'An agent was deleted.',
  'api_key.created': 'A key was made.',
  'api_key.deleted': 'A key was deleted.',
  'usage.budget.warning': 'A budget is nearly spent.',
  'usage.budget.exceeded': 'A budget is spent.',
  'webhook.failing': 'Another webhook has been failing for half an hour.',
  'webhook.disabled': 'Another webhook was switched off, because it failed for days or was gone.',
  'webhook.test':
    'Somebody has asked for a test. Sent to the webhook that is tested, whatever it has chosen.',
} as const satisfies Readonly<Record<string, string>>

export type WebhookEventType = keyof typeof webhookEventTypes

export const webhookEventNames = Object.keys(webhookEventTypes) as [WebhookEventType, ...WebhookEventType[]]
