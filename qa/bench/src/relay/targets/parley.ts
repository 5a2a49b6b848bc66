import { startParley } from '@parley/stage/service/parley-service'
import { createTicket, makeSpeakingAgents } from '@parley/stage/service/speaking-agents'
import { type Target, trust } from './target.js'

const model = 'bench'
/**
 * A lane is silent while others are measured, and its tickets are created before its sockets open. The
 * limits allow both.
 */
const patience = {
  PARLEY_ORG_MAX_SESSIONS: '100000',
  PARLEY_REALTIME_SESSION_TTL_SECONDS: '600',
  PARLEY_REALTIME_IDLE_TIMEOUT_SECONDS: '3600',
  PARLEY_REALTIME_MAX_SESSION_SECONDS: '7200',
}

/** The service with all features. Each session is created over HTTP, as by a customer's backend. */
const parleyOn = (relayIo: 'ws' | 'fast', name: string): Target => ({
  name,
  async start(providerUrl, certificateFile) {
    const env = { ...patience, ...trust(certificateFile), PARLEY_RELAY_IO: relayIo }
    const service = await startParley({ isBundled: true, env })
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
})

export const parley = parleyOn('fast', 'Parley')
export const parleyOnWs = parleyOn('ws', 'Parley on ws')
