import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { setInterval } from 'node:timers/promises'
import { vi } from 'vitest'
import { closeAfterwards } from '../close-afterwards.js'

/** A load balancer for several instances. It distributes connections to ready instances in turn. */
export interface Balancer {
  readonly url: string
  /**
   * Probes this instance from now on and sends it connections while it is ready. Resolves when it is ready
   * for the first time.
   */
  add(url: string): Promise<void>
  close(): Promise<void>
}

const probeMilliseconds = 50

/** Probes `/readyz` at intervals, as load balancers do. It notices a shutdown with a short delay. */
export async function startBalancer(): Promise<Balancer> {
  const ready = new Set<string>()
  const sockets = new Set<Socket>()
  let isClosed = false
  let turn = 0
  const server = createServer((client) => {
    const urls = [...ready]
    const url = urls[turn % urls.length]
    turn += 1
    if (url === undefined) return void client.destroy()
    const { hostname, port } = new URL(url)
    const target = connect(Number(port), hostname)
    client.pipe(target).pipe(client)
    for (const [one, other] of [
      [client, target],
      [target, client],
    ] as const) {
      sockets.add(one)
      one.on('error', () => other.destroy()).on('close', () => sockets.delete(one))
    }
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')

  async function probe(url: string): Promise<void> {
    for await (const _ of setInterval(probeMilliseconds)) {
      if (isClosed) return
      const isReady = await fetch(`${url}/readyz`).then(
        ({ status }) => status === 200,
        () => false,
      )
      if (isReady) ready.add(url)
      else if (ready.delete(url)) return
    }
  }

  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async add(url) {
      void probe(url)
      await vi.waitUntil(() => ready.has(url), { timeout: 60_000, interval: 1 })
    },
    close: closeAfterwards(async () => {
      isClosed = true
      const closed = once(server, 'close')
      server.close()
      for (const socket of sockets) socket.destroy()
      await closed
    }),
  }
}
