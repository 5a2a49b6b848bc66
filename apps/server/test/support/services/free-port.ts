import { randomInt } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:net'

/*
 * Below the range from which the system gives out ports by itself: a port that is free for a while (a service
 * that is still starting, a proxy that is cut) is not handed to somebody else, and a client that keeps
 * dialling it cannot end up connected to itself.
 */
const lowestPort = 20_000
const highestPort = 32_000

/** A loopback port that nothing listens on. */
export async function findFreePort(): Promise<number> {
  for (;;) {
    const port = randomInt(lowestPort, highestPort)
    if (await canListen(port)) return port
  }
}

async function canListen(port: number): Promise<boolean> {
  const server = createServer()
  try {
    server.listen(port, '127.0.0.1')
    await once(server, 'listening')
  } catch {
    return false
  }
  server.close()
  await once(server, 'close')
  return true
}
