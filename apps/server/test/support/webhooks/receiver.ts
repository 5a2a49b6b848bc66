import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { vi } from 'vitest'
import { closeAfterwards } from '../close-afterwards.js'

export interface ReceivedDelivery {
  readonly path: string
  readonly headers: IncomingHttpHeaders
  readonly text: string
  readonly body: {
    readonly type: string
    readonly timestamp: string
    readonly organizationId: string
    readonly isShortened: boolean
    readonly data: Readonly<Record<string, unknown>>
  }
}

/** How the receiver answers a delivery: with a status, or by a function. */
export type Behaviour = number | ((response: ServerResponse, delivery: ReceivedDelivery) => void)

export interface Receiver {
  readonly url: string
  readonly host: string
  /** Every delivery to that path, in order of arrival. */
  at(path: string): readonly ReceivedDelivery[]
  /** Sets the behavior of a path. The default is 204. */
  behave(path: string, behaviour: Behaviour): void
  /** Waits for this many deliveries to the path. */
  received(path: string, count: number): Promise<readonly ReceivedDelivery[]>
}

const patiently = { timeout: 60_000, interval: 10 }

/** Starts a real server that receives webhooks, each on its own path. */
export async function startReceiver(): Promise<Receiver> {
  const deliveries: ReceivedDelivery[] = []
  const behaviours = new Map<string, Behaviour>()
  const server = createServer(async (request, response) => {
    let text = ''
    for await (const chunk of request.setEncoding('utf8')) text += chunk
    const delivery = { path: request.url ?? '', headers: request.headers, text, body: JSON.parse(text) }
    deliveries.push(delivery)
    const behaviour = behaviours.get(delivery.path) ?? 204
    if (typeof behaviour === 'number') response.writeHead(behaviour).end()
    else behaviour(response, delivery)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  closeAfterwards(async () => {
    const closed = once(server, 'close')
    server.close()
    server.closeAllConnections()
    await closed
  })
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`
  const at = (path: string) => deliveries.filter((delivery) => delivery.path === path)
  return {
    url: `http://${host}`,
    host,
    at,
    behave: (path, behaviour) => void behaviours.set(path, behaviour),
    received: (path, count) =>
      vi.waitFor(() => {
        const found = at(path)
        if (found.length < count)
          throw new Error(`${found.length} of ${count} deliveries arrived at ${path}.`)
        return found
      }, patiently),
  }
}
