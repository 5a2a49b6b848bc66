import { fileURLToPath } from 'node:url'
import { startBackend } from '../process/backend-process.js'
import type { RunningService } from '../start-service.js'

const backend = fileURLToPath(new URL('../../../../../examples/websocket/backend.mjs', import.meta.url))

/** Starts the backend of examples/websocket, and returns the address of its page. */
export function serveDocumentedPage(running: RunningService, agentId: string): Promise<string> {
  return startBackend(backend, {
    PARLEY_URL: running.url,
    PARLEY_ORG_ID: running.organizationId,
    PARLEY_API_KEY: running.apiKey,
    PARLEY_AGENT_ID: agentId,
    PORT: '0',
  })
}
