import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { actsElsewhere } from '../../support/operations/acts-elsewhere.js'
import { crowding } from '../../support/process/parley-process.js'
import { joinInstance } from '../../support/questions/instances.js'
import { useQuestionService } from '../../support/questions/question-service.js'
import { refundTool } from '../../support/realtime/waiting-calls.js'
import type { PostgresDatabase } from '../../support/services/postgres-database.js'
import { createRedisUrl } from '../../support/services/redis-database.js'
import { startTcpProxy, type TcpProxy } from '../../support/services/tcp-proxy.js'
import { migratedDatabase, type RunningService } from '../../support/start-service.js'

const rounds = 3
const soonMilliseconds = 50

let postgres: PostgresDatabase
let redis: TcpProxy
let redisUrl: string
let other: RunningService

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
  env: { DATABASE_URL: postgres.url, REDIS_URL: redis.rewriteUrl(redisUrl), PARLEY_TASK_RUNS: '1' },
}))

beforeAll(async () => {
  other = await joinInstance(asked.running, postgres.url, { env: { REDIS_URL: redisUrl } })
  agentId = await asked.makeAgent({ name: 'Clerk', tools: [refundTool(asked.tools)] })
})

afterAll(() => other.close())

let agentId: string

const decideElsewhere = () => actsElsewhere['a decision']({ asked, other, agentId })
const endElsewhere = () => actsElsewhere['the end of a session']({ asked, other, agentId })

async function medianOf(measure: () => Promise<number>): Promise<number> {
  const milliseconds: number[] = []
  while (milliseconds.length < rounds) milliseconds.push(await measure())
  return milliseconds.sort((one, two) => one - two)[Math.floor(rounds / 2)] ?? Number.NaN
}

describe('[SIG-1] with Redis', () => {
  test('instances find each other, in their own time', async () => {
    await expect.poll(decideElsewhere, { timeout: 15_000 }).toBeLessThan(soonMilliseconds * crowding())
  })

  test.each(Object.entries(actsElsewhere))('%s counts on another instance within 50 ms', async (_, act) => {
    // What an act asked of the model is not the next one's.
    const measure = () => act({ asked, other, agentId }).finally(() => asked.model.verify())
    // While others of the machine's processes start, which the load does not tell at once, it is measured again.
    const inItsTime = async () => (await medianOf(measure)) / crowding()
    await expect.poll(inItsTime, { timeout: 15_000 }).toBeLessThan(soonMilliseconds)
  })
})

describe('[SIG-2] when Redis dies', () => {
  test('what another instance does counts a second later, and soon again when Redis is back', async () => {
    await redis.cut()
    expect((await decideElsewhere()) / crowding()).toBeLessThan(2000)
    expect((await endElsewhere()) / crowding()).toBeLessThan(2000)
    await redis.restore()
    await expect.poll(decideElsewhere, { timeout: 15_000 }).toBeLessThan(soonMilliseconds * crowding())
    expect((await medianOf(endElsewhere)) / crowding()).toBeLessThan(soonMilliseconds)
  })
})
