import { realtimeUrl, type Target } from './target.js'

/** Clients and provider without a relay: the latency of the load itself. */
export const direct: Target = {
  name: 'direct',
  start: async (providerUrl) => ({
    pids: [],
    sessionUrl: async () => realtimeUrl(providerUrl),
    stop: async () => undefined,
  }),
}
