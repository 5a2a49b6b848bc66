/*
 * Free of zod, like role.ts, so that a page can list the types without loading the schemas.
 */

/** Every event type of webhooks, and when it is sent. */
export const webhookEventTypes = {
  'conversation.created': 'A conversation began.',
  'conversation.deleted': 'A conversation was deleted, with its messages.',
  'conversation.message.created': 'A message was spoken or typed, or a tool or sub-agent was called.',
  'turn.ended': 'A text question was answered, failed or was stopped.',
  'realtime.session.started': 'A voice session began.',
  'realtime.session.ended': 'A voice session ended.',
  'approval.waiting': 'A tool call waits for approval.',
  'approval.decided': 'A tool call was approved or rejected.',
  'approval.expired': 'An approval expired without a decision.',
  'task.created': 'A task was created.',
  'task.updated': 'A task was changed.',
  'task.run.started': 'An agent began a task.',
  'task.run.ended': 'An agent finished a task or gave it up.',
  'agent.created': 'An agent was created.',
  'agent.updated': 'An agent was changed.',
  'agent.deleted': 'An agent was deleted.',
  'api_key.created': 'A key was created.',
  'api_key.deleted': 'A key was deleted.',
  'usage.budget.warning': 'A budget is nearly used up.',
  'usage.budget.exceeded': 'A budget is used up.',
  'webhook.failing': 'Another webhook has been failing for half an hour.',
  'webhook.disabled': 'Another webhook was disabled, because it failed for days or answered 410.',
  'webhook.test': 'A test was requested. Sent to the tested webhook, regardless of its chosen events.',
} as const satisfies Readonly<Record<string, string>>

export type WebhookEventType = keyof typeof webhookEventTypes

export const webhookEventNames = Object.keys(webhookEventTypes) as [WebhookEventType, ...WebhookEventType[]]
