import { randomInt } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:net'

/**
 * Below the range from which the system assigns ports, so that no other process gets the port while a server
 * is stopped.
 */
const [lowest, highest] = [20_000, 32_000]

/** Returns a free port on the loopback interface. */
export async function findPort(): Promise<number> {
  for (;;) {
    const port = randomInt(lowest, highest)
    const server = createServer()
    try {
      server.listen(port, '127.0.0.1')
      await once(server, 'listening')
    } catch {
      continue
    }
    server.close()
    await once(server, 'close')
    return port
  }
}
