import {
  type Page,
  Webhook,
  type WebhookDelivery,
  type WebhookDeliveryListQuery,
  type WebhookEventData,
  type WebhookEventType,
  WebhookInput,
  type WebhookListQuery,
  type WebhookPatch,
  type WebhookRedelivery,
  type WebhookUpsert,
} from '@parley/contract'
import type { Stores } from '../../ports/database.js'
import type { Outbound } from '../../ports/outbound.js'
import type { Cipher } from '../../ports/secrets.js'
import type { Clock } from '../../ports/time.js'
import type { DeliverySummary, WebhookDeliveryRecord, WebhookRecord } from '../../ports/webhook-stores.js'
import { recordChange } from '../audit/record-change.js'
import type { CallerScope } from '../caller-scope.js'
import { DomainError, invalidRequest, notFound } from '../domain-error.js'
import type { Limits } from '../limits/organization-limits.js'
import {
  addResource,
  applyPatch,
  type Changed,
  changedFields,
  changeResource,
  listResources,
  newResource,
  readPage,
  readResource,
  removeResource,
  type TargetExternalId,
  type TargetVersion,
  upsertResource,
} from '../resources/resource.js'
import { newSecret, secretContext } from './webhook-secret.js'

const type = 'Webhook'

/** The initial state of a webhook without deliveries. */
const unused = {
  disabledReason: null,
  failingSince: null,
  isFailingTold: false,
  sealedPreviousSecret: null,
  previousSecretExpiresAt: null,
} as const

/** How long the previous secret is used for signing after a rotation. */
const previousSecretMilliseconds = 24 * 60 * 60 * 1000

export interface WebhooksDependencies {
  readonly clock: Clock
  readonly limits: Limits
  readonly cipher: Cipher
  readonly outbound: Outbound
}

export type Webhooks = ReturnType<typeof makeWebhooks>

export function makeWebhooks({ clock, limits, cipher, outbound }: WebhooksDependencies) {
  const kind = {
    type,
    clock,
    limits,
    counted: 'webhooks',
    store: (stores: Stores) => stores.webhooks,
    duplicate: 'Another webhook of this organization already has this externalId.',
  } as const

  async function change(
    scope: CallerScope,
    { id, ifMatch }: TargetVersion,
    inputFor: (current: PresentedWebhook) => WebhookInput,
  ): Promise<Changed<PresentedWebhook>> {
    const { before, after } = await changeResource(kind, scope, {
      id,
      ifMatch,
      change: async (current) => {
        const input = inputFor(await presentOne(scope.stores, current))
        if (input.url !== current.url) requireAddress(outbound, input.url)
        await requireAgents(scope, input.agentIds, current.agentIds)
        return input.isEnabled ? { ...current, ...input, disabledReason: null } : { ...current, ...input }
      },
    })
    const changed = changedFields(before, after)
    await recordChange(clock, scope, { action: 'webhook.update', type, id, details: { changed } })
    return { ...(await presentOne(scope.stores, after)), changed }
  }

  async function create(scope: CallerScope, input: WebhookInput) {
    requireAddress(outbound, input.url)
    await requireAgents(scope, input.agentIds, [])
    const resource = newResource(clock, scope.caller.organizationId)
    const secret = newSecret()
    const sealedSecret = cipher.seal(secret, secretContext(resource))
    const record = { ...resource, ...input, ...unused, sealedSecret }
    await addResource(kind, scope, record)
    const details = { name: record.name, events: record.events }
    await recordChange(clock, scope, { action: 'webhook.create', type, id: record.id, details })
    return { ...record, waitingCount: 0, lastDelivery: null, secret }
  }

  const replace = (scope: CallerScope, target: TargetVersion, input: WebhookInput) =>
    change(scope, target, () => input)

  return {
    async list(scope: CallerScope, query: WebhookListQuery): Promise<Page<PresentedWebhook>> {
      const page = await listResources(kind, scope, { query, filter: { search: query.Search } })
      return { ...page, items: await presentWebhooks(scope.stores, page.items) }
    },

    read: async (scope: CallerScope, id: string) =>
      presentOne(scope.stores, await readResource(kind, scope, id)),

    create,

    replace,

    upsert(scope: CallerScope, target: TargetExternalId, upsert: WebhookUpsert) {
      const input = { ...upsert, externalId: target.externalId }
      return upsertResource<WebhookRecord, PresentedWebhook>(scope.stores.webhooks, scope, {
        ...target,
        create: () => create(scope, input),
        replace: (current) => replace(scope, current, input),
      })
    },

    patch: (scope: CallerScope, target: TargetVersion, patch: WebhookPatch) =>
      change(scope, target, (current) => applyPatch({ wire: Webhook, input: WebhookInput }, current, patch)),

    async remove(scope: CallerScope, target: TargetVersion): Promise<undefined> {
      const { id, name } = await removeResource(kind, scope, target)
      await recordChange(clock, scope, { action: 'webhook.delete', type, id, details: { name } })
    },

    /** Creates a new secret. The previous one is also used for signing for a day. */
    async rotateSecret(scope: CallerScope, id: string) {
      const secret = newSecret()
      const { after } = await changeResource(kind, scope, {
        id,
        ifMatch: null,
        change: (current) => ({
          ...current,
          sealedSecret: cipher.seal(secret, secretContext(current)),
          sealedPreviousSecret: current.sealedSecret,
          previousSecretExpiresAt: new Date(clock.now().getTime() + previousSecretMilliseconds).toISOString(),
        }),
      })
      await recordChange(clock, scope, { action: 'webhook.rotate_secret', type, id })
      return { ...(await presentOne(scope.stores, after)), secret }
    },

    async listDeliveries(
      scope: CallerScope,
      id: string,
      query: WebhookDeliveryListQuery,
    ): Promise<Page<WebhookDelivery>> {
      await readResource(kind, scope, id)
      const filter = { state: query.State, type: query.Type, from: query.From, to: query.To }
      const page = await readPage(query, (asked) => scope.stores.webhookDeliveries.list(id, filter, asked))
      return { ...page, items: page.items.map(presentDelivery) }
    },

    async redeliver(
      scope: CallerScope,
      { webhookId, deliveryId }: { readonly webhookId: string; readonly deliveryId: string },
    ): Promise<WebhookDelivery> {
      const { webhookDeliveries } = scope.stores
      await readResource(kind, scope, webhookId)
      if ((await webhookDeliveries.find(webhookId, deliveryId)) === null) throw notFound('delivery')
      const waiting = await webhookDeliveries.redeliver(webhookId, deliveryId, clock.now().toISOString())
      if (waiting === null)
        throw new DomainError(
          'Conflict',
          'The body was deleted with its conversation, so the delivery cannot be sent again.',
        )
      const details = { deliveryId }
      await recordChange(clock, scope, { action: 'webhook.redeliver', type, id: webhookId, details })
      return presentDelivery(waiting)
    },

    async redeliverSince(scope: CallerScope, id: string, redelivery: WebhookRedelivery) {
      const { webhooks, webhookDeliveries } = scope.stores
      // The webhook is locked, because two concurrent requests could otherwise deadlock.
      if ((await webhooks.findLocked(scope.caller.organizationId, id)) === null) throw notFound(type)
      const now = clock.now().toISOString()
      const count = await webhookDeliveries.redeliverSince({ webhookId: id, ...redelivery }, now)
      const details = { ...redelivery, count }
      await recordChange(clock, scope, { action: 'webhook.redeliver', type, id, details })
      return { count }
    },
  }
}

async function presentOne(stores: Stores, record: WebhookRecord): Promise<PresentedWebhook> {
  const [presented] = await presentWebhooks(stores, [record])
  return presented ?? { ...record, waitingCount: 0, lastDelivery: null }
}

function requireAddress(outbound: Outbound, url: string): void {
  const refusal = outbound.explainRefusal(url)
  if (refusal !== null) throw invalidRequest([{ path: 'url', message: refusal }])
}

/**
 * Throws if a webhook refers to agents that do not exist. Existing references are not checked again, because
 * an unmodified webhook must remain saveable after an agent was deleted.
 */
async function requireAgents(
  { stores, caller }: CallerScope,
  agentIds: readonly string[],
  known: readonly string[],
): Promise<void> {
  for (const [index, agentId] of agentIds.entries())
    if (!known.includes(agentId) && (await stores.agents.find(caller.organizationId, agentId)) === null)
      throw invalidRequest([{ path: `agentIds[${index}]`, message: 'must be an agent of this organization' }])
}

/** A webhook with the state of its deliveries, for callers. */
type PresentedWebhook = WebhookRecord & DeliverySummary

const nothingYet: DeliverySummary = { waitingCount: 0, lastDelivery: null }

export async function presentWebhooks(
  stores: Stores,
  records: readonly WebhookRecord[],
): Promise<readonly PresentedWebhook[]> {
  const summaries = await stores.webhookDeliveries.summaries(records.map(({ id }) => id))
  return records.map((record) => ({ ...record, ...(summaries.get(record.id) ?? nothingYet) }))
}

export function presentDelivery({ dueAt, attempts, ...record }: WebhookDeliveryRecord): WebhookDelivery {
  return { ...record, nextAttemptAt: dueAt, attempts: [...attempts] }
}

interface HappenedEvent<Type extends WebhookEventType> {
  readonly type: Type
  /** The resource. Fields that the contract does not define are not sent. */
  readonly data: WebhookEventData[Type]
}

/**
 * Records an event for the subscribed webhooks. Must be called in the transaction of the change itself, so
 * that either both are committed or neither. Triggers record the events of conversations, messages, turns,
 * sessions, approvals, tasks, agents and keys. This function is for other events.
 */
export function recordEvent<Type extends WebhookEventType>(
  stores: Stores,
  organizationId: string,
  { type, data }: HappenedEvent<Type>,
): Promise<void> {
  const fields: Readonly<Record<string, unknown>> = data
  const idIn = (name: string) => {
    const value = fields[name]
    return typeof value === 'string' ? value : null
  }
  return stores.webhookEvents.record({
    organizationId,
    type,
    agentId: idIn('agentId'),
    // A task outlives the conversation in which it was created.
    conversationId: type.startsWith('task.') ? null : idIn('conversationId'),
    orderKey: idIn('id') ?? organizationId,
    data: fields,
  })
}
