import { z } from 'zod'
import { Agent } from './agent.js'
import { ApiKey } from './api-key.js'
import { Approval } from './approval.js'
import { Budget } from './budget.js'
import { Conversation, Message } from './conversation.js'
import { id, timestamp } from './field.js'
import { PhoneCall } from './phone-call.js'
import { QuestionAnswer } from './question.js'
import { RealtimeSession } from './realtime/realtime-session.js'
import { Task } from './task.js'
import { Webhook } from './webhook.js'
import type { WebhookEventType } from './webhook-event-types.js'

const agentId = id().describe('The ID of the agent that the event belongs to.')

const version = z
  .int()
  .describe(
    'The version of the resource, which increases with every change. If two events arrive out of order, discard the one with the lower version.',
  )

const endUserId = id()
  .nullable()
  .describe('The ID of the end user of the conversation. `null` if the end user is anonymous.')

const endUser = {
  endUserId,
  externalUserId: z
    .string()
    .nullable()
    .describe('Your own ID of the end user. `null` if the end user is anonymous.'),
}

const deletedConversation = z.object({
  id: id().describe('The ID of the deleted conversation.'),
  agentId,
  ...endUser,
})

/** The `data` of an event: a resource as the API returns it, plus additional fields. */
export interface EventShape {
  readonly resource: z.ZodObject
  readonly extraFields: Readonly<Record<string, z.ZodType>>
}

const shape = <Resource extends z.ZodObject, ExtraFields extends Readonly<Record<string, z.ZodType>>>(
  resource: Resource,
  extraFields: ExtraFields,
) => ({ resource, extraFields })

const agent = shape(Agent, { version })
const task = shape(Task, { version, endUserId })
const session = shape(RealtimeSession, { version, ...endUser })
const phoneCall = shape(PhoneCall, { version, ...endUser })
const approval = shape(Approval, { version, ...endUser })
const apiKey = shape(ApiKey, {})
const budget = shape(Budget, { version })
const webhook = shape(Webhook, { version })

/** The `data` of each event type. It never contains secrets. */
export const webhookEventShapes = {
  'conversation.created': shape(Conversation, { version }),
  'conversation.deleted': shape(deletedConversation, {}),
  'conversation.message.created': shape(Message, { agentId, ...endUser }),
  'turn.ended': shape(QuestionAnswer, { agentId, ...endUser }),
  'realtime.session.started': session,
  'realtime.session.ended': session,
  'call.started': phoneCall,
  'call.ended': phoneCall,
  'approval.waiting': approval,
  'approval.decided': approval,
  'approval.expired': approval,
  'task.created': task,
  'task.updated': task,
  'task.run.started': task,
  'task.run.ended': task,
  'agent.created': agent,
  'agent.updated': agent,
  'agent.deleted': agent,
  'api_key.created': apiKey,
  'api_key.deleted': apiKey,
  'usage.budget.warning': budget,
  'usage.budget.exceeded': budget,
  'webhook.failing': webhook,
  'webhook.disabled': webhook,
  'webhook.test': webhook,
} as const satisfies Readonly<Record<WebhookEventType, EventShape>>

type Shapes = typeof webhookEventShapes

export type WebhookEventData = {
  readonly [Type in WebhookEventType]: Readonly<
    z.output<Shapes[Type]['resource']> & {
      [Field in keyof Shapes[Type]['extraFields']]: z.output<Shapes[Type]['extraFields'][Field]>
    }
  >
}

/** The fields of a delivery body, except `type` and `data`. */
export const webhookEnvelope = {
  timestamp: timestamp().describe('When the event occurred (UTC).'),
  organizationId: id().describe('The ID of the organization in which the event occurred.'),
  isShortened: z
    .boolean()
    .describe(
      'Whether `data` was shortened. Strings over 4 kB are truncated. If the body is still too large, `data` contains only IDs. Retrieve the resource to get the complete data.',
    ),
}
