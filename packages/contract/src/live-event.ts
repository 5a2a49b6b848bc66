import { z } from 'zod'
import { id, timestamp } from './field.js'
import { customEvent } from './realtime/custom-events.js'
import type { Scope } from './scope.js'

/** The resource types of live events, with the scope that is required to read them. Callers only receive events for resources that they can read. */
export const liveResources = {
  Agent: 'agent:read',
  Connection: 'connection:read',
  Task: 'task:read',
  Conversation: 'conversation:read',
  Message: 'conversation:read',
  Turn: 'question:ask',
  RealtimeSession: 'conversation:read',
  Approval: 'conversation:read',
  TemporaryFile: 'file:read',
  Usage: 'usage:read',
  Budget: 'usage:read',
  Price: 'usage:read',
  ApiKey: 'org:manage',
  Member: 'org:manage',
  Invitation: 'org:manage',
  Webhook: 'webhook:read',
  PhoneConnection: 'phone:read',
  PhoneNumber: 'phone:read',
  PhoneCall: 'phone:read',
  AuditLog: 'audit:read',
} as const satisfies Readonly<Record<string, Scope>>

export type LiveResource = keyof typeof liveResources

const resourceNames = Object.keys(liveResources) as [LiveResource, ...LiveResource[]]

const ready = customEvent('ready', 'The stream has started. This is always the first event.', {})

const changed = customEvent('changed', 'A resource has changed. Retrieve it again to get its new state.', {
  resource: z.enum(resourceNames).describe('The type of the resource.'),
  id: id().describe('The ID of the resource. For `Usage` and `Price`, the ID of the organization.'),
  change: z
    .enum(['created', 'updated', 'deleted'])
    .describe('The type of the change. The creation of a resource may also be reported as `updated`.'),
  parentId: id()
    .nullable()
    .describe(
      'The ID of the conversation, for a message, turn, realtime session, approval or call. `null` for other resources.',
    ),
  endUserId: id()
    .nullable()
    .describe(
      'The ID of the end user, for a conversation, message, turn, realtime session, approval, call or task run. `null` if the end user is anonymous.',
    ),
  externalUserId: z
    .string()
    .nullable()
    .describe('Your own ID of the end user. `null` without the scope `conversation:read`.'),
  at: timestamp().describe('When the resource changed (UTC).'),
})

const reset = customEvent(
  'reset',
  'Changes were lost, or there were too many to list. Retrieve all resources again.',
  {},
)

/** The data of one server-sent event of a live stream. */
export const LiveEvent = z.discriminatedUnion('type', [ready, changed, reset]).meta({
  id: 'LiveEvent',
  description:
    'The data of one server-sent event of a live stream. The ID of the event is the cursor for resuming the stream.',
})

export type LiveEvent = z.output<typeof LiveEvent>
export type LiveChange = z.output<typeof changed>['data']
