import type { TestProject } from 'vitest/node'
import { findInstallation } from '../services/programs/find-installation.js'
import { wantedPrograms } from '../services/programs/wanted-programs.js'
import { startRedisServer } from '../services/redis-server.js'

declare module 'vitest' {
  export interface ProvidedContext {
    redisUrl: string
  }
}

/** The first test project that needs Redis starts it. The others share the server. */
export async function setup(project: TestProject): Promise<(() => Promise<void>) | undefined> {
  const { vitest } = project
  if (vitest.getProvidedContext().redisUrl !== undefined) return undefined
  const say = (line: string) => vitest.logger.log(line)
  const wanted = wantedPrograms.redis
  const givenUrl = process.env[wanted.setting]
  if (givenUrl) {
    say(`Tests use ${wanted.title} (set by ${wanted.setting})`)
    vitest.provide('redisUrl', givenUrl)
    return undefined
  }
  const { installation, description } = await findInstallation(wanted, say)
  say(`Tests use ${description}`)
  const { url, stop } = await startRedisServer(installation)
  vitest.provide('redisUrl', url)
  return stop
}
