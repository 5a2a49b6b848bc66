import { realtimeUrl, type Target } from './target.js'

/** Nothing in between: what the load itself takes. */
export const direct: Target = {
  name: 'direct',
  start: async (providerUrl) => ({
    pids: [],
    sessionUrl: async () => realtimeUrl(providerUrl),
    stop: async () => undefined,
  }),
}
