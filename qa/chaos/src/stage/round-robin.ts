import { once } from 'node:events'
import { connect, createServer, type Socket } from 'node:net'
import type { Instance } from './instance.js'

export interface RoundRobin {
  readonly url: string
  close(): void
}

const probeMilliseconds = 500

/**
 * One address for all instances. Each connection goes to the next ready instance. If none is ready, for
 * example during a database outage, it goes to the next one anyway, so that the client gets the service's
 * own answer.
 */
export async function startRoundRobin(instances: readonly Instance[], port: number): Promise<RoundRobin> {
  const sockets = new Set<Socket>()
  let turn = 0
  const next = () => {
    for (let step = 0; step < instances.length; step += 1) {
      turn += 1
      const instance = instances[turn % instances.length]
      if (instance?.isReady) return instance
    }
    turn += 1
    return instances[turn % instances.length]
  }
  const server = createServer((client) => {
    const instance = next()
    if (instance === undefined) return void client.destroy()
    const target = connect(Number(new URL(instance.url).port), '127.0.0.1')
    client.pipe(target).pipe(client)
    join(client, target)
    join(target, client)
  })
  const join = (one: Socket, other: Socket) => {
    sockets.add(one)
    one.setNoDelay(true)
    one.on('error', () => other.destroy())
    one.on('close', () => {
      sockets.delete(one)
      // Data that was written before the close still arrives.
      other.end()
    })
  }
  server.listen(port, '127.0.0.1')
  await once(server, 'listening')
  const timers = instances.map((instance) => {
    let isProbing = false
    return setInterval(async () => {
      if (isProbing) return
      isProbing = true
      await instance.probe()
      isProbing = false
    }, probeMilliseconds)
  })
  return {
    url: `http://127.0.0.1:${port}`,
    close() {
      for (const timer of timers) clearInterval(timer)
      server.close()
      for (const socket of sockets) socket.destroy()
    },
  }
}
