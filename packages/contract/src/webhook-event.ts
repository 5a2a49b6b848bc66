import { z } from 'zod'
import { Agent } from './agent.js'
import { ApiKey } from './api-key.js'
import { Approval } from './approval.js'
import { Budget } from './budget.js'
import { Conversation, Message } from './conversation.js'
import { answeredMoment, id } from './field.js'
import { QuestionAnswer } from './question.js'
import { RealtimeSession } from './realtime/realtime-session.js'
import { Task } from './task.js'
import { Webhook } from './webhook.js'
import type { WebhookEventType } from './webhook-event-types.js'

const agentId = id().describe('The agent of the event.')

const version = z
  .int()
  .describe('Grows with every change. Of two events, the one with the lower version is stale.')

const deletedConversation = z.object({
  id: id().describe('The deleted conversation.'),
  agentId,
})

/** The `data` of events: a resource as the API returns it, with extra fields. */
export interface EventShape {
  readonly resource: z.ZodObject
  readonly besides: Readonly<Record<string, z.ZodType>>
}

const shape = <Resource extends z.ZodObject, Besides extends Readonly<Record<string, z.ZodType>>>(
  resource: Resource,
  besides: Besides,
) => ({ resource, besides })

const agent = shape(Agent, { version })
const task = shape(Task, { version })
const session = shape(RealtimeSession, { version })
const approval = shape(Approval, { version })
const apiKey = shape(ApiKey, {})
const budget = shape(Budget, { version })
const webhook = shape(Webhook, { version })

/** The `data` of each event type. Never contains a secret. */
export const webhookEventShapes = {
  'conversation.created': shape(Conversation, { version }),
  'conversation.deleted': shape(deletedConversation, {}),
  'conversation.message.created': shape(Message, { agentId }),
  'turn.ended': shape(QuestionAnswer, { agentId }),
  'realtime.session.started': session,
  'realtime.session.ended': session,
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
      [Field in keyof Shapes[Type]['besides']]: z.output<Shapes[Type]['besides'][Field]>
    }
  >
}

/** All fields of a delivery body except `data`. */
export const webhookEnvelope = {
  timestamp: answeredMoment().describe('When it happened (UTC).'),
  organizationId: id().describe('The organization of the event.'),
  isShortened: z
    .boolean()
    .describe(
      'Whether `data` is incomplete: texts over 4 kB are cut, or only ids are left if the whole is too long. Read the resource for the rest.',
    ),
}
