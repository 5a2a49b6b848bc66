import type { Clock } from '../../ports/clock.js'
import type { Stores } from '../../ports/database.js'
import type { WebhookRecord } from '../../ports/webhook-store.js'
import { recordChange } from '../audit/record-change.js'
import { systemCaller } from '../system-caller.js'
import { presentWebhooks } from '../webhooks/present-webhook.js'
import { recordEvent } from '../webhooks/record-event.js'

const hour = 60 * 60 * 1000

/** How long a webhook fails before the others are told, and before it is switched off. */
const toldAfterMilliseconds = hour / 2
const switchedOffAfterMilliseconds = 5 * 24 * hour

/** What the last attempts at a webhook came to. */
export interface WebhookFindings {
  readonly isGone: boolean
  /** Whether a delivery was given up. */
  readonly isGivenUp: boolean
}

/** Draws the consequences of failed attempts, in the transaction that writes them down. */
export async function reviewFailing(
  clock: Clock,
  stores: Stores,
  { webhook, isGone, isGivenUp }: WebhookFindings & { readonly webhook: WebhookRecord },
): Promise<void> {
  const { failingSince } = webhook
  const failsFor = failingSince === null ? 0 : clock.now().getTime() - Date.parse(failingSince)
  if (isGone) return switchOff(clock, stores, webhook, 'The receiver answered 410: it wants no more.')
  // Only with a delivery that was tried for a day: after days without events the first one gets its attempts.
  if (isGivenUp && failsFor >= switchedOffAfterMilliseconds)
    return switchOff(clock, stores, webhook, `No attempt has succeeded since ${failingSince}.`)
  if (failsFor < toldAfterMilliseconds || !(await stores.webhooks.markFailingTold(webhook.id))) return
  await tellOthers(stores, webhook, 'webhook.failing')
}

/** Switches a webhook off, never in silence: the reason is on it, in the audit log, and told to the others. */
export async function switchOff(
  clock: Clock,
  stores: Stores,
  { id, organizationId }: WebhookRecord,
  reason: string,
): Promise<void> {
  const disabled = await stores.webhooks.disable(id, reason, clock.now().toISOString())
  if (disabled === null) return
  const scope = { stores, caller: systemCaller(organizationId) }
  await recordChange(clock, scope, { action: 'webhook.disable', type: 'Webhook', id, details: { reason } })
  await tellOthers(stores, disabled, 'webhook.disabled')
}

async function tellOthers(
  stores: Stores,
  webhook: WebhookRecord,
  type: 'webhook.failing' | 'webhook.disabled',
): Promise<void> {
  for (const data of await presentWebhooks(stores, [webhook]))
    await recordEvent(stores, webhook.organizationId, { type, data })
}
