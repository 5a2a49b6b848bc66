import { OpenAIRealtimeWebSocket, RealtimeAgent, RealtimeSession, tool } from '@openai/agents-realtime'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { type Engine, startEngine } from '#engine/start-engine.js'
import { personWorkers } from '../support/person-workers.js'
import { speak } from '../support/voice.js'

vi.setConfig({ testTimeout: 60_000 })

let engine: Engine
beforeAll(async () => {
  const { speechToText, textToSpeech } = personWorkers()
  engine = await startEngine({ port: 0, secret: 'secret', speechToText, textToSpeech })
})
afterAll(async () => {
  await engine.close()
})

test('the OpenAI Agents SDK can ask by voice, answer a tool call, hear the answer and interrupt it [ENG-2]', async () => {
  const cities: string[] = []
  const getWeather = tool({
    name: 'get_weather',
    description: 'Get the current weather of a city',
    strict: false,
    parameters: {
      type: 'object',
      properties: { city: { type: 'string' } },
      required: ['city'],
      additionalProperties: true,
    },
    execute: (input) => {
      cities.push((input as { city: string }).city)
      return 'It is cloudy, with 18 degrees.'
    },
  })
  const agent = new RealtimeAgent({ name: 'Ada', instructions: 'You are Ada.', tools: [getWeather] })
  const transport = new OpenAIRealtimeWebSocket({
    url: `${engine.url}?model=offline`,
    useInsecureApiKey: true,
  })
  const session = new RealtimeSession(agent, { transport, model: 'offline' })
  const errors: unknown[] = []
  session.on('error', (error) => errors.push(error))
  const said: string[] = []
  const answered = new Promise<void>((resolve) => {
    session.on('agent_end', (_context, _agent, output) => {
      said.push(output)
      if (output.includes('cloudy')) resolve()
    })
  })
  await session.connect({ apiKey: 'secret' })
  const question = await speak('What is the weather in London?')
  for (let start = 0; start < question.length; start += 960) {
    const chunk = question.subarray(start, start + 960)
    session.sendAudio(new Uint8Array(chunk).buffer as ArrayBuffer)
  }
  await answered
  expect(cities).toEqual(['London'])
  expect(said.at(-1)).toBe('It is cloudy, with 18 degrees.')

  session.interrupt()
  session.sendMessage('Hello.')
  await new Promise<void>((resolve) => {
    session.once('agent_end', () => resolve())
  })
  const history = session.history.map((item) => (item.type === 'message' ? item.role : item.type))
  expect(history).toEqual(['user', 'function_call', 'assistant', 'user', 'assistant'])
  expect(errors).toEqual([])
  session.close()
})
