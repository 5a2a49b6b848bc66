import { afterAll, beforeAll } from 'vitest'
import { joinInstance } from '../questions/instances.js'
import { useQuestionService } from '../questions/question-service.js'
import { refundTool } from '../realtime/waiting-calls.js'
import type { PostgresDatabase } from '../services/postgres-database.js'
import { createRedisUrl } from '../services/redis-database.js'
import { startTcpProxy, type TcpProxy } from '../services/tcp-proxy.js'
import { migratedDatabase, type RunningService, type TestServiceOptions } from '../start-service.js'
import type { CrossInstanceSetup } from './cross-instance-actions.js'

export interface InstancesOnRedis extends CrossInstanceSetup {
  /** The Redis connection of the first instance. */
  readonly redis: TcpProxy
}

/**
 * Two instances on one PostgreSQL and one Redis, started before the tests of a file and stopped after them.
 */
export function useInstancesOnRedis(options: TestServiceOptions = {}): InstancesOnRedis {
  let postgres: PostgresDatabase
  let redis: TcpProxy
  let redisUrl: string
  let other: RunningService
  let agentId: string

  beforeAll(async () => {
    postgres = await migratedDatabase()
    redisUrl = await createRedisUrl()
    const { hostname, port } = new URL(redisUrl)
    redis = await startTcpProxy(hostname, Number(port))
  })

  afterAll(async () => {
    await redis.close()
    await postgres.drop()
  })

  const asked = useQuestionService(() => ({
    ...options,
    env: { DATABASE_URL: postgres.url, REDIS_URL: redis.rewriteUrl(redisUrl), PARLEY_TASK_RUNS: '1' },
  }))

  beforeAll(async () => {
    other = await joinInstance(asked.running, postgres.url, { ...options, env: { REDIS_URL: redisUrl } })
    agentId = await asked.makeAgent({ name: 'Clerk', tools: [refundTool(asked.tools)] })
  })

  afterAll(() => other.close())

  return {
    asked,
    get redis() {
      return redis
    },
    get other() {
      return other
    },
    get agentId() {
      return agentId
    },
  }
}
