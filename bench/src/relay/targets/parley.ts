import { startParley } from '../../service/parley-service.js'
import { createTicket, makeSpeakingAgents } from '../../service/speaking-agents.js'
import type { Target } from './target.js'

const model = 'bench'

/** The service with everything on; each session is asked for over HTTP, as a customer's backend does it. */
export const parley: Target = {
  name: 'Parley',
  async start(providerUrl) {
    const service = await startParley({})
    const agents = await makeSpeakingAgents(service.api, providerUrl, [model])
    return {
      pids: [service.pid],
      async sessionUrl() {
        const { webSocketPath } = await createTicket(service.api, agents[model])
        return `${service.url.replace('http', 'ws')}${webSocketPath}`
      },
      stop: () => service.stop(),
    }
  },
}
