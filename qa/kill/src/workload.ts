import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { type WorkRequest, workOn } from '@parley/stage/models/working-model'

/** Makes runs long enough for the clock to kill them midway. */
const thinkingMilliseconds = 100

export interface Workload {
  readonly origin: string
  /** How often each step of each task ran, by `key/step`. */
  readonly effects: ReadonlyMap<string, number>
  close(): void
}

/**
 * The model and the tool's endpoint, which outlive the service. `onEffect` is called when a tool request has
 * arrived and is counted, before the answer. If it returns true, the request gets no answer.
 */
export async function openWorkload(onEffect: () => boolean): Promise<Workload> {
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
