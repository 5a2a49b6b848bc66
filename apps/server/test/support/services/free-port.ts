import { randomInt } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:net'

/*
 * Ports are chosen below the operating system's ephemeral range. Otherwise the system could hand a
 * temporarily free port to another process, for example while a service is starting or a proxy is cut. A
 * client that keeps dialing such a port could even connect to itself.
 */
const lowestPort = 20_000
const highestPort = 32_000

/** Returns a loopback port that has no listener. */
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
