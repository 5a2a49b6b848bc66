import { setTimeout as sleep } from 'node:timers/promises'
import type { Agent, Message, Page, Connection as StoredConnection } from '@parley/contract'
import { makeRandom } from '@parley/stage/load/seeded-random'
import { type Api, makeApi } from '@parley/stage/service/api'
import type { FoundServers } from '../stage/servers.js'
import { type Stage, startStage } from '../stage/stage.js'
import { answerWords, type DyingModel, needsCall, startDyingModel } from './dying-model.js'
import { gapFigures, slowGaps } from './gaps.js'
import { TalkingUser, type UserRecord } from './talking-user.js'

/** A session ends after its fifth move within a minute. */
const movesPerMinute = 4
const turnsPerConversation = 20
const minuteMilliseconds = 60_000
/** How long the users of a rolling restart talk before, between and after the restarts. */
const quietMilliseconds = 5000
const restartDrainSeconds = 20

export interface MovesOptions {
  readonly servers: FoundServers
  readonly logFolder: string
  readonly checkout: string
  readonly sessions: number
  readonly seed: number
  readonly say: (line: string) => void
}

export interface MovesResult {
  readonly figures: Readonly<Record<string, number | string>>
  readonly violations: readonly string[]
}

interface MovesStage {
  readonly stage: Stage
  readonly model: DyingModel
  readonly api: Api
  readonly agentId: string
}

/** Ends the provider's connections of talking sessions until there were this many deaths. Every session must go on. */
export function runDeaths(options: MovesOptions & { readonly deaths: number }): Promise<MovesResult> {
  return withStage(options, 1, async (parts) => {
    const diedAt = new Map<string, readonly number[]>()
    const gaps: number[] = []
    let deaths = 0
    let movesWithoutHistory = 0
    const onMoved = (key: string, isContextRestored: boolean) => {
      gaps.push(performance.now() - (diedAt.get(key)?.at(-1) ?? 0))
      if (!isContextRestored) movesWithoutHistory += 1
    }
    const talking = talk(parts, options, {
      onMoved,
      pauseMilliseconds: 500,
      isOver: () => deaths >= options.deaths,
    })
    const random = makeRandom(options.seed + 1)
    while (deaths < options.deaths) {
      await sleep(5 + random() * 30)
      const now = performance.now()
      const recent = (key: string) => (diedAt.get(key) ?? []).filter((at) => now - at < minuteMilliseconds)
      const killable = [...parts.model.connections].filter(
        ({ key, openedAt }) => key !== '' && now - openedAt > 300 && recent(key).length < movesPerMinute,
      )
      const chosen = killable[Math.floor(random() * killable.length)]
      if (chosen === undefined) continue
      diedAt.set(chosen.key, [...recent(chosen.key), now])
      chosen.die()
      deaths += 1
      if (deaths % 100 === 0)
        options.say(`${deaths} connections were ended, ${gaps.length} sessions have moved`)
    }
    const records = await talking
    const violations = await judge(parts, records)
    const closed = records.flatMap(({ key, closes }) =>
      closes.map((code) => `${key} was closed with ${code}`),
    )
    return {
      figures: {
        deaths,
        moves: gaps.length,
        movesWithoutHistory,
        ...gapFigures(gaps),
        ...counts(records, parts.model),
      },
      violations: [...violations, ...closed],
    }
  })
}

/**
 * Restarts both instances, one after the other, while all sessions talk. No session may be cut off in mid-word, and all must
 * listen again soon.
 */
export function runRestart(options: MovesOptions): Promise<MovesResult> {
  return withStage(options, restartDrainSeconds, async (parts) => {
    let isOver = false
    const talking = talk(parts, options, {
      onMoved: () => undefined,
      pauseMilliseconds: 4000,
      isOver: () => isOver,
    })
    for (const [index, instance] of parts.stage.instances.entries()) {
      await sleep(quietMilliseconds)
      options.say(`Instance ${index} is restarting`)
      await instance.restart()
      options.say(`Instance ${index} is ready`)
    }
    await sleep(quietMilliseconds)
    isOver = true
    const records = await talking
    const violations = await judge(parts, records)
    const cut = records.filter(({ cutOff }) => cutOff > 0).map(({ key }) => `${key} was cut off in mid-word`)
    const gaps = records.flatMap((record) => record.gaps)
    const closes = records.flatMap((record) => record.closes)
    const codes = [...new Set(closes)].join(', ')
    return {
      figures: { closes: closes.length, codes, ...gapFigures(gaps), ...counts(records, parts.model) },
      violations: [...violations, ...cut, ...slowGaps(gaps)],
    }
  })
}

async function withStage(
  { servers, logFolder, checkout }: MovesOptions,
  drainSeconds: number,
  run: (parts: MovesStage) => Promise<MovesResult>,
): Promise<MovesResult> {
  const model = await startDyingModel()
  const stage = await startStage(servers, { logFolder, checkout, drainSeconds })
  try {
    const api = makeApi(stage.proxy.url, stage.credentials)
    return await run({ stage, model, api, agentId: await makeAgent(api, model.url) })
  } finally {
    await stage.close()
    model.close()
  }
}

async function makeAgent(api: Api, url: string): Promise<string> {
  const connect = async (name: string) => {
    const body = { name, kind: 'openai-compatible', baseUrl: `${url}/${name}/v1`, apiKey: 'sk-chaos' }
    return (
      await api.call<StoredConnection>('POST', '/api/v1/Connection', {
        ...body,
        models: { realtime: [name] },
      })
    ).id
  }
  const tool = {
    kind: 'http',
    name: 'note',
    description: 'Notes.',
    parameters: { type: 'object', properties: { call: { type: 'string' } }, required: ['call'] },
    request: { method: 'POST', url: `${url}/tool` },
  }
  const { id } = await api.call<Agent>('POST', '/api/v1/Agent', {
    name: 'Voice',
    systemMessage: 'You talk.',
    tools: [tool],
    connectionId: await connect('first'),
    realtimeFallbacks: [{ connectionId: await connect('second') }],
  })
  return id
}

/** Every user has one conversation after the other. */
async function talk(
  { stage, agentId }: MovesStage,
  { sessions, seed }: MovesOptions,
  wanted: {
    readonly onMoved: (key: string, isContextRestored: boolean) => void
    readonly pauseMilliseconds: number
    readonly isOver: () => boolean
  },
): Promise<readonly UserRecord[]> {
  const records: UserRecord[] = []
  const target = { url: stage.proxy.url, credentials: stage.credentials }
  const converse = async (index: number) => {
    const random = makeRandom(seed * 1000 + index)
    for (let count = 1; !wanted.isOver(); count += 1) {
      const user = new TalkingUser({ target, agentId, random, key: `u${index}k${count}`, ...wanted })
      records.push(user.record)
      await user.talk(turnsPerConversation, wanted.isOver)
    }
  }
  await Promise.all(Array.from({ length: sessions }, (_, index) => converse(index)))
  return records
}

/** Compares what the users have heard with the stored words and the runs of the tool. */
async function judge({ api, model }: MovesStage, records: readonly UserRecord[]): Promise<string[]> {
  // The last words are stored a moment after the sessions have ended.
  await sleep(3000)
  const violations: string[] = []
  for (const { key, conversationId, asked, unanswered } of records) {
    violations.push(...unanswered.map((question) => `${question} was not answered`))
    const path = `/api/v1/Conversation/${conversationId}/message?Limit=200`
    const { items } = await api.call<Page<Message>>('GET', path)
    const wordsOf = (role: string) =>
      items.filter((message) => message.role === role).flatMap(({ content }) => content.trim().split(/\s+/))
    const [user, agent] = [wordsOf('user'), wordsOf('assistant')]
    const expect = (words: readonly string[], word: string) => {
      const times = words.filter((each) => each === word).length
      if (times !== 1) violations.push(`${key}: ${word} is stored ${times} times`)
    }
    for (const question of asked) {
      expect(user, `${question}.`)
      for (let word = 1; word <= answerWords; word += 1) expect(agent, `${question}w${word}`)
      const runs = model.effects.filter((effect) => effect === question).length
      if (runs !== (needsCall(question) ? 1 : 0)) violations.push(`${question}: the tool ran ${runs} times`)
    }
  }
  return violations
}

function counts(records: readonly UserRecord[], { effects }: DyingModel) {
  const questions = records.reduce((sum, { asked }) => sum + asked.length, 0)
  return { conversations: records.length, questions, calls: effects.length }
}
