import type { Agent } from '@parley/contract'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { closeAfterwards } from '../../support/close-afterwards.js'
import type { RealtimeClient } from '../../support/realtime/open-socket.js'
import {
  type Death,
  playVoice,
  type VoiceName,
  type VoiceScript,
  voices,
} from '../../support/realtime/played-voices.js'
import { type RealtimeTestService, startRealtimeService } from '../../support/realtime/realtime-service.js'
import { startScriptedProvider } from '../../support/realtime/scripted-provider.js'
import { joinedWords, messagesOf, patiently, typedItem } from '../../support/realtime/spoken-turns.js'
import { startScriptedHttpServer } from '../../support/scripted-http-server.js'

const question = 'Hello there.'
const answers: VoiceScript['answers'] = {
  [question]: { words: ['one', 'two', 'three'] },
  'Write it down.': { words: ['It', 'is', 'noted.'], calls: true },
  'And now?': { words: ['four', 'five'] },
}

interface Act {
  readonly death: Death
  readonly how: 'spoken' | 'typed'
  readonly question: string
}

const acts: readonly Act[] = [
  { death: 'before the words', how: 'spoken', question },
  { death: 'before the answer', how: 'spoken', question },
  { death: 'in the answer', how: 'spoken', question },
  { death: 'before the answer', how: 'typed', question },
  { death: 'in the answer', how: 'typed', question },
  { death: 'after the call', how: 'typed', question: 'Write it down.' },
]
const names = Object.keys(voices) as VoiceName[]

let service: RealtimeTestService

beforeAll(async () => {
  service = await startRealtimeService()
})

afterAll(() => service.close())

async function createConnection(name: VoiceName, baseUrl: string): Promise<string> {
  const host = baseUrl.replace(/\/v1$/, '')
  const address = name === 'qwen' ? `${host}/compatible-mode/v1` : baseUrl
  const body = { name, baseUrl: address, apiKey: 'k', ...voices[name].connection }
  const { body: created, text } = await service.client.call<{ id: string }>('POST', '/api/v1/Connection', {
    body,
  })
  if (created.id === undefined) throw new Error(text)
  return created.id
}

/** A user who speaks once, and whose microphone stays on. */
function speak({ send, socket }: RealtimeClient): void {
  const frame = (amplitude: number) => ({
    type: 'input_audio_buffer.append',
    audio: Buffer.from(
      Int16Array.from({ length: 2400 }, (_, index) => amplitude * Math.sin(index / 9)).buffer,
    ).toString('base64'),
  })
  let count = 0
  const timer = setInterval(() => {
    count += 1
    send(frame(count > 3 && count <= 9 ? 8000 : 0))
  }, 100)
  socket.on('close', () => clearInterval(timer))
}

let typedCount = 0
function type({ send }: RealtimeClient, text: string): void {
  typedCount += 1
  send({ type: 'conversation.item.create', item: typedItem(`typed-${typedCount}`, text) })
  send({ type: 'response.create' })
}

/** Plays an act with these two providers. Returns the words that are stored, and everything that was wrong. */
async function play(act: Act, [first, second]: readonly [VoiceName, VoiceName]) {
  const providers = [await startScriptedProvider(), await startScriptedProvider()] as const
  const tools = await startScriptedHttpServer()
  const called = act.question === question ? null : tools.expect('POST /note', { body: 'noted' })
  const script = { spoken: question, answers }
  const played = [
    playVoice(providers[0], first, { ...script, death: act.death }),
    playVoice(providers[1], second, { ...script, death: null }),
  ]
  const connectionId = await createConnection(first, providers[0].baseUrl)
  const fallbackId = await createConnection(second, providers[1].baseUrl)
  const agent = await service.client.call<Agent>('POST', '/api/v1/Agent', {
    body: {
      ...{ name: 'Robust', connectionId, realtimeFallbacks: [{ connectionId: fallbackId }] },
      tools: [
        {
          ...{ kind: 'http', name: 'note', description: 'Notes.' },
          parameters: { type: 'object', properties: { text: { type: 'string' } } },
          request: { method: 'POST', url: `${tools.url}/note` },
        },
      ],
    },
  })
  const ticket = await service.createTicket({}, agent.body.id)
  const client = await service.connect(ticket.webSocketPath)
  closeAfterwards(() => client.socket.terminate())
  await client.inbox.takeType('session.updated')
  if (act.how === 'spoken') speak(client)
  else type(client, act.question)
  await client.inbox.takeType('session.provider_changed')
  const stored = async () => joinedWords(await messagesOf(service.client, ticket.conversationId))
  const expected = [`user: ${act.question}`, `assistant: ${answers[act.question]?.words.join(' ')}`]
  await expect.poll(stored, patiently).toEqual(expected)
  // A second answer to the first question would come before this one.
  await expect.poll(() => isQuiet(client), patiently).toBe(true)
  type(client, 'And now?')
  const all = [...expected, 'user: And now?', 'assistant: four five']
  await expect.poll(stored, patiently).toEqual(all)
  await called
  tools.verify()
  client.socket.close(1000)
  return { first, second, faults: [...new Set(played.flatMap(({ faults }) => faults))] }
}

/** Whether each response that began has ended. */
function isQuiet({ inbox }: RealtimeClient): boolean {
  const count = (type: string) => inbox.types.filter((each) => each === type).length
  return count('response.created') === count('response.done')
}

describe.each(acts)('a provider that is lost $death to a $how question', (act) => {
  test.each(names)(
    '%s is followed by each other one, which gives the one answer with the history [RT-60] [RT-61]',
    async (first) => {
      const pairs = names.map((second) => [first, second] as const)
      const results = await Promise.allSettled(pairs.map((pair) => play(act, pair)))
      const outcomes = results.map((result, index) => ({
        pair: pairs[index],
        result: result.status === 'fulfilled' ? result.value.faults : String(result.reason),
      }))
      expect(outcomes).toEqual(pairs.map((pair) => ({ pair, result: [] })))
    },
    180_000,
  )
})
