import type { ProviderOpening } from '../../../ports/realtime-provider.js'
import type { SessionSetup } from '../../../ports/realtime-stores.js'
import { sessionUpdate } from '../protocol/service-frames.js'
import type { ProviderCandidate } from './accept-session.js'
import type { HistoryItem } from './history.js'

/** Returns the first events for a candidate: the configuration of the session, and the conversation so far. */
export function providerOpening(
  setup: SessionSetup,
  updateEventId: string,
  { model }: ProviderCandidate,
  history: readonly HistoryItem[],
): ProviderOpening {
  return {
    update: sessionUpdate({ ...setup, ...model }, updateEventId),
    items: history.map(({ event }) => event),
  }
}
