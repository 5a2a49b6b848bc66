import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type AnsweringModel, startAnsweringModel } from '../../support/questions/answering-model.js'
import { askStreaming, follow } from '../../support/questions/ask.js'
import type { EventStream, ReceivedEvent } from '../../support/questions/event-stream.js'
import { startInstances } from '../../support/questions/instances.js'
import { expectWhole, wordsIn } from '../../support/questions/received-events.js'
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

/** Numbers below one that are the same in every run. */
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
  /** After how many events the stream is cut, each time it is; and where it is taken up again. */
  readonly cuts: readonly { readonly after: number; readonly resumeOn: RunningService }[]
}

/** What a caller hears who takes the stream up again wherever it breaks. */
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

/** Asks so many questions at once, of several agents, some in the same conversations, and breaks so many streams. */
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
      // Every fifth goes on with a conversation that others go on with too.
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
    expectWhole(received)
    expect(wordsIn(received)).toBe(expected)
    const { conversationId } = (received[0]?.event.data ?? {}) as { conversationId: string }
    const messages = await messagesOf(first.client, conversationId)
    expect(messages.filter(({ content }) => content === expected)).toHaveLength(1)
    expect(messages.map(({ role }) => role)).toEqual(
      messages.map((_, place) => (place % 2 === 0 ? 'user' : 'assistant')),
    )
  }
}

describe('many streams at once, some of them broken again and again, [ASK-3]', () => {
  test('lose nothing, repeat nothing and keep their order: 60 on two instances', async () => {
    const instances = await startInstances()
    await askMany([instances.one, instances.other], 60, 20)
    await instances.close()
  }, 60_000)

  test('lose nothing, repeat nothing and keep their order: 20 on the embedded database', async () => {
    const service = await startService({
      database: 'embedded',
      env: { PARLEY_ALLOWED_PRIVATE_HOSTS: '127.0.0.1' },
    })
    await askMany([service], 20, 6)
    await service.close()
  }, 60_000)
})
