import { z } from 'zod'
import { answeredMoment, id } from './field.js'
import { customEvent } from './realtime/custom-events.js'
import type { Scope } from './scope.js'

/** What a live stream tells of, and the scope that reading it takes: nobody hears of what they could not read. */
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

const ready = customEvent('ready', 'The stream has begun; it is always the first event.', {})

const changed = customEvent('changed', 'Something has changed: read it again to see what.', {
  resource: z.enum(resourceNames).describe('What kind of thing it is.'),
  id: id().describe('Its id; of usage and prices, which an organization has as a whole, its own.'),
  change: z
    .enum(['created', 'updated', 'deleted'])
    .describe('What happened to it, as far as is known: `updated` may also be said of something new.'),
  parentId: id()
    .nullable()
    .describe('The conversation that a message, turn, session or approval belongs to; else null.'),
  at: answeredMoment().describe('When it changed (UTC).'),
})

const reset = customEvent(
  'reset',
  'What has changed since is not known, or is too much to tell: read everything again.',
  {},
)

/** The data of one server-sent event of a live stream. */
export const LiveEvent = z.discriminatedUnion('type', [ready, changed, reset]).meta({
  id: 'LiveEvent',
  description:
    "The data of one server-sent event of a live stream; the event's id is the cursor to go on from.",
})

export type LiveEvent = z.output<typeof LiveEvent>
export type LiveChange = z.output<typeof changed>['data']
