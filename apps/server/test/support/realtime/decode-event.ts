import type { ProviderEvent } from '#server/domain/realtime/protocol/provider-event.js'
import { decodeProviderFrame } from '#server/domain/realtime/protocol/provider-frame.js'

/** An event as a provider sends it. */
export type WireEvent = Readonly<Record<string, unknown>> & { readonly type: string }

/** What the service makes of it, by way of the frame. */
export function decodeEvent(event: WireEvent): ProviderEvent | null {
  return decodeProviderFrame(Buffer.from(JSON.stringify(event)))
}

/** Hands an event, where the service acts on it, to whoever observes such events. */
export function observeWire<Effect>(
  observe: (event: ProviderEvent) => readonly Effect[],
  event: WireEvent,
): readonly Effect[] {
  const decoded = decodeEvent(event)
  return decoded === null ? [] : observe(decoded)
}
