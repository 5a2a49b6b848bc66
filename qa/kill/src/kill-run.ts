import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Agent, Approval, Connection, Task } from '@parley/contract'
import { makeRandom } from '@parley/stage/load/seeded-random'
import { describeWork } from '@parley/stage/models/working-model'
import type { ParleyService } from '@parley/stage/service/parley-service'
import { type JudgedTask, judgeTask } from './judge-task.js'
import { KilledService, type KilledServiceOptions } from './killed-service.js'
import { openWorkload, type Workload } from './workload.js'

/** The trigger of the kills: the tool's endpoint when a request arrives, or a clock. */
export type KillMode = 'endpoint' | 'random'

export interface KillRunOptions extends KilledServiceOptions {
  readonly mode: KillMode
  readonly seed: number
  readonly width?: number
}

export interface KillResult {
  readonly database: 'embedded' | 'postgres'
  readonly mode: KillMode
  readonly kills: number
  readonly tasks: readonly JudgedTask[]
  /** All tasks that the service still counts as in progress. */
  readonly leftInProgress: number
  /** Calls that needed a decision because they repeat a call with an unknown outcome. */
  readonly asked: number
  readonly seconds: number
}

const steps = 4
/** The share of calls that kill the service in the mode `endpoint`. */
const killedCalls = 0.34
/** The longest life in the mode `random`. On PostgreSQL, a lease must expire before work continues. */
const longestMilliseconds = { embedded: 2500, postgres: 6000 } as const
/**
 * How often the loop checks the work. The mode `random` depends on it, `endpoint` does not. Each check calls
 * the service.
 */
const lookMilliseconds = { random: 25, endpoint: 200 } as const
/** Longer than any task takes that ends at all. */
const patienceMilliseconds = 120_000
/** Kills and restarts the service this many times while agents work on tasks, then checks the tasks. */
export async function runKills(options: KillRunOptions): Promise<KillResult> {
  const { database, mode, kills, seed } = options
  const startedAt = performance.now()
  const random = makeRandom(seed)
  const target = await KilledService.start(options)
  const workload = await openWorkload(() => {
    if (target.isDying) return true
    if (mode === 'random' || target.kills >= kills || random() > killedCalls) return false
    target.kill()
    return true
  })
  try {
    const asked = await workThroughKills(options, { target, workload, random })
    const { api } = target.service
    const all = await api.call<{ items: Task[] }>('GET', '/api/v1/Task?Limit=200')
    const tasks: JudgedTask[] = []
    for (const task of all.items) tasks.push(await judgeTask(api, task, workload.effects))
    const left = await api.call<{ totalCount: number }>('GET', '/api/v1/Task?Status=in_progress&Limit=1')
    const seconds = (performance.now() - startedAt) / 1000
    const counted = { kills: target.kills, leftInProgress: left.totalCount, asked, seconds }
    return { database: database.kind, mode, tasks, ...counted }
  } finally {
    await target.stop()
    workload.close()
  }
}

interface KillStage {
  readonly target: KilledService
  readonly workload: Workload
  readonly random: () => number
}

/**
 * Keeps the agents busy until the last kill, then lets them finish. Returns how many calls needed a
 * decision.
 */
async function workThroughKills(
  { database, mode, kills, width = 3 }: KillRunOptions,
  { target, workload, random }: KillStage,
): Promise<number> {
  const agentId = await makeWorker(target.service, workload)
  const open = new Set<string>()
  let made = 0
  let asked = 0
  const nextLife = () => performance.now() + random() * longestMilliseconds[database.kind]
  let livesUntil = nextLife()
  while (target.kills < kills || open.size > 0) {
    if (await target.startAgain()) livesUntil = nextLife()
    if (performance.now() > livesUntil + patienceMilliseconds) break
    if (mode === 'random' && target.kills < kills && performance.now() >= livesUntil) {
      target.kill()
      continue
    }
    const { service } = target
    try {
      while (target.kills < kills && open.size < width) {
        made += 1
        open.add(await runTask(service, { agentId, key: `task-${made}`, isStubborn: random() < 0.5 }))
      }
      asked += await rejectRepeats(service)
      await dropEnded(service, open)
    } catch (error) {
      // The service was killed during the call. If it created a task before, the final list includes it.
      if (!target.isDying) throw error
    }
    await sleep(lookMilliseconds[mode])
  }
  return asked
}

async function dropEnded({ api }: ParleyService, open: Set<string>): Promise<void> {
  for (const id of [...open]) {
    const { runStartedAt, status } = await api.call<Task>('GET', `/api/v1/Task/${id}`)
    if (runStartedAt === null && status !== 'open') open.delete(id)
  }
}

/** Creates an agent with one tool that has an effect, and a model that works step by step. */
async function makeWorker({ api }: ParleyService, { origin }: Workload): Promise<string> {
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

/** Creates a task that runs once, however often the service is killed. */
async function runTask({ api }: ParleyService, { agentId, key, isStubborn }: NewWork): Promise<string> {
  const title = describeWork({ key, steps, isStubborn })
  const body = { title, agentId, maxAttempts: 20, externalId: `${key}-${randomUUID()}` }
  const task = await api.call<Task>('POST', '/api/v1/Task', { ...body, runAt: new Date().toISOString() })
  return task.id
}

/** Rejects calls that repeat a call with an unknown outcome. Returns their number. */
async function rejectRepeats({ api }: ParleyService): Promise<number> {
  const waiting = await api.call<{ items: Approval[] }>('GET', '/api/v1/Approval?State=waiting')
  for (const { conversationId, callId } of waiting.items)
    await api.call('POST', `/api/v1/Conversation/${conversationId}/approval`, { callId, decision: 'reject' })
  return waiting.items.length
}
