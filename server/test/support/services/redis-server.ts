import { join } from 'node:path'
import { directoriesWith, searchPath } from './find-program.js'
import { findFreePort } from './free-port.js'
import { startSupervised, type TestService } from './supervised-service.js'

/** Starts a Redis server that keeps nothing on disk. */
export async function startRedisServer(): Promise<TestService> {
  const [directory] = await directoriesWith(['redis-server'], searchPath())
  if (directory === undefined) {
    throw new Error('Redis is not installed: apt-get install redis-server, or set PARLEY_TEST_REDIS_URL.')
  }
  const port = await findFreePort()
  const options = { port, bind: '127.0.0.1', save: '', appendonly: 'no', databases: 1024 }
  const stop = await startSupervised({
    name: 'redis',
    command: [
      join(directory, 'redis-server'),
      ...Object.entries(options).flatMap(([name, value]) => [`--${name}`, String(value)]),
    ],
    readyLine: /Ready to accept connections/,
  })
  return { url: `redis://127.0.0.1:${port}`, stop }
}
