import { z } from 'zod'
import { answeredMoment, id } from './field.js'
import { customEvent } from './realtime/custom-events.js'
import type { Scope } from './scope.js'

/** The kinds of live events, with the scope that reading each kind needs. A caller receives only events that it could read. */
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
  AuditLog: 'audit:read',
} as const satisfies Readonly<Record<string, Scope>>

export type LiveResource = keyof typeof liveResources

const resourceNames = Object.keys(liveResources) as [LiveResource, ...LiveResource[]]

const ready = customEvent('ready', 'The stream has begun. It is always the first event.', {})

const changed = customEvent('changed', 'A resource has changed. Read it again to see the change.', {
  resource: z.enum(resourceNames).describe('The kind of the resource.'),
  id: id().describe("The id of the resource. For usage and prices, the organization's id."),
  change: z
    .enum(['created', 'updated', 'deleted'])
    .describe('The kind of change, as far as it is known. A new resource may also be reported as `updated`.'),
  parentId: id()
    .nullable()
    .describe('The conversation of a message, turn, session or approval. Otherwise null.'),
  at: answeredMoment().describe('When it changed (UTC).'),
})

const reset = customEvent('reset', 'Changes were lost or too many to list. Read everything again.', {})

/** The data of one server-sent event of a live stream. */
export const LiveEvent = z.discriminatedUnion('type', [ready, changed, reset]).meta({
  id: 'LiveEvent',
  description:
    "The data of one server-sent event of a live stream. The event's id is the cursor to resume from.",
})

export type LiveEvent = z.output<typeof LiveEvent>
export type LiveChange = z.output<typeof changed>['data']
