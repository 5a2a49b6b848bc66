import { randomInt } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:net'

/** Below those that the system gives out by itself: while a server is away, nobody else gets its port. */
const [lowest, highest] = [20_000, 32_000]

/** A loopback port that nothing listens on. */
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
