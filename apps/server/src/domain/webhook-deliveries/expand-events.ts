import { type EventShape, type Webhook, type WebhookEventType, webhookEventShapes } from '@parley/contract'
import { v7 as uuid } from 'uuid'
import { z } from 'zod'
import type { ConversationEndUser } from '../../ports/conversation-stores.js'
import type { Database, Stores } from '../../ports/database.js'
import type { Log } from '../../ports/log.js'
import type { Clock } from '../../ports/time.js'
import type { WebhookDeliveryRecord, WebhookEventRecord, WebhookRecord } from '../../ports/webhook-stores.js'
import { recordChange } from '../audit/record-change.js'
import { systemCaller } from '../caller-scope.js'
import { callSeconds } from '../telephone/call-duration.js'
import { answerSoFar } from '../turns/turns.js'
import { presentWebhooks, recordEvent } from '../webhooks/webhooks.js'

/**
 * The maximum number of events in one transaction. The embedded database blocks other work during a
 * transaction.
 */
const batchSize = 50

/** The maximum number of pending deliveries of one webhook. */
const maxWaiting = 10_000

interface ExpandDependencies {
  readonly database: Database
  readonly clock: Clock
  readonly log: Log
}

/**
 * Creates deliveries of new events for the subscribed webhooks. Only one instance at a time does this, so
 * that events about one resource stay in order. Returns whether there may be more events.
 */
export async function expandEvents({ database, clock, log }: ExpandDependencies): Promise<boolean> {
  if (!(await database.stores.webhookEvents.isAny())) return false
  const count = await database.transaction(async (stores) => {
    if (!(await stores.webhookEvents.tryLock())) return 0
    const events = await stores.webhookEvents.take(batchSize)
    const webhooks = await withRoom(clock, stores, await stores.webhooks.enabledOf(organizationsOf(events)))
    const endUsers = await stores.conversations.endUsersOf(events.flatMap(conversationIn))
    const deliveries: WebhookDeliveryRecord[] = []
    for (const event of events) {
      const wanting = webhooks.filter((webhook) => wants(webhook, event))
      if (wanting.length === 0) continue
      const [conversationId = ''] = conversationIn(event)
      const endUser = endUsers.get(conversationId) ?? anonymous
      const data = await presentEvent(log, stores, { event, endUser })
      const messageId = uuid()
      const { endUserId } = endUser
      for (const { id, payload } of wanting)
        deliveries.push(
          newDelivery(clock, event, { id, messageId, endUserId, body: eventBody(event, data, payload) }),
        )
    }
    await stores.webhookDeliveries.insert(deliveries)
    return events.length
  })
  return count === batchSize
}

const organizationsOf = (events: readonly WebhookEventRecord[]) => [
  ...new Set(events.map(({ organizationId }) => organizationId)),
]

/**
 * Returns the webhooks with room for more deliveries. The number is limited so that the deliveries of an
 * unavailable receiver cannot fill the database.
 */
async function withRoom(
  clock: Clock,
  stores: Stores,
  webhooks: readonly WebhookRecord[],
): Promise<readonly WebhookRecord[]> {
  const waiting = await stores.webhookDeliveries.countWaiting(
    webhooks.map(({ id }) => id),
    maxWaiting,
  )
  const isFull = ({ id }: WebhookRecord) => (waiting.get(id) ?? 0) >= maxWaiting
  for (const webhook of webhooks.filter(isFull))
    await disableWebhook(
      clock,
      stores,
      webhook,
      `Disabled: ${maxWaiting} deliveries are pending because the receiver is too slow.`,
    )
  return webhooks.filter((webhook) => !isFull(webhook))
}

function wants({ id, organizationId, events, agentIds }: WebhookRecord, event: WebhookEventRecord): boolean {
  if (organizationId !== event.organizationId) return false
  if (!events.includes('*') && !events.includes(event.type)) return false
  // Events about a webhook are sent to the other webhooks.
  if (event.type.startsWith('webhook.') && event.data.id === id) return false
  return agentIds.length === 0 || (event.agentId !== null && agentIds.includes(event.agentId))
}

const anonymous: ConversationEndUser = { endUserId: null, externalUserId: null }

/** Returns the id of the event's conversation, if it has one. */
function conversationIn({ type, data }: WebhookEventRecord): string[] {
  const isItself = type === 'conversation.created' || type === 'conversation.deleted'
  const id = isItself ? data.id : data.conversationId
  return typeof id === 'string' ? [id] : []
}

interface EventOfEndUser {
  readonly event: WebhookEventRecord
  readonly endUser: ConversationEndUser
}

async function presentEvent(
  log: Log,
  stores: Stores,
  { event, endUser }: EventOfEndUser,
): Promise<Readonly<Record<string, unknown>>> {
  const { type, data, agentId } = event
  // A task has its own external id, which may differ from that of the conversation in which it was created.
  const named = type.startsWith('task.') ? { endUserId: endUser.endUserId } : endUser
  try {
    return publicData(
      type,
      type === 'turn.ended'
        ? { ...(await answerOf(stores, event)), ...named }
        : { ...data, ...ofAgent(event), ...ofCall(event), ...ofPhoneCall(event), ...named },
    )
  } catch (error) {
    // The row does not match the contract. Its ids are still useful to receivers.
    log.error({ err: error, type }, 'an event could not be delivered in full')
    return { id: data.id, agentId }
  }
}

/**
 * Returns the answer of a turn. The turn has ended, so the current answer equals the answer at the time of
 * the event.
 */
async function answerOf(
  stores: Stores,
  { organizationId, conversationId, agentId, data: { id } }: WebhookEventRecord,
): Promise<Readonly<Record<string, unknown>>> {
  const isNamed = conversationId !== null && typeof id === 'string'
  const turn = isNamed ? await stores.turns.find(organizationId, conversationId, id) : null
  return turn === null ? { agentId } : { ...(await answerSoFar(stores, turn)), agentId }
}

/** A message has no agent id, so the id is added from the conversation. */
const ofAgent = ({ type, agentId }: WebhookEventRecord) =>
  type === 'conversation.message.created' ? { agentId } : {}

const calledTool = z.object({ title: z.string() })

/** A call is sent with the title that its tool had at the time of the call. */
const ofCall = ({ type, data }: WebhookEventRecord) =>
  type.startsWith('approval.') ? { title: calledTool.parse(data.call).title } : {}

const times = z.object({ answeredAt: z.string().nullable(), endedAt: z.string().nullable() })

/** The duration of a telephone call is not stored. */
const ofPhoneCall = ({ type, data }: WebhookEventRecord) =>
  type.startsWith('call.') ? { seconds: callSeconds(times.parse(data)) } : {}

interface NewDelivery {
  readonly id: string
  readonly messageId: string
  readonly endUserId: string | null
  readonly body: string
}

function newDelivery(
  clock: Clock,
  { position, orderKey, organizationId, conversationId, type, at }: WebhookEventRecord,
  { id, messageId, endUserId, body }: NewDelivery,
): WebhookDeliveryRecord {
  return {
    id: uuid(),
    organizationId,
    webhookId: id,
    createdAt: at,
    updatedAt: at,
    messageId,
    type,
    body,
    position,
    orderKey,
    conversationId,
    endUserId,
    state: 'pending',
    attemptCount: 0,
    attempts: [],
    ...{
      dueAt: clock.now().toISOString(),
      attemptedAt: null,
      endedAt: null,
      claimedBy: null,
      claimedAt: null,
    },
  }
}

/** The limit that Standard Webhooks sets for senders. */
const maxBodyBytes = 20_000

/** The maximum length of one text. If the whole body is too long, texts are shortened further. */
const maxTextLengths = [4096, 1024, 256] as const

/** The only fields that are sent if texts must not be sent or do not fit. */
const idFields = [
  'id',
  'version',
  'agentId',
  'conversationId',
  'turnId',
  'messageId',
  'originId',
  'callId',
  'apiKeyId',
  'endUserId',
] as const

type Data = Readonly<Record<string, unknown>>

/**
 * Returns the event's fields that the contract defines. Other fields of a record, such as secrets, are never
 * sent.
 */
export function publicData(type: WebhookEventType, data: object): Data {
  const { resource, extraFields }: EventShape = webhookEventShapes[type]
  return resource.extend(extraFields).parse(data)
}

/** Returns the exact body that is sent. */
export function eventBody(
  { type, at, organizationId }: Pick<WebhookEventRecord, 'type' | 'at' | 'organizationId'>,
  data: Data,
  payload: Webhook['payload'],
): string {
  const write = (content: Data, isShortened: boolean) =>
    JSON.stringify({ type, timestamp: at, organizationId, isShortened, data: content })
  if (payload === 'ids') return write(idsOf(data), false)
  for (const maxLength of maxTextLengths) {
    const { value, isCut } = cutTexts(data, maxLength)
    const body = write(value, isCut)
    if (Buffer.byteLength(body) <= maxBodyBytes) return body
  }
  return write(idsOf(data), true)
}

function idsOf(data: Data): Data {
  return Object.fromEntries(idFields.flatMap((name) => (name in data ? [[name, data[name]]] : [])))
}

function cutTexts(data: Data, maxLength: number): { readonly value: Data; readonly isCut: boolean } {
  let isCut = false
  const cut = (value: unknown): unknown => {
    if (typeof value === 'string' && value.length > maxLength) {
      isCut = true
      return value.slice(0, maxLength).replace(/[\uD800-\uDBFF]$/, '')
    }
    if (Array.isArray(value)) return value.map(cut)
    return typeof value === 'object' && value !== null ? cutFields(value) : value
  }
  const cutFields = (fields: object): Data =>
    Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, cut(value)]))
  return { value: cutFields(data), isCut }
}

const hour = 60 * 60 * 1000

/** How long a webhook must fail before the other webhooks are notified, and before it is disabled. */
const noticeAfterMilliseconds = hour / 2
const disableAfterMilliseconds = 5 * 24 * hour

/** The outcome of a webhook's last attempts. */
interface WebhookFindings {
  readonly isGone: boolean
  /** Whether a delivery has no attempts left. */
  readonly isGivenUp: boolean
}

/** Handles the consequences of failed attempts, in the transaction that stores them. */
export async function reviewFailing(
  clock: Clock,
  stores: Stores,
  { webhook, isGone, isGivenUp }: WebhookFindings & { readonly webhook: WebhookRecord },
): Promise<void> {
  const { failingSince } = webhook
  const failsFor = failingSince === null ? 0 : clock.now().getTime() - Date.parse(failingSince)
  if (isGone)
    return disableWebhook(clock, stores, webhook, 'The receiver answered 410, so the webhook was disabled.')
  // Requires a delivery that was retried for a day, so that the first delivery after days without events gets
  // all of its attempts.
  if (isGivenUp && failsFor >= disableAfterMilliseconds)
    return disableWebhook(clock, stores, webhook, `All attempts have failed since ${failingSince}.`)
  if (failsFor < noticeAfterMilliseconds || !(await stores.webhooks.markFailingTold(webhook.id))) return
  await notifyOthers(stores, webhook, 'webhook.failing')
}

/**
 * Disables a webhook. The reason is stored in the webhook and in the audit log, and sent to the other
 * webhooks.
 */
async function disableWebhook(
  clock: Clock,
  stores: Stores,
  { id, organizationId }: WebhookRecord,
  reason: string,
): Promise<void> {
  const disabled = await stores.webhooks.disable(id, reason, clock.now().toISOString())
  if (disabled === null) return
  const scope = { stores, caller: systemCaller(organizationId) }
  await recordChange(clock, scope, { action: 'webhook.disable', type: 'Webhook', id, details: { reason } })
  await notifyOthers(stores, disabled, 'webhook.disabled')
}

async function notifyOthers(
  stores: Stores,
  webhook: WebhookRecord,
  type: 'webhook.failing' | 'webhook.disabled',
): Promise<void> {
  for (const data of await presentWebhooks(stores, [webhook]))
    await recordEvent(stores, webhook.organizationId, { type, data })
}
