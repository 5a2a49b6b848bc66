import type { Agent, Connection } from '@parley/contract'
import type { AudioClip } from '@parley/engine'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { ask } from '../../support/questions/ask.js'
import { endedSession, messagesOf, patiently } from '../../support/realtime/spoken-turns.js'
import { type ScriptedChatServer, startScriptedChatServer } from '../../support/scripted-chat-server.js'
import { type ScriptedHttpServer, startScriptedHttpServer } from '../../support/scripted-http-server.js'
import { dialogues, frontDeskTools, longAnswer } from '../../support/speech/front-desk.js'
import { makePerson, type Person } from '../../support/speech/person.js'
import { chatKinds, chatRequestContent, makeSpokenAgent } from '../../support/speech/spoken-model.js'
import { SpokenSession } from '../../support/speech/spoken-session.js'
import { plainWords, wordErrorRate } from '../../support/speech/words.js'
import { type RunningService, startService } from '../../support/start-service.js'

/** Recognition takes long, and the machine may run other tests. */
const timeout = 90_000
const maxWordErrorRate = 0.2

/** Each voice is recognized once, because this takes seconds and a voice speaks all words in the same way. */
const voicesHeard = new Set<string>()

let running: RunningService
let tools: ScriptedHttpServer
let chat: ScriptedChatServer
let person: Person
let agentId: string

beforeAll(async () => {
  person = makePerson()
  tools = await startScriptedHttpServer()
  chat = await startScriptedChatServer()
  running = await startService({ env: { PARLEY_ALLOWED_PRIVATE_HOSTS: '127.0.0.1' } })
  const agent = await running.client.call<Agent>('POST', '/api/v1/Agent', {
    body: { name: 'Desk', systemMessage: 'You help visitors.', tools: frontDeskTools(tools.url) },
  })
  expect(agent.status).toBe(201)
  agentId = agent.body.id
})

afterEach(() => {
  tools.verify()
  chat.verify()
})

afterAll(async () => {
  await running.close()
  await tools.close()
  await chat.close()
})

/** Waits for this many stored messages of one role and returns their texts. */
async function storedTexts(conversationId: string, role: string, count: number): Promise<string[]> {
  const texts = async () =>
    (await messagesOf(running.client, conversationId))
      .filter((message) => message.role === role)
      .map(({ content }) => content)
  await expect.poll(async () => (await texts()).length, patiently).toBe(count)
  return texts()
}

describe('the built-in engine in a spoken session', () => {
  test('is the default connection, and the example agents speak [ENG-1] [RT-50]', { timeout }, async () => {
    const connections = await running.client.call<{ items: Connection[] }>('GET', '/api/v1/Connection')
    expect(connections.body.items).toMatchObject([{ kind: 'embedded', isDefault: true }])
    const agents = await running.client.call<{ items: Agent[] }>('GET', '/api/v1/Agent')
    const examples = agents.body.items.filter(({ id }) => id !== agentId)
    expect(examples).toHaveLength(2)
    for (const [place, example] of examples.entries()) {
      const session = await SpokenSession.open(running, example.id)
      const { firstMessage } = example
      if (firstMessage !== null) {
        const { sound } = await session.hearAnswer()
        expect(plainWords(await person.understand(sound))).toContain('how can i help')
      }
      if (place === 0) await session.say(await person.speak('How are you today?', 'alloy'))
      else session.write('How are you today?')
      const { sound } = await session.hearAnswer()
      const texts = await storedTexts(session.conversationId, 'assistant', firstMessage === null ? 1 : 2)
      const answerText = texts.at(-1) ?? ''
      for (const answer of place === 0 ? [answerText, await person.understand(sound)] : [answerText])
        expect(plainWords(answer)).toContain('what can i do for you')
      await session.close()
    }
  })

  test.each(dialogues)(
    'calls a tool and speaks its result: $question [ENG-9]',
    { timeout },
    async (dialogue) => {
      const { voice } = dialogue
      const called = tools.expect(dialogue.request.call, { body: dialogue.result })
      const session = await SpokenSession.open(running, agentId, voice === null ? {} : { voice })
      if (voice === null) session.write(dialogue.question)
      else await session.say(await person.speak(dialogue.question, voice))
      const answer = await session.hearAnswer()
      expect(answer.invocations).toEqual([
        {
          functionName: dialogue.tool,
          arguments: dialogue.arguments,
          approvalRequired: dialogue.needsApproval,
        },
      ])
      expect(answer.approvedCallIds).toHaveLength(dialogue.needsApproval ? 1 : 0)
      expect(tools.requests.map(({ method, path }) => `${method} ${path}`)).toEqual([dialogue.request.call])
      const { body } = await called
      expect(body === '' ? undefined : JSON.parse(body)).toEqual(dialogue.request.body)
      if (voice !== null && !voicesHeard.has(voice)) {
        voicesHeard.add(voice)
        expect(plainWords(await person.understand(answer.sound))).toContain(dialogue.told)
      }
      const [question = ''] = await storedTexts(session.conversationId, 'user', 1)
      expect(wordErrorRate(dialogue.question, question), question).toBeLessThanOrEqual(maxWordErrorRate)
      const [answerText = ''] = await storedTexts(session.conversationId, 'assistant', 1)
      expect(plainWords(answerText)).toContain(dialogue.told)
      await session.close()
    },
  )

  test('can be interrupted by speech and answers the interruption [ENG-3]', { timeout }, async () => {
    void tools.expect('GET /manual?query=winter%20tires', { body: longAnswer })
    void tools.expect('GET /clock', { body: 'It is a quarter past nine.' })
    const interruption = await person.speak('What time is it?', 'alloy')
    const session = await SpokenSession.open(running, agentId)
    await session.say(await person.speak('Search the manual for winter tires.', 'ash'))
    await session.hearFirstSound()
    session.startSaying(interruption)
    expect(await session.nextEnd()).toBe('cancelled')
    await session.fallSilent()
    const answer = await session.hearAnswer()
    expect(plainWords(await person.understand(answer.sound))).toContain('quarter past nine')
    await storedTexts(session.conversationId, 'assistant', 2)
    const messages = await messagesOf(running.client, session.conversationId)
    const spoken = messages.filter(({ role }) => role === 'assistant')
    expect(spoken.map(({ interrupted }) => interrupted)).toEqual([true, false])
    const kept = spoken[0]?.content.trim() ?? ''
    expect(kept).not.toBe('')
    expect(longAnswer.startsWith(kept)).toBe(true)
    expect(kept.length).toBeLessThan(longAnswer.length)
    await session.close()
  })

  test("knows the first session's words in the second", { timeout }, async () => {
    const first = await SpokenSession.open(running, agentId)
    first.write('My name is Robert.')
    await first.hearAnswer()
    await storedTexts(first.conversationId, 'assistant', 1)
    await first.close()
    const second = await SpokenSession.open(running, agentId, { conversationId: first.conversationId })
    await second.say(await person.speak('What is my name?', 'ash'))
    const answer = await second.hearAnswer()
    expect(plainWords(await person.understand(answer.sound))).toContain('your name is robert')
    const userTexts = await storedTexts(first.conversationId, 'user', 2)
    expect(userTexts.map(plainWords)).toEqual(['my name is robert', 'what is my name'])
    await second.close()
  })
})

describe('a spoken conversation with a text model', () => {
  test('is recognized, and an interruption cancels the model request [ENG-6]', { timeout }, async () => {
    const { agentId } = await makeSpokenAgent(running, chat, 'anthropic')
    chat.answer(
      { text: 'The castle is old. It stands on a hill. The garden is large. ', end: 'hanging' },
      { text: 'The doors are open from nine until noon.' },
    )
    const interruption = await person.speak('When does it open?', 'alloy')
    const session = await SpokenSession.open(running, agentId)
    await session.say(await person.speak('Tell me about the castle.', 'ash'))
    await session.hearFirstSound()
    const request = await chat.nextRequest()
    expect(plainWords(chatRequestContent(request).talk)).toContain('tell me about the castle')
    session.startSaying(interruption)
    expect(await session.nextEnd()).toBe('cancelled')
    await request.closed
    await session.fallSilent()
    const answer = await session.hearAnswer()
    expect(plainWords(await person.understand(answer.sound))).toContain('from nine until noon')
    expect(plainWords(chatRequestContent(await chat.nextRequest()).talk)).toContain('when does it open')
    await session.close()
  })
})

/** Asks a text question. Returns the conversation id and the answer in plain words. */
async function write(agentId: string, question: string, conversationId?: string) {
  const body = { question, ...(conversationId !== undefined && { conversationId }) }
  const answer = await ask(running, agentId, body)
  expect(answer.status, answer.text).toBe(200)
  return { conversationId: answer.body.conversationId, answer: plainWords(answer.body.answer ?? '') }
}

/**
 * Asks questions one after the other in a session of the conversation, the first one aloud. Returns the
 * recognized first answer.
 */
async function speak(agentId: string, conversationId: string, ...questions: string[]): Promise<string> {
  const session = await SpokenSession.open(running, agentId, { conversationId })
  const sounds: AudioClip[] = []
  for (const [place, question] of questions.entries()) {
    if (place === 0) await session.say(await person.speak(question, 'alloy'))
    else session.write(question)
    const { sound, status } = await session.hearAnswer()
    expect(status).toBe('completed')
    sounds.push(sound)
  }
  await session.close()
  await endedSession(running.client, conversationId)
  const [first] = sounds
  if (first === undefined) throw new Error('The session needs at least one question.')
  return plainWords(await person.understand(first))
}

const channelsOf = async (conversationId: string) =>
  (await messagesOf(running.client, conversationId)).map(({ channel, role }) => `${channel} ${role}`)

const oneConversation = [
  ...['text user', 'text assistant'],
  ...['realtime user', 'realtime assistant', 'realtime user', 'realtime assistant'],
  ...['text user', 'text assistant'],
]

describe('an agent that is asked in text, by voice and in text again', () => {
  test('knows the earlier turns in each channel with only built-in parts [MEM-1]', {
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

  test.each(chatKinds)('sends all of them to its text model: %s [MEM-1]', { timeout }, async (kind) => {
    const { agentId } = await makeSpokenAgent(running, chat, kind)
    chat.answer({ text: 'I will keep the word falcon.' })
    const { conversationId } = await write(agentId, 'The code word is falcon.')
    chat.answer({ text: 'It is falcon, as you wrote.' }, { text: 'Good, on Tuesday then.' })
    const heard = await speak(agentId, conversationId, 'What is the code word?', 'The meeting is on Tuesday.')
    expect(heard).toContain('falcon')
    chat.answer({ text: 'On Tuesday, as you said.' })
    await write(agentId, 'When is the meeting?', conversationId)

    const [, spoken, , written] = chat.requests.map(chatRequestContent)
    expect(spoken?.roles).toEqual(['user', 'assistant', 'user'])
    expect(spoken?.talk).toMatch(/The code word is falcon\..*I will keep the word falcon\..*code word/i)
    expect(written?.roles).toEqual([...Array(3).fill(['user', 'assistant']).flat(), 'user'])
    expect(written?.talk).toMatch(
      /is falcon\..*keep the word.*the code word\?.*as you wrote\..*is on Tuesday.*Good, on Tuesday then\..*When is the meeting\?/i,
    )
    expect(await channelsOf(conversationId)).toEqual(oneConversation)
  })
})
