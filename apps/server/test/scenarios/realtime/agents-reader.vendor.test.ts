import { afterAll, beforeAll, expect, test } from 'vitest'
import { type AgentsLibrary, readWithAgents } from '../../support/realtime/agents-reader.js'
import { createDialectAgent } from '../../support/realtime/dialect-agent.js'
import { grokTurn, playTurn, voiceLiveTurn } from '../../support/realtime/dialect-turns.js'
import { createGeminiAgent, serveGemini } from '../../support/realtime/dialects/gemini-sessions.js'
import { serveLive } from '../../support/realtime/dialects/live-server.js'
import { serveQwen } from '../../support/realtime/dialects/serve-qwen.js'
import { type RealtimeTestService, startRealtimeService } from '../../support/realtime/realtime-service.js'
import { patiently } from '../../support/realtime/spoken-turns.js'
import { loadVendorClient } from '../../support/vendor-client.js'

let service: RealtimeTestService

beforeAll(async () => {
  service = await startRealtimeService()
})

afterAll(() => service.close())

async function openReader(agentId: string) {
  const library = loadVendorClient<AgentsLibrary>('@openai/agents-realtime')
  const ticket = await service.createTicket({}, agentId)
  return readWithAgents({ library, url: `${service.url.replace('http', 'ws')}${ticket.webSocketPath}` })
}

test.each([['xai', grokTurn] as const, ['azure-voice-live', voiceLiveTurn] as const])(
  'the newest @openai/agents-realtime reads a turn of %s without an error [RT-55]',
  async (kind, turn) => {
    const reader = await openReader(await createDialectAgent(service, kind))
    const provider = await service.provider.accept()
    await provider.inbox.takeType('session.update')
    await reader.connected
    await playTurn(provider, turn)
    await expect.poll(reader.words, patiently).toEqual(['Hello, what time is it?', 'It is noon.'])
    expect(reader.unexpectedErrors()).toEqual([])
  },
)

test('the newest @openai/agents-realtime reads a turn of Gemini without an error [RT-64]', async () => {
  const reader = await openReader(await createGeminiAgent(service))
  const gemini = serveGemini(await service.provider.accept())
  await reader.connected
  gemini.hear(' What time is it?')
  gemini.answer('It is noon.')
  await expect.poll(reader.words, patiently).toEqual(['What time is it?', 'It is noon.'])
  expect(reader.unexpectedErrors()).toEqual([])
})

test('the newest @openai/agents-realtime reads a turn of Qwen without an error [RT-55]', async () => {
  const reader = await openReader(await createDialectAgent(service, 'qwen'))
  const qwen = serveQwen(await service.provider.accept())
  await reader.connected
  qwen.hear('What time is it?')
  qwen.answer('It is noon.')
  await expect.poll(reader.words, patiently).toEqual(['What time is it?', 'It is noon.'])
  expect(reader.unexpectedErrors()).toEqual([])
})

test('the newest @openai/agents-realtime reads a turn of GPT-Live without an error [RT-66]', async () => {
  const models = { chat: 'gpt-5-mini', realtime: ['gpt-live-1'] }
  const reader = await openReader(await createDialectAgent(service, 'openai', { models }))
  const live = serveLive(await service.provider.accept())
  await reader.connected
  live.hearWords('What time is it?')
  live.speak(3)
  live.sayWords('It is noon.')
  live.beQuiet(10)
  await expect.poll(reader.words, patiently).toEqual(['What time is it?', 'It is noon.'])
  expect(reader.unexpectedErrors()).toEqual([])
})
