import type { ProviderEvent } from '#server/domain/realtime/protocol/provider-event.js'
import { decodeProviderFrame } from '#server/domain/realtime/protocol/provider-frame.js'

/** An event as a provider sends it. */
export type WireEvent = Readonly<Record<string, unknown>> & { readonly type: string }

/** Returns the service's decoded event, by way of a frame. */
export function decodeEvent(event: WireEvent): ProviderEvent | null {
  return decodeProviderFrame(Buffer.from(JSON.stringify(event)))
}

/** Passes a decoded event to the observer, if the service handles its type. */
export function observeWire<Effect>(
  observe: (event: ProviderEvent) => readonly Effect[],
  event: WireEvent,
): readonly Effect[] {
  const decoded = decodeEvent(event)
  return decoded === null ? [] : observe(decoded)
}
