/*
 * Does not import zod, like role.ts, so that a web page can list the types without loading the schemas.
 */

/** The event types of webhooks, and when they are sent. */
export const webhookEventTypes = {
  'conversation.created': 'A conversation was created.',
  'conversation.deleted': 'A conversation and its messages were deleted.',
  'conversation.message.created': 'A message was added to a conversation, or a tool or sub-agent was called.',
  'turn.ended': 'A text turn was completed, failed or was stopped.',
  'realtime.session.started': 'A realtime session started.',
  'realtime.session.ended': 'A realtime session ended.',
  'call.started': 'A telephone call started: an incoming call rings, or an outgoing call is dialed.',
  'call.ended': 'A telephone call ended, also one that was rejected or never dialed.',
  'approval.waiting': 'A tool call is waiting for approval.',
  'approval.decided': 'A tool call was approved or rejected.',
  'approval.expired': 'An approval expired without a decision.',
  'task.created': 'A task was created.',
  'task.updated': 'A task was updated.',
  'task.run.started': 'An agent started to run a task.',
  'task.run.ended': 'A task run was completed, failed or was stopped.',
  'agent.created': 'An agent was created.',
  'agent.updated': 'An agent was updated.',
  'agent.deleted': 'An agent was deleted.',
  'api_key.created': 'An API key was created.',
  'api_key.deleted': 'An API key was deleted.',
  'usage.budget.warning': 'A budget has reached its warning threshold.',
  'usage.budget.exceeded': 'A budget is used up.',
  'webhook.failing': 'Another webhook has been failing for 30 minutes.',
  'webhook.disabled': 'Another webhook was disabled, because it failed for several days or returned 410.',
  'webhook.test':
    'A test event was requested. It is sent to the tested webhook, even if the webhook has not subscribed to this event.',
} as const satisfies Readonly<Record<string, string>>

export type WebhookEventType = keyof typeof webhookEventTypes

export const webhookEventNames = Object.keys(webhookEventTypes) as [WebhookEventType, ...WebhookEventType[]]
