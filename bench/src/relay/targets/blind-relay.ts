import { Part } from '../../processes/part.js'
import { realtimeUrl, type Target } from './target.js'

export const blindRelay: Target = {
  name: 'blind relay',
  async start(providerUrl) {
    const entry = new URL('../blind-relay-process.js', import.meta.url)
    const part = new Part(entry, [realtimeUrl(providerUrl)])
    const port = await part.ask<number>({})
    return {
      pids: [part.pid],
      sessionUrl: async () => `ws://127.0.0.1:${port}/`,
      stop: () => part.stop(),
    }
  },
}
