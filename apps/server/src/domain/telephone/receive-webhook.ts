import type { Carrier, CarrierRequest, WebhookAnswer } from '@parley/telephone'
import type { Carriers } from '../../ports/carriers.js'
import type { PhoneConnectionRecord } from '../../ports/phone-stores.js'
import type { NamedCall } from './call-reports.js'
import type { RunningCalls } from './running-calls.js'

export interface ReceivedWebhook {
  readonly connection: PhoneConnectionRecord
  readonly carrier: Carrier
  readonly request: CarrierRequest
  readonly named: NamedCall | null
}

/**
 * Handles a webhook of a provider, whichever URL it was sent to: some providers have one URL for everything. Webhooks may
 * arrive twice, late and out of order. Returns null if the provider needs no answer.
 */
export async function receiveWebhook(
  { calls, carriers }: { readonly calls: RunningCalls; readonly carriers: Carriers },
  { connection, carrier, request, named }: ReceivedWebhook,
): Promise<WebhookAnswer | null> {
  try {
    const reaction = await carrier.react?.(request)
    if (reaction) return reaction
    const call = carrier.readIncomingCall(request)
    if (call?.direction === 'out')
      return await calls.reports.answerOutgoing({ connection, carrier, call, named })
    if (call && named === null) return await calls.answer(connection, carrier, call)
    const status = carrier.readStatus(request)
    if (status !== null) await calls.reports.noteStatus(connection, status, named?.id ?? null)
    return null
  } catch (error) {
    // A provider that refuses a command repeats the webhook in vain. The call has usually ended.
    if (carriers.failureOf(error) === null) throw error
    return null
  }
}
