import type { Agent, Connection } from '@parley/contract'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { messagesOf, patiently } from '../../support/realtime/spoken-turns.js'
import { type ScriptedHttpServer, startScriptedHttpServer } from '../../support/scripted-http-server.js'
import { dialogues, frontDeskTools, longAnswer } from '../../support/speech/front-desk.js'
import { makePerson, type Person } from '../../support/speech/person.js'
import { SpokenSession } from '../../support/speech/spoken-session.js'
import { plainWords, wordErrorRate } from '../../support/speech/words.js'
import { type RunningService, startService } from '../../support/start-service.js'

/** Recognition is real work, and the machine may have other work too. */
const timeout = 90_000
const maxWordErrorRate = 0.2

let running: RunningService
let tools: ScriptedHttpServer
let person: Person
let agentId: string

beforeAll(async () => {
  person = makePerson()
  tools = await startScriptedHttpServer()
  running = await startService({ env: { PARLEY_ALLOWED_PRIVATE_HOSTS: '127.0.0.1' } })
  const agent = await running.client.call<Agent>('POST', '/api/v1/Agent', {
    body: { name: 'Desk', systemMessage: 'You help visitors.', tools: frontDeskTools(tools.url) },
  })
  expect(agent.status).toBe(201)
  agentId = agent.body.id
})

afterEach(() => tools.verify())

afterAll(async () => {
  await running.close()
  await tools.close()
})

/** The stored messages of one role, once there are so many. */
async function storedTexts(conversationId: string, role: string, count: number): Promise<string[]> {
  const texts = async () =>
    (await messagesOf(running.client, conversationId))
      .filter((message) => message.role === role)
      .map(({ content }) => content)
  await expect.poll(async () => (await texts()).length, patiently).toBe(count)
  return texts()
}

describe('the built-in engine, spoken to through the service', () => {
  test('[ENG-1] is the default connection, and the example agents speak', { timeout }, async () => {
    const connections = await running.client.call<{ items: Connection[] }>('GET', '/api/v1/Connection')
    expect(connections.body.items).toMatchObject([{ kind: 'embedded', isDefault: true }])
    const agents = await running.client.call<{ items: Agent[] }>('GET', '/api/v1/Agent')
    const examples = agents.body.items.filter(({ id }) => id !== agentId)
    expect(examples).toHaveLength(2)
    for (const example of examples) {
      const session = await SpokenSession.open(running, example.id)
      await session.say(await person.speak('How are you today?', 'alloy'))
      const answer = await session.hearAnswer()
      expect(plainWords(await person.understand(answer.sound))).toContain('what can i do for you')
      await session.close()
    }
  })

  test.each(dialogues)('[ENG-9] hears, calls a tool and tells: $question', { timeout }, async (dialogue) => {
    const called = tools.expect(dialogue.request.call, { body: dialogue.result })
    const session = await SpokenSession.open(running, agentId, { voice: dialogue.voice })
    await session.say(await person.speak(dialogue.question, dialogue.voice))
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
    expect(plainWords(await person.understand(answer.sound))).toContain(dialogue.told)
    const [question = ''] = await storedTexts(session.conversationId, 'user', 1)
    expect(wordErrorRate(dialogue.question, question), question).toBeLessThanOrEqual(maxWordErrorRate)
    const [told = ''] = await storedTexts(session.conversationId, 'assistant', 1)
    expect(plainWords(told)).toContain(dialogue.told)
    await session.close()
  })

  test('[ENG-3] is interrupted by speech, and answers what was said then', { timeout }, async () => {
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

  test('knows in a second session what was said in the first', { timeout }, async () => {
    const first = await SpokenSession.open(running, agentId)
    await first.say(await person.speak('My name is Robert.', 'alloy'))
    await first.hearAnswer()
    await storedTexts(first.conversationId, 'assistant', 1)
    await first.close()
    const second = await SpokenSession.open(running, agentId, { conversationId: first.conversationId })
    await second.say(await person.speak('What is my name?', 'ash'))
    const answer = await second.hearAnswer()
    expect(plainWords(await person.understand(answer.sound))).toContain('your name is robert')
    const said = await storedTexts(first.conversationId, 'user', 2)
    expect(said.map(plainWords)).toEqual(['my name is robert', 'what is my name'])
    await second.close()
  })
})
