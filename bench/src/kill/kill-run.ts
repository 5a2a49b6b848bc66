import { randomUUID } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Agent, ApprovalPage, Connection, Task } from '@parley/contract'
import type { z } from 'zod'
import { makeCredentials, type ParleyService, startParley } from '../service/parley-service.js'
import { judgeTask, type JudgedTask } from './judge-task.js'
import { makeRandom } from './seeded-random.js'
import { openWorkPlace, type WorkPlace } from './work-place.js'
import { describeWork } from './working-model.js'

/** Where the kills come from: the endpoint of the tool when its request arrives, or a clock. */
export type KillMode = 'endpoint' | 'random'

export interface KillRunOptions {
  readonly database: { readonly kind: 'embedded'; readonly dataDir?: string } | { readonly kind: 'postgres'; readonly url: string }
  readonly mode: KillMode
  readonly kills: number
  readonly seed: number
  /** How many tasks are worked at a time. */
  readonly width?: number
  readonly onProgress?: (line: string) => void
}

export interface KillResult {
  readonly database: 'embedded' | 'postgres'
  readonly mode: KillMode
  readonly kills: number
  readonly tasks: readonly JudgedTask[]
  /** Tasks that the service still counts as in progress, of all. */
  readonly leftInProgress: number
  /** Calls that a person was asked about since they repeat one whose outcome is unknown. */
  readonly asked: number
  readonly seconds: number
}

const steps = 4
/** Of all calls, so many are killed by in the mode `endpoint`. */
const killedCalls = 0.34
const longestMilliseconds = 1500
const endMilliseconds = 120_000
const settings = {
  LOG_LEVEL: 'warn',
  PARLEY_LEASE_SECONDS: '2',
  PARLEY_TASK_RETRY_SECONDS: '0',
  PARLEY_SECRET: 'a secret of the bench that is long enough',
}

/** Kills the service so many times while agents work at tasks, starts it again each time, and judges what came of them. */
export async function runKills(options: KillRunOptions): Promise<KillResult> {
  const { database, mode, kills, seed, width = 3, onProgress = () => undefined } = options
  const startedAt = performance.now()
  const random = makeRandom(seed)
  const own = database.kind === 'embedded' && database.dataDir ? null : await mkdtemp(join(tmpdir(), 'parley-kill-'))
  const dataDir = (database.kind === 'embedded' && database.dataDir) || own || ''
  const credentials = makeCredentials()
  const env = { ...settings, ...(database.kind === 'postgres' && { DATABASE_URL: database.url }) }
  const start = () => startParley({ env, dataDir, credentials })

  let service = await start()
  let killed = 0
  let dying: Promise<void> | null = null
  /** Kills the process at once; nothing of it runs after this line. */
  const kill = () => {
    process.kill(service.pid, 'SIGKILL')
    killed += 1
    onProgress(`kill ${killed} of ${kills}`)
    dying = untilGone(service)
  }
  const place = await openWorkPlace(() => {
    if (dying !== null) return true
    if (mode === 'random' || killed >= kills || random() > killedCalls) return false
    kill()
    return true
  })
  try {
    const agentId = await makeWorker(service, place)
    const keys: { readonly id: string; readonly key: string }[] = []
    const open = new Set<string>()
    let asked = 0
    let nextKillAt = performance.now() + random() * longestMilliseconds
    let quietSince = performance.now()
    while (killed < kills || open.size > 0) {
      if (dying !== null) {
        await dying
        service = await start()
        dying = null
        nextKillAt = performance.now() + random() * longestMilliseconds
        quietSince = performance.now()
      }
      if (mode === 'random' && killed < kills && performance.now() >= nextKillAt) {
        kill()
        continue
      }
      if (performance.now() - quietSince > endMilliseconds) break
      try {
        while (killed < kills && open.size < width) {
          const key = `task-${keys.length + 1}`
          const isStubborn = random() < 0.5
          const id = await runTask(service, { agentId, key, isStubborn })
          keys.push({ id, key })
          open.add(id)
        }
        asked += await rejectRepeats(service)
        for (const id of [...open])
          if (hasEnded(await service.api.call<Task>('GET', `/api/v1/Task/${id}`))) open.delete(id)
      } catch (error) {
        // It was killed under the call; whatever came of a creation is found by its key.
        if (dying === null) throw error
      }
      await sleep(25)
    }
    const all = await service.api.call<{ items: Task[] }>('GET', '/api/v1/Task?Limit=200')
    const judged: JudgedTask[] = []
    for (const task of all.items) judged.push(await judgeTask(service.api, task, place.effects))
    const left = await service.api.call<{ totalCount: number }>('GET', '/api/v1/Task?Status=in_progress&Limit=1')
    const seconds = (performance.now() - startedAt) / 1000
    return { database: database.kind, mode, kills: killed, tasks: judged, leftInProgress: left.totalCount, asked, seconds }
  } finally {
    await service.stop()
    place.close()
    if (own !== null) await rm(own, { recursive: true, force: true })
  }
}

const hasEnded = ({ runStartedAt, status }: Task) => runStartedAt === null && status !== 'open'

/** An agent whose one tool has an effect, and whose model works step by step. */
async function makeWorker({ api }: ParleyService, { origin }: WorkPlace): Promise<string> {
  const connection = await api.call<Connection>('POST', '/api/v1/Connection', {
    name: 'Work',
    kind: 'openai-compatible',
    baseUrl: `${origin}/v1`,
    apiKey: 'sk-work',
    models: { chat: 'work' },
  })
  const parameters = {
    type: 'object',
    properties: { key: { type: 'string' }, step: { type: 'integer' } },
    required: ['key', 'step'],
  }
  const agent = await api.call<Agent>('POST', '/api/v1/Agent', {
    name: 'Worker',
    connectionId: connection.id,
    tools: [
      {
        kind: 'http',
        name: 'do_step',
        description: 'Does one step.',
        parameters,
        request: { method: 'POST', url: `${origin}/effect` },
      },
    ],
  })
  return agent.id
}

interface NewWork {
  readonly agentId: string
  readonly key: string
  readonly isStubborn: boolean
}

/** Under its key, however often the service dies meanwhile: one task, one run. */
async function runTask({ api }: ParleyService, { agentId, key, isStubborn }: NewWork): Promise<string> {
  const title = describeWork({ key, steps, isStubborn })
  const body = { title, agentId, maxAttempts: 20, externalId: `${key}-${randomUUID()}` }
  const task = await api.call<Task>('POST', '/api/v1/Task', { ...body, runAt: new Date().toISOString() })
  return task.id
}

/** A person is asked about what repeats an unknown call, and says no. Returns how many there were. */
async function rejectRepeats({ api }: ParleyService): Promise<number> {
  const waiting = await api.call<z.output<typeof ApprovalPage>>('GET', '/api/v1/Approval?State=waiting')
  for (const { conversationId, callId } of waiting.items)
    await api.call('POST', `/api/v1/Conversation/${conversationId}/approval`, { callId, decision: 'reject' })
  return waiting.items.length
}

async function untilGone(service: ParleyService): Promise<void> {
  while (service.ending() === null) await sleep(5)
}
