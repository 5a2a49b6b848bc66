import { randomBytes } from 'node:crypto'
import type { Engine, OfflineModel } from '@parley/engine'
import type { EmbeddedEngine, EnginePlace } from '../../ports/embedded-engine.js'
import type { Log } from '../../ports/log.js'

const secretBytes = 32

interface Started {
  readonly engine: Engine
  readonly place: EnginePlace
}

/**
 * The built-in engine, started when somebody first needs it: who has another provider does not pay for it. It listens on
 * a loopback port with a secret of its own, so that the service speaks to it as to any provider.
 */
export function makeEmbeddedEngine(log: Log): EmbeddedEngine {
  const tell = (line: string) => log.info({ part: 'engine' }, line)
  let starting: Promise<Started> | null = null
  let offline: Promise<OfflineModel> | null = null

  async function launch(): Promise<Started> {
    const { startEngine } = await import('@parley/engine')
    const secret = randomBytes(secretBytes).toString('base64url')
    const engine = await startEngine({ host: '127.0.0.1', port: 0, secret, log: tell })
    return { engine, place: { url: engine.url, secret } }
  }

  async function loadModel(): Promise<OfflineModel> {
    const { makeOfflineModel } = await import('@parley/engine')
    return makeOfflineModel({ log: tell })
  }

  return {
    async start() {
      starting ??= launch()
      try {
        return (await starting).place
      } catch (error) {
        // The next session tries again.
        starting = null
        throw error
      }
    },

    async think(messages, tools) {
      offline ??= loadModel()
      return (await offline).step({ messages, tools })
    },

    async close() {
      const [started, model] = await Promise.all([starting?.catch(() => null), offline?.catch(() => null)])
      await Promise.all([started?.engine.close(), model?.close()])
    },
  }
}
