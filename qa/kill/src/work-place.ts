import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { type WorkRequest, workOn } from '@parley/stage/models/working-model'

/** So that a run takes a while, and a kill by the clock meets it. */
const thinkingMilliseconds = 100

export interface WorkPlace {
  readonly origin: string
  /** How often each step of each task was done: `key/step`. */
  readonly effects: ReadonlyMap<string, number>
  close(): void
}

/**
 * The model and the endpoint of the tool, which outlive the service. `onEffect` is called at the very moment a request of
 * the tool has arrived and its effect is counted, before it is answered; true: it never is.
 */
export async function openWorkPlace(onEffect: () => boolean): Promise<WorkPlace> {
  const effects = new Map<string, number>()
  const server = createServer((request, response) => {
    response.on('error', () => undefined)
    void serve(request, response).catch(() => response.destroy())
  })
  async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    let body = ''
    for await (const chunk of request.setEncoding('utf8')) body += chunk
    if (request.url !== '/effect') {
      await sleep(thinkingMilliseconds)
      return workOn(response, JSON.parse(body) as WorkRequest)
    }
    const { key, step } = JSON.parse(body) as { key: string; step: number }
    const name = `${key}/${step}`
    effects.set(name, (effects.get(name) ?? 0) + 1)
    if (onEffect()) return
    response.writeHead(200, { 'content-type': 'application/json' }).end('{"ok":true}')
  }
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    effects,
    close() {
      server.closeAllConnections()
      server.close()
    },
  }
}
