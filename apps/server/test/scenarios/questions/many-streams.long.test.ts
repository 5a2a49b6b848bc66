import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type AnsweringModel, startAnsweringModel } from '../../support/questions/answering-model.js'
import { askStreaming, follow } from '../../support/questions/ask.js'
import type { EventStream, ReceivedEvent } from '../../support/questions/event-stream.js'
import { startInstances } from '../../support/questions/instances.js'
import { expectCompleteStream, wordsIn } from '../../support/questions/received-events.js'
import { messagesOf } from '../../support/realtime/spoken-turns.js'
import { makeTextAgent } from '../../support/realtime/text-agents.js'
import { type RunningService, startService } from '../../support/start-service.js'

const wordCount = 20
const agentCount = 4

let model: AnsweringModel

beforeAll(async () => {
  model = await startAnsweringModel((question) => wordsFor(question))
})

afterAll(() => model.close())

function wordsFor(question: string): string[] {
  return Array.from({ length: wordCount }, (_, index) => `${question.slice(0, -1)}-${index} `)
}

/** Returns a generator of numbers below one that is the same in every run. */
function seededRandom(seed: number): () => number {
  let state = seed
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 2 ** 32
  }
}

interface Asked {
  readonly question: string
  readonly agentId: string
  readonly conversationId: string | undefined
  readonly service: RunningService
  /** After how many events each stream is cut, and the instance on which it is resumed. */
  readonly cuts: readonly { readonly after: number; readonly resumeOn: RunningService }[]
}

/** Returns the events that a caller receives that resumes the stream at each break. */
async function hear({ service, agentId, question, conversationId, cuts }: Asked): Promise<ReceivedEvent[]> {
  const body = { question, ...(conversationId !== undefined && { conversationId }) }
  let stream: EventStream = await askStreaming(service, agentId, body)
  const { data: turn } = await stream.waitFor('turn.started')
  const heard: ReceivedEvent[] = []
  for (const { after, resumeOn } of cuts) {
    await stream.waitForCount(after)
    stream.cut()
    await stream.ended
    heard.push(...stream.received)
    stream = await follow(resumeOn, turn, heard.at(-1)?.id)
  }
  await stream.ended
  return [...heard, ...stream.received]
}

/**
 * Asks many questions at once and breaks some of the streams. Some questions share an agent or a
 * conversation.
 */
async function askMany(services: readonly RunningService[], count: number, broken: number): Promise<void> {
  const random = seededRandom(20)
  const pick = <Item>(items: readonly Item[]): Item => items[Math.floor(random() * items.length)] as Item
  const [first] = services as readonly [RunningService]
  const agentIds = await Promise.all(
    Array.from({ length: agentCount }, (_, index) => makeTextAgent(first, model, { name: `Agent ${index}` })),
  )
  const shared = await Promise.all(
    agentIds.map(async (agentId, index) => {
      const stream = await askStreaming(first, agentId, { question: `Begin${index}?` })
      await stream.ended
      return (await stream.waitFor('turn.started')).data.conversationId
    }),
  )
  const asked = Array.from({ length: count }, (_, index): Asked => {
    const agent = index % agentCount
    const cutCount = index < broken ? 1 + Math.floor(random() * 3) : 0
    return {
      question: `Question${index}?`,
      agentId: agentIds[agent] ?? '',
      // Every fifth question continues a conversation that others continue too.
      conversationId: index % 5 === 0 ? shared[agent] : undefined,
      service: pick(services),
      cuts: Array.from({ length: cutCount }, () => ({
        after: 1 + Math.floor(random() * 6),
        resumeOn: pick(services),
      })),
    }
  })
  const heard = await Promise.all(asked.map(hear))
  for (const [index, received] of heard.entries()) {
    const expected = wordsFor(asked[index]?.question ?? '').join('')
    expectCompleteStream(received)
    expect(wordsIn(received)).toBe(expected)
    const { conversationId } = (received[0]?.event.data ?? {}) as { conversationId: string }
    const messages = await messagesOf(first.client, conversationId)
    expect(messages.filter(({ content }) => content === expected)).toHaveLength(1)
    expect(messages.map(({ role }) => role)).toEqual(
      messages.map((_, place) => (place % 2 === 0 ? 'user' : 'assistant')),
    )
  }
}

describe('many concurrent streams that break repeatedly', () => {
  test('streams lose and repeat nothing and keep their order: 60 on two instances [ASK-3]', async () => {
    const instances = await startInstances()
    await askMany([instances.one, instances.other], 60, 20)
    await instances.close()
  }, 60_000)

  test('streams lose and repeat nothing and keep their order: 20 on the embedded database [ASK-3]', async () => {
    const service = await startService({
      database: 'embedded',
      env: { PARLEY_ALLOWED_PRIVATE_HOSTS: '127.0.0.1' },
    })
    await askMany([service], 20, 6)
    await service.close()
  }, 60_000)
})
