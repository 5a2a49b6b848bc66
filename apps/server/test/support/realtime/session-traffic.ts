import { expect } from 'vitest'
import type { FrameInbox } from './frame-inbox.js'
import type { OpenSession } from './realtime-service.js'
import type { ProviderSession } from './scripted-provider.js'
import { patiently } from './spoken-turns.js'

let markers = 0

async function arrival(inbox: FrameInbox, marker: string): Promise<void> {
  const hasArrived = () => inbox.all.some(({ data }) => data.includes(marker))
  await expect.poll(hasArrived, { ...patiently, interval: 2 }).toBe(true)
}

/**
 * Sends a frame from the provider to the client and one back. When this settles, everything that the service
 * does immediately after all earlier frames has reached the provider.
 */
export async function roundTrip({
  client,
  provider,
}: Pick<OpenSession, 'client' | 'provider'>): Promise<void> {
  markers += 1
  const marker = `marker_${markers}_`
  provider.send({ type: 'rate_limits.updated', event_id: marker })
  await arrival(client.inbox, marker)
  client.send({ type: 'input_audio_buffer.clear', event_id: marker })
  await arrival(provider.inbox, marker)
}

interface SentEvent {
  readonly type: string
  readonly event_id?: string
  readonly item?: { readonly type?: string; readonly call_id?: string }
}

/**
 * The outputs and response requests that the provider got, in order and in short form. Other events are
 * omitted.
 */
export function requestsTo({ inbox }: ProviderSession): string[] {
  return inbox.all
    .filter(({ isBinary }) => !isBinary)
    .map(({ data }) => JSON.parse(data.toString()) as SentEvent)
    .flatMap((event) => {
      const whose = event.event_id?.startsWith('svc_') ? '' : 'client '
      if (event.type === 'response.create') return [`${whose}create`]
      return event.item?.type === 'function_call_output' ? [`${whose}output ${event.item.call_id}`] : []
    })
}

/** The same after all earlier frames were handled. */
export async function requestsAfterAll(session: OpenSession): Promise<string[]> {
  await roundTrip(session)
  return requestsTo(session.provider)
}
