import { randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { AgentTestParts, OwnService } from '@parley/agent-tests'
import { resampleClip, startEngineWorkers } from '@parley/engine'
import { concealerOf } from '../adapters/secret-redaction/conceal-secrets.js'
import { makeLog } from '../adapters/system/log.js'
import { parseConfig } from '../config/config.js'
import { openMeaning } from './sentence-meaning.js'
import { compose } from './service.js'

const wireRate = 24_000
const maxWaiting = 64

type Environment = Readonly<Record<string, string | undefined>>

/** The parts of the service that `parley test` uses. Each starts on first use. */
export function makeAgentTestParts(): AgentTestParts {
  const workers = once(() => startEngineWorkers({ runtime: 'auto', maxWaiting, onProgress: () => undefined }))
  const meaning = openMeaning()
  const spoken = new Map<string, Promise<Int16Array>>()

  async function speak(text: string, voice: string): Promise<Int16Array> {
    const clip = await workers.get().textToSpeech.speak({ text, voice, speed: 1 })
    if (clip.ok) return resampleClip(clip.value, wireRate)
    const why = clip.kind === 'overloaded' ? 'The voice is busy.' : clip.message
    throw new Error(`${JSON.stringify(text)} cannot be spoken. ${why}`)
  }

  return {
    startService: startOwnService,
    conceal: concealerOf,
    speaker: {
      speak(text, voice) {
        const key = `${voice} ${text}`
        const sound = spoken.get(key) ?? speak(text, voice)
        spoken.set(key, sound)
        return sound
      },
    },
    meaning,
    async close() {
      await Promise.all([workers.made()?.close(), meaning.close()])
    },
  }
}

/** Starts a service on a free local port. Its database is deleted when the service is closed. */
async function startOwnService(env: Environment): Promise<OwnService> {
  const dataDir = await mkdtemp(join(tmpdir(), 'parley-own-'))
  const remove = () => rm(dataDir, { recursive: true, force: true })
  try {
    const { service, listening } = await startIn(dataDir, env)
    const { url, firstStart } = listening
    if (firstStart === null) throw new Error('The service for the tests is already set up.')
    const { organizationId, apiKey } = firstStart
    const close = async () => {
      await service.close()
      await remove()
    }
    return { url, organizationId, apiKey, close }
  } catch (error) {
    await remove()
    throw error
  }
}

async function startIn(dataDir: string, env: Environment) {
  const { DATABASE_URL: _, REDIS_URL: __, ...given } = env
  const parsed = parseConfig({
    ...given,
    HOST: '127.0.0.1',
    PORT: '0',
    LOG_LEVEL: 'fatal',
    PARLEY_DATA_DIR: dataDir,
    PARLEY_SECRET: randomBytes(32).toString('hex'),
    PARLEY_SECRET_PREVIOUS: undefined,
    PARLEY_PUBLIC_URL: undefined,
    PARLEY_BOOTSTRAP_ORG_ID: undefined,
    PARLEY_BOOTSTRAP_API_KEY: undefined,
    PARLEY_WORKERS: '1',
    PARLEY_DRAIN_SECONDS: '1',
    PARLEY_RATE_LIMIT_PER_MINUTE: '100000',
    // The limits are high, because a recording creates new agents for each run.
    PARLEY_ORG_MAX_AGENTS: '100000',
    PARLEY_ORG_MAX_CONNECTIONS: '100000',
    // A recorder on this machine replaces the providers.
    PARLEY_ALLOWED_PRIVATE_HOSTS: [given.PARLEY_ALLOWED_PRIVATE_HOSTS, '127.0.0.1'].filter(Boolean).join(','),
  })
  if (!parsed.ok) throw new Error(`Correct these settings: ${parsed.errors.join('; ')}`)
  const log = makeLog(parsed.config.logLevel, false, { destination: { write: () => undefined } })
  const service = await compose(parsed.config, {
    log,
    onFatal: (error) => {
      throw error
    },
  })
  return { service, listening: await service.listen({ host: '127.0.0.1', port: 0 }) }
}

/** Creates the value on first use. */
function once<Value>(make: () => Value): { get(): Value; made(): Value | undefined } {
  let value: Value | undefined
  return {
    get() {
      value ??= make()
      return value
    },
    made: () => value,
  }
}
