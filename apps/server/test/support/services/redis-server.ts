import { findFreePort } from './free-port.js'
import { commandIn, type Installation, listenAddress } from './programs/installation.js'
import { startSupervised, type TestService } from './supervised-service.js'

/** Starts a Redis server without persistence. */
export async function startRedisServer(installation: Installation): Promise<TestService> {
  const port = await findFreePort()
  const options = {
    port,
    bind: listenAddress(installation),
    'protected-mode': 'no',
    save: '',
    appendonly: 'no',
    databases: 1024,
  }
  const args = Object.entries(options).flatMap(([name, value]) => [`--${name}`, String(value)])
  const stop = await startSupervised({
    name: 'redis',
    ...commandIn(installation, ['redis-server', ...args], { port }),
    readyLine: /Ready to accept connections/,
  })
  return { url: `redis://127.0.0.1:${port}`, stop }
}
