import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { sayShortly } from '@parley/stage/models/chat-stream'

export interface BriefModel {
  readonly origin: string
  close(): void
}

/** A text model that answers every question immediately with one word. */
export async function startBriefModel(): Promise<BriefModel> {
  const server = createServer((request, response) => {
    request.resume()
    request.once('end', () => sayShortly(response))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close() {
      server.closeAllConnections()
      server.close()
    },
  }
}
