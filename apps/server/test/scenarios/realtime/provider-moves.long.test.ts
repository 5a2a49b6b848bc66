import type { Agent } from '@parley/contract'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import type { RealtimeClient } from '../../support/realtime/open-socket.js'
import { type PlayedModel, type PlayedTurn, playModel, spoken } from '../../support/realtime/played-model.js'
import { type RealtimeTestService, startRealtimeService } from '../../support/realtime/realtime-service.js'
import { type ScriptedProvider, startScriptedProvider } from '../../support/realtime/scripted-provider.js'
import { joinedWords, messagesOf, patiently, typedItem } from '../../support/realtime/spoken-turns.js'
import { type ScriptedHttpServer, startScriptedHttpServer } from '../../support/scripted-http-server.js'

const words = ['one', 'two', 'three']

const turns: Readonly<Record<string, PlayedTurn>> = {
  'Hello there.': { words },
  'Late words.': { words, transcription: 'late' },
  'Write it down.': { words, calls: ['{"text":"a"}'] },
  'Write all down.': { words, calls: ['{"text":"a"}', '{"text":"b"}', '{"text":"c"}'] },
  'And now?': { words: ['four', 'five'] },
}

let service: RealtimeTestService
let fallback: ScriptedProvider
let tools: ScriptedHttpServer
let first: PlayedModel
let second: PlayedModel
const agents: Record<'free' | 'approved', string> = { free: '', approved: '' }

beforeAll(async () => {
  service = await startRealtimeService()
  fallback = await startScriptedProvider()
  tools = await startScriptedHttpServer()
  first = playModel(service.provider, turns, 'A')
  second = playModel(fallback, turns, 'B')
  const connectionId = await createConnection('Own', service.provider.baseUrl)
  const fallbackId = await createConnection('Fallback', fallback.baseUrl)
  for (const kind of ['free', 'approved'] as const) {
    const body = {
      ...{ name: 'Robust', connectionId, realtimeFallbacks: [{ connectionId: fallbackId }] },
      tools: [
        {
          ...{ kind: 'http', name: 'note', description: 'Notes.', approvalRequired: kind === 'approved' },
          parameters: { type: 'object', properties: { text: { type: 'string' } } },
          request: { method: 'POST', url: `${tools.url}/note` },
        },
      ],
    }
    agents[kind] = (await service.client.call<Agent>('POST', '/api/v1/Agent', { body })).body.id
  }
})

afterAll(async () => {
  await service.close()
  await fallback.close()
  await tools.close()
})

// Also clears what a failed test leaves, so that the next one starts without it.
afterEach(() => {
  expect(takeFaults()).toEqual([])
  tools.verify()
})

const takeFaults = () => [first, second].flatMap((model) => model.faults.splice(0))

async function createConnection(name: string, baseUrl: string): Promise<string> {
  const body = {
    name,
    kind: 'openai-compatible',
    baseUrl,
    apiKey: 'k',
    models: { realtime: [`model-${name}`] },
  }
  return (await service.client.call<{ id: string }>('POST', '/api/v1/Connection', { body })).body.id
}

async function open(kind: keyof typeof agents) {
  const ticket = await service.createTicket({}, agents[kind])
  const client = await service.connect(ticket.webSocketPath)
  client.socket.on('message', (data) => {
    const event = JSON.parse(String(data)) as { type: string; data?: { callId?: string } }
    if (event.type === 'approval.waiting')
      client.send({ type: 'approval.approve', callId: event.data?.callId })
  })
  return { client, conversationId: ticket.conversationId }
}

const say = (client: RealtimeClient, text: string) => {
  const half = Math.floor(text.length / 2)
  client.send(spoken(text.slice(0, half)))
  client.send(spoken(text.slice(half)))
}

let typedCount = 0
const type = (client: RealtimeClient, text: string) => {
  typedCount += 1
  client.send({ type: 'conversation.item.create', item: typedItem(`typed-${typedCount}`, text) })
  client.send({ type: 'response.create' })
}

const stored = async (conversationId: string) => joinedWords(await messagesOf(service.client, conversationId))

interface Turn {
  readonly name: string
  readonly kind: keyof typeof agents
  readonly question: string
  readonly ask: (client: RealtimeClient, text: string) => void
}

/** The number of events of the whole turn, from a run without a fault. */
async function countEvents({ kind, question, ask }: Turn): Promise<number> {
  const { client, conversationId } = await open(kind)
  const calls = expectCalls(question)
  ask(client, question)
  await expect.poll(() => stored(conversationId), patiently).toEqual(expectedWords(question))
  tools.verify()
  await Promise.all(calls)
  client.socket.close(1000)
  return first.sent.at(-1) ?? 0
}

const expectedWords = (question: string) => [
  `user: ${question}`,
  `assistant: ${(turns[question]?.words ?? []).join(' ')}`,
]

const expectCalls = (question: string) =>
  (turns[question]?.calls ?? []).map(() => tools.expect('POST /note', { body: 'noted' }))

/** Plays the turn, and ends the first provider after this many events. Then asks the second one something. */
async function playWithDeath({ kind, question, ask }: Turn, events: number): Promise<void> {
  first.killNextAfter(events)
  const { client, conversationId } = await open(kind)
  void expectCalls(question)
  await client.inbox.takeType('session.updated')
  ask(client, question)
  const changed = await client.inbox.takeType('session.provider_changed')
  expect(changed.data).toEqual({
    reason: 'closed',
    providerModelName: 'model-Fallback',
    isContextRestored: true,
  })
  const expected = expectedWords(question)
  await expect.poll(() => stored(conversationId), patiently).toEqual(expected)
  type(client, 'And now?')
  const all = [...expected, 'user: And now?', 'assistant: four five']
  await expect.poll(() => stored(conversationId), patiently).toEqual(all)
  tools.verify()
  const faults = takeFaults()
  expect({ events, faults }).toEqual({ events, faults: [] })
  expectProperEnds(client)
  client.socket.close(1000)
}

/** Each response that began has one end, and the session begins once for the client. */
function expectProperEnds({ inbox }: RealtimeClient): void {
  const events = inbox.all.map(({ data }) => JSON.parse(data.toString()))
  const idsOf = (eventType: string) =>
    events.filter((event) => event.type === eventType).map((event) => event.response.id)
  expect(idsOf('response.done').sort()).toEqual(idsOf('response.created').sort())
  expect(inbox.types.filter((each) => each === 'session.created')).toHaveLength(1)
  expect(events.filter((event) => event.item?.id?.startsWith('past_'))).toEqual([])
}

const cases: readonly Turn[] = [
  { name: 'a spoken turn', kind: 'free', question: 'Hello there.', ask: say },
  { name: 'a typed turn', kind: 'free', question: 'Hello there.', ask: type },
  { name: 'a spoken turn with a call', kind: 'free', question: 'Write it down.', ask: say },
  { name: 'a typed turn with three calls', kind: 'free', question: 'Write all down.', ask: type },
  {
    name: 'a turn with a call that waits for approval',
    kind: 'approved',
    question: 'Write it down.',
    ask: type,
  },
]

describe('a session moves to the fallback', () => {
  test.each(cases)(
    'at every event of $name: each word is stored once, each call runs once, and one answer is given [RT-60] [RT-61]',
    async (turn) => {
      const all = await countEvents(turn)
      expect(all).toBeGreaterThan(8)
      for (let events = 2; events <= all; events += 1) await playWithDeath(turn, events)
    },
    300_000,
  )
})

/** Numbers from 0 to 1, the same for the same seed. */
function makeRandom(seed: number): () => number {
  let state = seed
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 2 ** 32
  }
}

describe('a session of several turns whose providers are lost at random', () => {
  const questions = Object.keys(turns).filter((question) => turns[question]?.transcription !== 'late')

  test.each(Array.from({ length: 12 }, (_, index) => index + 1))(
    'stores each word once and runs each call once (seed %i) [RT-61]',
    async (seed) => {
      const random = makeRandom(seed)
      const below = (count: number) => Math.floor(random() * count)
      const { client, conversationId } = await open('free')
      await client.inbox.takeType('session.updated')
      const expected: string[] = []
      let deaths = 0
      for (let turn = 0; turn < 5; turn += 1) {
        const question = questions[below(questions.length)] ?? ''
        void expectCalls(question)
        if (deaths < 4 && random() < 0.8) {
          deaths += 1
          const current = [first, second].map(({ newest }) => newest).find((newest) => newest?.isOpen)
          current?.dieAfter(1 + below(20))
        }
        if (question !== 'And now?' && random() < 0.5) say(client, question)
        else type(client, question)
        expected.push(...expectedWords(question))
        await expect.poll(() => stored(conversationId), patiently).toEqual(expected)
        const faults = takeFaults()
        expect({ turn, faults }).toEqual({ turn, faults: [] })
      }
      tools.verify()
      expectProperEnds(client)
      client.socket.close(1000)
      await client.inbox.closed
    },
    120_000,
  )
})
