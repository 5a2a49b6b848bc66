import { once } from 'node:events'
import { chownSync, mkdirSync } from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'
import { findPort } from './find-port.js'
import { RestartableServer } from './restartable-server.js'
import type { FoundServers } from './servers.js'

export interface RedisStage {
  readonly url: string
  start(): Promise<void>
  stop(mode: 'polite' | 'killed'): Promise<void>
}

const signals = { polite: 'SIGTERM', killed: 'SIGKILL' } as const

/** Starts a Redis server that stores nothing on disk. */
export async function startRedisStage({ redis, user }: FoundServers, parent: string): Promise<RedisStage> {
  const port = await findPort()
  const folder = join(parent, 'redis')
  mkdirSync(folder)
  if (user) chownSync(folder, user.uid, user.gid)
  const options = { port, bind: '127.0.0.1', save: '', appendonly: 'no' }
  const args = Object.entries(options).flatMap(([name, value]) => [`--${name}`, String(value)])
  const server = new RestartableServer({
    name: 'Redis',
    command: ['redis-server', ...args],
    folder,
    environment: redis.environment,
    user,
    isReady: () => canConnect(port),
  })
  await server.start()
  return {
    url: `redis://127.0.0.1:${port}`,
    start: () => server.start(),
    stop: (mode) => server.stop(signals[mode]),
  }
}

async function canConnect(port: number): Promise<boolean> {
  const socket = connect(port, '127.0.0.1')
  try {
    await once(socket, 'connect')
    return true
  } catch {
    return false
  } finally {
    socket.destroy()
  }
}
