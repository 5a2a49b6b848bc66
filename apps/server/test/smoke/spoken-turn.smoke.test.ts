import type { Agent } from '@parley/contract'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { messagesOf } from '../support/realtime/spoken-turns.js'
import { type ScriptedHttpServer, startScriptedHttpServer } from '../support/scripted-http-server.js'
import { frontDeskTools } from '../support/speech/front-desk.js'
import { makePerson } from '../support/speech/person.js'
import { SpokenSession } from '../support/speech/spoken-session.js'
import { plainWords } from '../support/speech/words.js'
import { type RunningService, startService } from '../support/start-service.js'

/** Loading the speech models takes seconds on a busy machine. */
const timeout = 90_000

let running: RunningService
let tools: ScriptedHttpServer

beforeAll(async () => {
  tools = await startScriptedHttpServer()
  running = await startService({
    database: 'embedded',
    env: { PARLEY_ALLOWED_PRIVATE_HOSTS: '127.0.0.1' },
  })
})

afterAll(async () => {
  await running.close()
  await tools.close()
})

test('answers a spoken question with the result of a tool, on the embedded database', {
  timeout,
}, async () => {
  const person = makePerson()
  const agent = await running.client.call<Agent>('POST', '/api/v1/Agent', {
    body: { name: 'Desk', systemMessage: 'You help visitors.', tools: frontDeskTools(tools.url) },
  })
  void tools.expect('GET /weather/Paris', { body: { summary: 'It is sunny and warm.' } })
  const session = await SpokenSession.open(running, agent.body.id, { voice: 'alloy' })
  await session.say(await person.speak('What is the weather in Paris?', 'alloy'))
  const answer = await session.hearAnswer()
  expect(answer.invocations).toMatchObject([{ functionName: 'weather', arguments: { city: 'Paris' } }])
  expect(plainWords(await person.understand(answer.sound))).toContain('sunny and warm')
  await session.close()
  tools.verify()
  const messages = () => messagesOf(running.client, session.conversationId)
  await expect
    .poll(async () => (await messages()).map(({ role }) => role), { timeout })
    .toEqual(expect.arrayContaining(['user', 'assistant']))
})
