import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Agent, Approval, Connection, Task } from '@parley/contract'
import { makeRandom } from '@parley/stage/load/seeded-random'
import { describeWork } from '@parley/stage/models/working-model'
import type { ParleyService } from '@parley/stage/service/parley-service'
import { type JudgedTask, judgeTask } from './judge-task.js'
import { KilledService, type KilledServiceOptions } from './killed-service.js'
import { openWorkPlace, type WorkPlace } from './work-place.js'

/** Where the kills come from: the endpoint of the tool when its request arrives, or a clock. */
export type KillMode = 'endpoint' | 'random'

export interface KillRunOptions extends KilledServiceOptions {
  readonly mode: KillMode
  readonly seed: number
  /** How many tasks are worked at a time. */
  readonly width?: number
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
/** How long it lives at most in the mode `random`: a lease has to run out on a server before work goes on. */
const longestMilliseconds = { embedded: 2500, postgres: 6000 } as const
/** How often the work is looked at: the clock has to be, and an endpoint kills without it. Each look is calls of the service. */
const lookMilliseconds = { random: 25, endpoint: 200 } as const
/** Longer than anything takes that ends at all. */
const patienceMilliseconds = 120_000
/** Kills the service so many times while agents work at tasks, starts it again each time, and judges what came of them. */
export async function runKills(options: KillRunOptions): Promise<KillResult> {
  const { database, mode, kills, seed } = options
  const startedAt = performance.now()
  const random = makeRandom(seed)
  const target = await KilledService.start(options)
  const place = await openWorkPlace(() => {
    if (target.isDying) return true
    if (mode === 'random' || target.kills >= kills || random() > killedCalls) return false
    target.kill()
    return true
  })
  try {
    const asked = await workThroughKills(options, { target, place, random })
    const { api } = target.service
    const all = await api.call<{ items: Task[] }>('GET', '/api/v1/Task?Limit=200')
    const tasks: JudgedTask[] = []
    for (const task of all.items) tasks.push(await judgeTask(api, task, place.effects))
    const left = await api.call<{ totalCount: number }>('GET', '/api/v1/Task?Status=in_progress&Limit=1')
    const seconds = (performance.now() - startedAt) / 1000
    const counted = { kills: target.kills, leftInProgress: left.totalCount, asked, seconds }
    return { database: database.kind, mode, tasks, ...counted }
  } finally {
    await target.stop()
    place.close()
  }
}

interface KillStage {
  readonly target: KilledService
  readonly place: WorkPlace
  readonly random: () => number
}

/** Keeps agents at work until the last kill, then lets them finish. Returns how often a person was asked. */
async function workThroughKills(
  { database, mode, kills, width = 3 }: KillRunOptions,
  { target, place, random }: KillStage,
): Promise<number> {
  const agentId = await makeWorker(target.service, place)
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
      // It was killed under the call; a task that it had made by then is found at the end.
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
  const waiting = await api.call<{ items: Approval[] }>('GET', '/api/v1/Approval?State=waiting')
  for (const { conversationId, callId } of waiting.items)
    await api.call('POST', `/api/v1/Conversation/${conversationId}/approval`, { callId, decision: 'reject' })
  return waiting.items.length
}
