import type { Agent } from '@parley/contract'
import type { AudioClip } from '@parley/engine'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { ask } from '../../support/questions/ask.js'
import { endedSession, messagesOf } from '../../support/realtime/spoken-turns.js'
import { type ScriptedChatServer, startScriptedChatServer } from '../../support/scripted-chat-server.js'
import { makePerson, type Person } from '../../support/speech/person.js'
import { chatKinds, makeSpokenAgent, toldModel } from '../../support/speech/spoken-model.js'
import { SpokenSession } from '../../support/speech/spoken-session.js'
import { plainWords } from '../../support/speech/words.js'
import { type RunningService, startService } from '../../support/start-service.js'

/** Recognition is real work, and the machine may have other work too. */
const timeout = 90_000

let running: RunningService
let model: ScriptedChatServer
let person: Person

beforeAll(async () => {
  person = makePerson()
  model = await startScriptedChatServer()
  running = await startService({ env: { PARLEY_ALLOWED_PRIVATE_HOSTS: '127.0.0.1' } })
})

afterEach(() => model.verify())

afterAll(async () => {
  await running.close()
  await model.close()
})

/** Asks in writing; answers with what was answered. */
async function write(agentId: string, question: string, conversationId?: string) {
  const body = { question, ...(conversationId !== undefined && { conversationId }) }
  const answer = await ask(running, agentId, body)
  expect(answer.status, answer.text).toBe(200)
  return { conversationId: answer.body.conversationId, answer: plainWords(answer.body.answer ?? '') }
}

/** Asks aloud in that conversation, one after the other; returns what is heard first. */
async function speak(agentId: string, conversationId: string, ...questions: string[]): Promise<string> {
  const session = await SpokenSession.open(running, agentId, { conversationId })
  const sounds: AudioClip[] = []
  for (const question of questions) {
    await session.say(await person.speak(question, 'alloy'))
    const { sound, status } = await session.hearAnswer()
    expect(status).toBe('completed')
    sounds.push(sound)
  }
  await session.close()
  await endedSession(running.client, conversationId)
  const [first] = sounds
  if (first === undefined) throw new Error('Nothing was asked.')
  return plainWords(await person.understand(first))
}

const channelsOf = async (conversationId: string) =>
  (await messagesOf(running.client, conversationId)).map(({ channel, role }) => `${channel} ${role}`)

const oneConversation = [
  ...['text user', 'text assistant'],
  ...['realtime user', 'realtime assistant', 'realtime user', 'realtime assistant'],
  ...['text user', 'text assistant'],
]

describe('[MEM-1] an agent that is asked in writing, then spoken to, then asked in writing again', () => {
  test('knows in each turn what was said in the former ones, with nothing but what is built in', {
    timeout,
  }, async () => {
    const made = await running.client.call<Agent>('POST', '/api/v1/Agent', {
      body: { name: 'Keeper', systemMessage: 'You keep what visitors tell you.' },
    })
    const agentId = made.body.id
    const { conversationId } = await write(agentId, 'My code word is falcon.')
    const heard = await speak(agentId, conversationId, 'What is my code word?', 'The meeting is on Tuesday.')
    expect(heard).toContain('falcon')
    const { answer } = await write(agentId, 'When is the meeting?', conversationId)
    expect(answer).toContain('tuesday')
    const again = await write(agentId, 'What is my code word?', conversationId)
    expect(again.answer).toContain('falcon')
    expect(await channelsOf(conversationId)).toEqual([...oneConversation, 'text user', 'text assistant'])
  })

  test.each(chatKinds)('has its text model told of all of them: %s', { timeout }, async (kind) => {
    const { agentId } = await makeSpokenAgent(running, model, kind)
    model.answer({ text: 'I will keep the word falcon.' })
    const { conversationId } = await write(agentId, 'The code word is falcon.')
    model.answer({ text: 'It is falcon, as you wrote.' }, { text: 'Good, on Tuesday then.' })
    const heard = await speak(agentId, conversationId, 'What is the code word?', 'The meeting is on Tuesday.')
    expect(heard).toContain('falcon')
    model.answer({ text: 'On Tuesday, as you said.' })
    await write(agentId, 'When is the meeting?', conversationId)

    const [, spoken, , written] = model.requests.map(toldModel)
    expect(spoken?.roles).toEqual(['user', 'assistant', 'user'])
    expect(spoken?.talk).toMatch(/The code word is falcon\..*I will keep the word falcon\..*code word/i)
    expect(written?.roles).toEqual([...Array(3).fill(['user', 'assistant']).flat(), 'user'])
    expect(written?.talk).toMatch(
      /is falcon\..*keep the word.*the code word\?.*as you wrote\..*is on Tuesday.*Good, on Tuesday then\..*When is the meeting\?/i,
    )
    expect(await channelsOf(conversationId)).toEqual(oneConversation)
  })
})
